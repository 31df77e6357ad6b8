"""The helpers of batch strategies, over many hands at once."""

from sim.engine.hands.hand import KINDS, SUITS, Hand, draw_lot, lowest_kind
from sim.engine.hands.lookup import Lookup
from sim.engine.hands.shanten import count_shanten, count_shanten_without, mark_useful_without
from sim.engine.hands.waits import mark_waits
from sim.engine.sichuan.rules import Rules
from sim.engine.sichuan.table import Table
from sim.jit import Ints, Ints2, Records, cached_in, driver
from strategies.calculator import least_shanten, value_if_completed
from strategies.compiling import HELPERS_CACHE


def _count_steps(hands: Records[Hand], lookups: Records[Lookup], steps: Ints) -> None:
    for row in range(steps.shape[0]):
        steps[row] = least_shanten(hands[row], lookups[0])


def _count_steps_without_suits(hands: Records[Hand], lookups: Records[Lookup], steps: Ints2) -> None:
    for row in range(steps.shape[0]):
        for suit in range(SUITS):
            steps[row, suit] = count_shanten(hands[row], suit, lookups[0])


def _compare_discards(hands: Records[Hand], lookups: Records[Lookup], live: Ints2, steps: Ints2, useful: Ints2) -> None:
    lookup = lookups[0]
    for row in range(steps.shape[0]):
        hand = hands[row]
        for kind in range(KINDS):
            if (hand.legal_discards >> kind) & 1:
                steps[row, kind] = count_shanten_without(hand, kind, hand.void_suit, lookup)
                kinds = mark_useful_without(hand, kind, hand.void_suit, lookup)
                count = 0
                while kinds:
                    count += live[row, lowest_kind(kinds)]
                    kinds &= kinds - 1
                useful[row, kind] = count


def _find_waits(hands: Records[Hand], lookups: Records[Lookup], waits: Ints) -> None:
    for row in range(waits.shape[0]):
        waits[row] = mark_waits(hands[row], lookups[0])


def _value_waits(
    hands: Records[Hand],
    tables: Records[Table],
    all_rules: Records[Rules],
    lookups: Records[Lookup],
    is_self_draw: int,
    values: Ints2,
) -> None:
    for row in range(values.shape[0]):
        waits = mark_waits(hands[row], lookups[0])
        while waits:
            kind = lowest_kind(waits)
            waits &= waits - 1
            values[row, kind] = value_if_completed(
                hands[row], tables[row], all_rules[0], lookups[0], kind, is_self_draw
            )


def _draw_lots(hands: Records[Hand], bounds: Ints, lots: Ints) -> None:
    for row in range(lots.shape[0]):
        lots[row] = draw_lot(hands[row], bounds[row])


with cached_in(HELPERS_CACHE):
    count_steps = driver(_count_steps)
    """(hands, lookups, steps): fills each hand's shanten."""
    count_steps_without_suits = driver(_count_steps_without_suits)
    """(hands, lookups, steps): fills each hand's shanten without each suit."""
    compare_discards = driver(_compare_discards)
    """(hands, lookups, live, steps, useful): fills what each legal discard leaves."""
    find_waits = driver(_find_waits)
    """(hands, lookups, waits): fills the mask of kinds that complete each hand of 13 tiles."""
    value_waits = driver(_value_waits)
    """(hands, tables, rules, lookups, 1 if drawn, values): fills the value of each hand of 13 tiles by each wait."""
    draw_lots = driver(_draw_lots)
    """(hands, bounds, lots): fills a lot from each hand's stream."""
