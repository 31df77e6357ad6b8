"""What must hold for every hand, deal and strategy, and strategies made to break it.

Hypothesis draws presets, players and walls, always the same ones. Properties of notation, of single steps of the
shanten and of waits stand with their modules in `tests/unit` (`test_tiles`, `test_hands_shanten`, `test_hands_waits`).
"""
