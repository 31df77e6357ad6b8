"""New strategies: a complete, working file of each kind to start from."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sim.errors import ConfigError

if TYPE_CHECKING:
    from pathlib import Path

KINDS = ("native", "python", "batch")

NATIVE = '''"""{title}: the widest way to ready that is not too dangerous."""

from sim.engine.hands.hand import draw_lot, lowest_kind  # draw_lot(hand, n): chance, from the seat's own stream
from sim.engine.hands.shanten import count_shanten_without, mark_useful_without
from sim.engine.sichuan.table import PASS_ACTION, WIN_ACTION
from strategies.calculator import count_live_tiles, estimate_danger
from strategies.common import held_void_kinds

PARAMETERS = {{"danger": (0.4, 0.0, 5.0, "useful tiles that a tenth of danger is worth")}}


def greatest_danger(hand, table, kind):
    """Return the danger of a discard to whom it is most dangerous, 0 to 1000."""
    worst = 0
    for seat in range(4):
        if seat != hand.seat:
            worst = max(worst, estimate_danger(hand, table, kind, seat))
    return worst


def choose_turn(hand, table, rules, lookup):
    """Win, or discard: a kind 0 to 26 of hand.legal_discards, KONG_ACTION + kind of hand.legal_kongs, or WIN_ACTION."""
    if hand.legal_win:
        return WIN_ACTION
    void = held_void_kinds(hand)
    if void:
        return lowest_kind(void)
    best, least = -1, 1e9
    for kind in range(27):
        if (hand.legal_discards >> kind) & 1:
            steps = count_shanten_without(hand, kind, hand.void_suit, lookup)
            useful = count_live_tiles(hand, table, mark_useful_without(hand, kind, hand.void_suit, lookup))
            cost = 100.0 * steps - useful + hand.parameters[0] * greatest_danger(hand, table, kind) / 100
            if cost < least:
                best, least = kind, cost
    return best


def choose_claim(hand, table, rules, lookup):
    """Answer a discard, or a kong that may be robbed: WIN_ACTION, PUNG_ACTION, KONG_ACTION + kind, or PASS_ACTION."""
    return WIN_ACTION if hand.legal_win else PASS_ACTION


# choose_exchange and choose_void_suit are left out here, so they are those of strategies.defaults.
'''

PYTHON = '''"""{title}: the widest way to ready that is not too dangerous."""

from strategies.observation import PASS, WIN


class {name}:
    """One object plays one seat in one deal: what it keeps in self lasts for the deal."""

    PARAMETERS = {{"danger": (0.4, 0.0, 5.0, "useful tiles that a tenth of danger is worth")}}

    def choose_exchange(self, view):
        """Give the first tiles of the suit of which there are fewest, but enough."""
        count = view.exchange_count
        suit = min((suit for suit in range(3) if view.sizes[suit] >= count), key=lambda suit: view.sizes[suit])
        return [kind for kind in view.tiles if kind // 9 == suit][:count]

    def choose_void_suit(self, view):
        """Name a suit, 0 to 2: the one without which the hand is nearest to ready."""
        return min(view.suit_order, key=lambda suit: (view.shanten(suit), view.sizes[suit]))

    def choose_turn(self, view):
        """Win, or discard: one of view.legal_actions (a kind to discard, kong(kind), WIN)."""
        if view.legal_win:
            return WIN
        void = [kind for kind in view.legal_discards if kind // 9 == view.void_suit]
        if void:
            return void[0]
        return min(view.choices(), key=lambda choice: self.cost(view, choice)).kind

    def cost(self, view, choice):
        """Weigh steps to ready, useful live tiles and danger."""
        danger = max((view.danger(choice.kind, seat) for seat in view.opponents), default=0)
        return 100 * choice.shanten - choice.useful + 10 * view.parameters["danger"] * danger

    def choose_claim(self, view):
        """Answer a discard, or a kong that may be robbed: one of view.legal_actions (WIN, PASS, PUNG, kong(kind))."""
        return WIN if view.legal_win else PASS


# A method that is left out is that of strategies.defaults. Chance comes from view.lots only.
'''

BATCH = '''"""{title}: the widest way to ready, for hundreds of tables at a time."""

import numpy as np

from strategies.batch import PASS, WIN


class {name}:
    """One object plays all deals: put a network here, but nothing of a deal (that goes into batch.memory)."""

    PARAMETERS = {{"width": (1.0, 0.0, 10.0, "weight of useful live tiles")}}

    def choose_turn(self, batch):
        """Return an action for each row; batch.legal is the mask of what is legal, shape (n, 67)."""
        steps, useful = batch.choices()  # for each discard, shape (n, 27); batch.observation is made for networks
        score = -100.0 * steps + batch.parameters["width"] * useful
        score[batch.void_suit[:, None] == np.arange(27) // 9] += 10_000  # the void suit goes first
        score[~batch.legal[:, :27]] = -np.inf
        return np.where(batch.legal[:, WIN], WIN, score.argmax(axis=1))

    def choose_claim(self, batch):
        """Return an action for each row."""
        return np.where(batch.legal[:, WIN], WIN, PASS)


# choose_exchange (shape (n, batch.rules.exchange_count), the kinds to give) and choose_void_suit (a suit for each row)
# are left out here, so they are those of strategies.defaults. Chance comes from batch.draw and batch.pick only.
'''

_TEMPLATES = {"native": NATIVE, "python": PYTHON, "batch": BATCH}


def write_template(name: str, kind: str) -> str:
    """Return the text of a new strategy.

    Parameters
    ----------
    name : str
        What it is called.
    kind : str
        One of `KINDS`.

    Examples
    --------
    >>> write_template("bold", "python").splitlines()[0]
    '\"\"\"Bold: the widest way to ready that is not too dangerous.\"\"\"'
    """
    title = name.replace("_", " ").capitalize()
    return _TEMPLATES[kind].format(title=title, name="".join(part.capitalize() for part in name.split("_")))


def create(name: str, kind: str, folder: Path) -> Path:
    """Write the file of a new strategy.

    Parameters
    ----------
    name : str
        What it is called: letters, digits and underscores.
    kind : str
        One of `KINDS`.
    folder : Path
        Where.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    ConfigError
        The name is none, the file is there already or cannot be written.
    """
    stem = name.removesuffix(".py").replace("-", "_")
    if not re.fullmatch(r"[a-zA-Z]\w*", stem, flags=re.ASCII):
        raise ConfigError(f"new strategy {name!r}: allowed: a letter, then letters, digits and underscores")
    path = folder / f"{stem}.py"
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(write_template(stem.lower(), kind))
    except FileExistsError:
        raise ConfigError(f"{path}: there already; choose another name") from None
    except OSError as error:
        raise ConfigError(f"{path}: cannot be written: {error.strerror}") from None
    return path
