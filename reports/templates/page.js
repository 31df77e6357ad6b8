"use strict";
(function () {
  const root = document.documentElement;
  const button = document.getElementById("theme");
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  let kept = null;
  try { kept = window.localStorage.getItem("bloodbattle-theme"); } catch (error) { kept = null; }
  function isDark() { return (root.dataset.theme || (system.matches ? "dark" : "light")) === "dark"; }
  function show() {
    button.setAttribute("aria-pressed", String(isDark()));
    button.textContent = isDark() ? "Light colours" : "Dark colours";
  }
  if (kept === "dark" || kept === "light") { root.dataset.theme = kept; }
  button.hidden = false;
  button.addEventListener("click", function () {
    root.dataset.theme = isDark() ? "light" : "dark";
    try { window.localStorage.setItem("bloodbattle-theme", root.dataset.theme); } catch (error) { /* not kept */ }
    show();
  });
  system.addEventListener("change", show);
  show();

  // Tables whose heads have buttons can be sorted; a cell may carry the number to sort by in data-value.
  document.querySelectorAll("table.sortable").forEach(function (table) {
    const body = table.tBodies[0];
    const heads = Array.from(table.tHead.rows[table.tHead.rows.length - 1].cells);
    heads.forEach(function (head, column) {
      if (!head.textContent.trim()) { return; }
      const sorter = document.createElement("button");
      sorter.type = "button";
      sorter.append(...head.childNodes);
      head.appendChild(sorter);
      sorter.addEventListener("click", function () {
        const falling = head.getAttribute("aria-sort") === "ascending";
        heads.forEach(function (other) { other.removeAttribute("aria-sort"); });
        head.setAttribute("aria-sort", falling ? "descending" : "ascending");
        const rows = Array.from(body.rows).map(function (row, place) {
          const cell = row.cells[column];
          const key = cell.dataset.value !== undefined ? Number(cell.dataset.value) : cell.textContent.trim();
          return { row: row, key: key, place: place };
        });
        rows.sort(function (one, other) {
          const missing = (typeof one.key === "string") - (typeof other.key === "string"); // what has no number stands last
          if (missing) { return missing; }
          const order = typeof one.key === "number"
            ? one.key - other.key : String(one.key).localeCompare(String(other.key), "en", { numeric: true });
          return (falling ? -order : order) || one.place - other.place;
        });
        rows.forEach(function (item) { body.appendChild(item.row); });
      });
    });
  });

  // What is wider than the screen scrolls inside its own box; a line above it says so, and its edge until the end.
  const boxes = Array.from(document.querySelectorAll(".scroll"));
  function measure(box) {
    const left = box.scrollWidth - box.clientWidth;
    box.previousElementSibling.hidden = left <= 1;
    box.classList.toggle("more", left > 1 && box.scrollLeft < left - 1);
  }
  function measureAll() { boxes.forEach(measure); }
  boxes.forEach(function (box) {
    const hint = document.createElement("p");
    hint.className = "hint";
    hint.textContent = "Wider than the screen: it scrolls sideways.";
    box.before(hint);
    box.addEventListener("scroll", function () { measure(box); }, { passive: true });
  });
  document.querySelectorAll("details").forEach(function (part) { part.addEventListener("toggle", measureAll); });
  document.querySelectorAll("select").forEach(function (select) { select.addEventListener("change", measureAll); });
  window.addEventListener("resize", measureAll);
  measureAll();
})();
