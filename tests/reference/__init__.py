"""The reference engine: a slow, obvious referee written from the rules of play alone.

Nothing here may read or import `sim.engine` or `strategies`: its worth is that it was not derived from them. The only
thing it shares with the product are the validated preset models of `sim.rules`.

- `records`: the words the referee answers in (decisions, events, ledger lines, outcomes)
- `hands`: readings, waits, shanten and useful tiles by plain recursion
- `fan`: patterns of a reading, the best reading, hand values
- `wall`: the two wall modes
- `table`: who holds what and may do what
- `referee`: one deal from the exchange to the end; `exhaustion`: what is paid when the wall runs out
- `faults`: everything that could be wrong with a referee's state, and an audit of a finished deal
- `players`, `scripts`, `presets`: players, stacked walls and presets for tests
"""
