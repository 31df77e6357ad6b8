(function () {
  const deal = JSON.parse(document.getElementById("deal").textContent);
  const steps = deal.steps;
  steps.forEach(function (step, place) { // a seat that is null is as it was in the step before
    step.seats = step.seats.map(function (seat, number) { return seat === null ? steps[place - 1].seats[number] : seat; });
  });
  const slider = document.getElementById("slider");
  const items = Array.from(document.querySelectorAll("#steps li"));
  const ledger = document.querySelector("#ledger tbody");
  const drawing = "http://www.w3.org/2000/svg";
  let here = 0;
  let clock = null;

  function make(tag, className, text) {
    const element = document.createElement(tag);
    if (className) { element.className = className; }
    if (text !== undefined) { element.textContent = text; }
    return element;
  }
  function tile(name, className, words) {
    const svg = document.createElementNS(drawing, "svg");
    svg.setAttribute("class", "tile " + (className || ""));
    svg.setAttribute("viewBox", "0 0 30 40");
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", deal.tiles[name] + (words ? ", " + words : ""));
    const use = document.createElementNS(drawing, "use");
    use.setAttribute("href", "#tile-" + name);
    svg.appendChild(use);
    return svg;
  }
  function fill(element, children) { element.replaceChildren.apply(element, children); }
  function signed(points) { return (points > 0 ? "+" : points < 0 ? "\u2212" : "") + Math.abs(points); }

  function showSeat(section, seat, number, step, isLatest) {
    section.classList.toggle("acts", step.seat === number);
    section.querySelector(".points").textContent = signed(seat.points) + " points";
    const voided = seat.void === null ? "" : "void: " + deal.suits[seat.void];
    section.querySelector(".state").textContent = [voided, seat.state].filter(Boolean).join("; ");
    const hand = seat.hand.map(function (name) { return tile(name); });
    if (seat.drawn !== null) { hand.push(tile(seat.drawn, "apart", "drawn")); }
    if (seat.won_on !== null && seat.state.indexOf("self-draw") < 0) { hand.push(tile(seat.won_on, "apart", "won on")); }
    fill(section.querySelector(".hand"), hand);
    fill(section.querySelector(".melds"), seat.melds.map(function (meld) {
      const group = make("span", "meld");
      group.setAttribute("role", "img");
      group.setAttribute("aria-label", meld.form + " of " + deal.tiles[meld.tiles[0]]);
      meld.tiles.forEach(function (name, place) {
        const isHidden = meld.form === "concealed kong" && (place === 0 || place === 3);
        const drawn = tile(name);
        if (isHidden) { drawn.firstChild.setAttribute("href", "#tile-back"); }
        drawn.removeAttribute("role");
        drawn.removeAttribute("aria-label");
        drawn.setAttribute("aria-hidden", "true");
        group.appendChild(drawn);
      });
      return group;
    }));
    const waits = section.querySelector(".waits");
    waits.textContent = seat.waits.length ? "waits for " : "";
    seat.waits.forEach(function (name) { waits.appendChild(tile(name)); });
    fill(section.querySelector(".discards"), seat.discards.map(function (discard, place) {
      const last = isLatest && place === seat.discards.length - 1;
      return tile(discard.tile, (discard.taken ? "taken " : "") + (last ? "latest" : ""), discard.taken && "claimed: " + discard.taken);
    }));
  }
  function show(place) {
    here = Math.max(0, Math.min(steps.length - 1, place));
    const step = steps[here];
    document.getElementById("place").textContent = String(here + 1);
    slider.value = String(here + 1);
    fill(document.getElementById("words"), step.words.map(function (line) { return make("p", "", line); }));
    document.getElementById("wall").textContent = step.left + " tiles left in the wall";
    document.querySelectorAll(".seat").forEach(function (section) {
      const number = Number(section.dataset.seat);
      showSeat(section, step.seats[number], number, step, step.event === "discard" && step.seat === number);
    });
    fill(ledger, deal.ledger.slice(0, step.paid).map(function (line) {
      const row = make("tr");
      [line.step + 1, line.cause.replace(/_/g, " "), "seat " + line.payer, "seat " + line.payee].forEach(function (text) {
        row.appendChild(make("td", "", String(text)));
      });
      row.appendChild(make("td", "number", String(line.amount)));
      return row;
    }));
    items.forEach(function (item, place) {
      item.classList.toggle("here", place === here);
      if (place === here) { item.setAttribute("aria-current", "step"); } else { item.removeAttribute("aria-current"); }
    });
  }
  function jump(kind, direction) {
    for (let place = here + direction; place >= 0 && place < steps.length; place += direction) {
      if (steps[place].jump === kind) { show(place); return; }
    }
  }
  function stop() {
    window.clearInterval(clock);
    clock = null;
    const button = document.querySelector("[data-go=play]");
    button.textContent = "Play";
    button.setAttribute("aria-pressed", "false");
  }
  function play() {
    if (clock !== null) { stop(); return; }
    const button = document.querySelector("[data-go=play]");
    button.textContent = "Stop";
    button.setAttribute("aria-pressed", "true");
    clock = window.setInterval(function () {
      show(here + 1);
      if (here === steps.length - 1) { stop(); }
    }, 700);
  }
  const moves = {
    first: function () { show(0); },
    back: function () { show(here - 1); },
    next: function () { show(here + 1); },
    last: function () { show(steps.length - 1); },
    play: play,
    win: function () { jump("win", 1); },
    kong: function () { jump("kong", 1); },
  };
  const keys = {
    ArrowLeft: moves.back, ArrowRight: moves.next, Home: moves.first, End: moves.last, " ": play,
    w: moves.win, k: moves.kong,
    W: function () { jump("win", -1); }, K: function () { jump("kong", -1); },
  };
  document.querySelectorAll("[data-go]").forEach(function (button) {
    button.addEventListener("click", function () { moves[button.dataset.go](); });
  });
  slider.addEventListener("input", function () { show(Number(slider.value) - 1); });
  items.forEach(function (item, place) { item.addEventListener("click", function () { show(place); }); });
  document.addEventListener("keydown", function (event) {
    const inControl = /^(BUTTON|INPUT|SUMMARY|A)$/.test(event.target.tagName);
    if (event.ctrlKey || event.metaKey || event.altKey || (inControl && (event.key === " " || event.target === slider))) { return; }
    if (keys[event.key]) { keys[event.key](); event.preventDefault(); }
  });
  document.querySelector("div.controls").hidden = false;
  document.getElementById("board").hidden = false;
  const asked = /^#step=(\d+)$/.exec(window.location.hash);
  show(asked ? Number(asked[1]) - 1 : 0);
})();
