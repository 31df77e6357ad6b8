"""Plays for the hand that pays most, reads the opponents, and weighs what each discard may cost.

`value` with two more looks at the table. The danger of every discard is taken off what the hand is worth after it
(`strategies.danger`): void suits, discards and melds of the opponents, copies unseen. And useful tiles count by where
they can be and who throws them (`strategies.reading`): a suit that others call void is drawn and shown more. So it
folds when that pays: a hand far from ready late in the deal is worth little, and the safest discard wins, while a ready
or a costly hand still takes its risks; what not being ready at exhaustion costs is part of the hand's worth. It is
modelled on the danger scores, folding rules and single lane of the strongest public Blood Battle programs, with points
in place of thresholds. Measured, void suits and patience gain more than the danger does, whose best weight is small:
most points are paid for self-draws, and a dangerous tile that is kept must often be thrown later.
"""

from sim.engine.hands.hand import Hand
from sim.engine.hands.lookup import Lookup
from sim.engine.sichuan.rules import Rules
from sim.engine.sichuan.table import Table
from strategies.aiming import (
    choose_claim_by_worth,
    choose_exchange_by_worth,
    choose_turn_by_worth,
    choose_void_suit_by_worth,
)

PARAMETERS = {
    "caution": (0.2, 0.0, 10.0, "weight of a discard's danger against what the hand is worth"),
    "patience": (0.0, -1000.0, 10.0, "points by which a win on a discard must beat staying in; -1000: always win"),
}


def choose_exchange(hand: Hand, table: Table, rules: Rules, lookup: Lookup) -> int:
    """Give the tiles without which the hand is worth most."""
    return choose_exchange_by_worth(hand, table, rules, lookup)


def choose_void_suit(hand: Hand, table: Table, rules: Rules, lookup: Lookup) -> int:
    """Name the suit without which the hand is worth most."""
    return choose_void_suit_by_worth(hand, table, rules, lookup)


def choose_turn(hand: Hand, table: Table, rules: Rules, lookup: Lookup) -> int:
    """Win, or make the discard or kong after which the hand is worth most for its danger."""
    return choose_turn_by_worth(hand, table, rules, lookup, hand.parameters[0])


def choose_claim(hand: Hand, table: Table, rules: Rules, lookup: Lookup) -> int:
    """Win unless staying is worth more, or claim what makes the hand worth more for the discard's danger."""
    return choose_claim_by_worth(hand, table, rules, lookup, hand.parameters[0], hand.parameters[1])
