"""Golden cases: the rules of play, sentence by sentence, as hands and deals that a mahjong player can read.

Every case stands in a TOML file and runs against both engines, the fast one and the reference referee. `sentences.toml`
numbers the sentences of the rules; a test asks that each has a case.

Common keys of a case
    ``name`` (unique), ``rule`` ("KEY: the sentence, shortened", or a list of such), ``preset`` (one or a list; each is
    played), ``set`` (knobs over the preset: ``{ "fan.cap" = 5 }``).

Hands (``hands-*.toml``)
    ``hand`` (13 tiles less three a meld), ``melds`` ("pung 5p", "concealed kong 5p", "exposed kong 5p", "added kong
    5p"), ``void`` (the void suit; may be left out if one suit is not held at all), ``win`` (a tile, or "dealt" for a
    dealer's fourteen), ``self_draw`` and ``situation`` (a list of kong_draw, kong_discard, rob_kong, last_tile).
    Expected, as many as are given: ``ready``, ``waits`` ("147m"), ``complete``, ``patterns`` (fan of each), ``fan``
    (before the cap), ``value``, ``highest_value`` (over all waits, 0 if not ready).

Deals (``deals-*.toml``)
    ``hands`` (four; seat 0 is the dealer and has 14 tiles; ``*`` at the end fills a hand up with scattered tiles of all
    suits, so that it is not cleared whatever its void suit is), ``void`` ("psss", or named in the moves), ``draws``
    (first tiles of the wall), ``replacements`` (from its back, the first written one drawn first), ``last`` (what lies
    before the replacements: the last tiles drawn, if there are as many kongs as replacements are written). With
    ``wall_mode = "per_seat"`` there are ``queues`` instead: four texts, ``...`` between the first tiles and the last
    ones of a queue. All other tiles lie in the wall in ascending order. A deal is played without an exchange, unless
    there is ``exchange`` (four picks, or "moves") and, where the preset draws the direction, ``direction``.
    ``moves`` are lines, or parts between semicolons; ``#`` begins a comment:

    - answers: ``0 discards 5p``, ``0 kongs 7m``, ``1 pungs``, ``2 wins``, ``3 passes``, ``0 gives 123m``,
      ``0 names p``, and ``others pass``
    - ``play on``: everybody throws what was drawn (the first legal tile where that is not allowed) and passes on
      everything, to the end, or ``play on until`` followed by ``2 is to move``, ``the wall is empty`` or
      ``5 tiles are left``
    - checks: ``asked to claim: 1, 2`` (or rob, move, name, exchange), ``2 may win, kong 5p, pung, pass``
      (these and no others; ``discard 123m`` in a turn), ``2 may not win``, ``1 drew 5p``, ``0 replaced 5p``,
      ``1 holds 123m``, ``1 shows pung 5p`` (or nothing), ``others see concealed kong 7m of 0`` (``?`` for a hidden
      kind), ``points -1 1 0 0``, ``54 tiles left``, ``void suits hidden``, ``void suits p s s s``, ``the deal is over``

    Expected: ``payments`` ("discard_win 4: 0 -> 1", "concealed_kong 2: 1, 2, 3 -> 0"; all of them, in the order of
    their causes), ``points``, ``wins`` (in order, each a table of ``seat``, ``by``, ``tile``, ``from``, ``patterns``,
    ``value``), ``statuses``, ``kongs`` ("0 concealed 7m", in order).
"""
