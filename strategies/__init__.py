"""Strategies: what the players choose, and how a file of choices becomes machine code.

A strategy is a plain Python file with up to four functions, all of one shape, `(hand, table, rules, lookup) -> int`:

- `choose_exchange` gives the tiles to pass on, as ``sum of kind[i] * 32 ** i`` with the kinds ascending; they are
  ``rules.exchange_count`` held tiles of one suit;
- `choose_void_suit` gives a suit, 0 to 2;
- `choose_turn` gives a kind of ``hand.legal_discards`` to discard, ``KONG_ACTION + kind`` for a kind of
  ``hand.legal_kongs``, or ``WIN_ACTION`` if ``hand.legal_win``;
- `choose_claim` answers a discard, and a kong that may be robbed, with ``WIN_ACTION`` if ``hand.legal_win``,
  ``PUNG_ACTION`` if ``hand.legal_pung``, ``KONG_ACTION + table.tile`` if ``hand.legal_kongs``, or ``PASS_ACTION``.

`hand` is the player's own (`sim.engine.hands.hand.Hand`), `table` what everybody sees
(`sim.engine.sichuan.table.Table`), `rules` the preset (`sim.engine.sichuan.rules.Rules`), `lookup` the tables of hand
mathematics. There is nothing else to see, so no strategy can cheat.

The functions carry no decorator: the loader compiles them. A function that a file does not define is taken from
`strategies.defaults`. What they call must be compiled too: anything from `sim.engine.hands`, and the helpers of
`strategies.common` and `strategies.opening`; a file's own small helpers are decorated with
``strategies.compiling.inlined_helper``.

A decision may change its hand as long as it leaves it as it was, apart from `hand.lots` (through `draw_lot`, the only
source of chance) and `hand.memory`, which is zero when a deal begins.

A file may name parameters, at most sixteen, which it reads as ``hand.parameters[i]`` in the order of their names::

    PARAMETERS = {"danger": (0.4, 0.0, 1.0, "weight of a tile's danger against its use")}

each with a default, the lowest and the highest value allowed, and its meaning.
"""
