"""What strategies of tests leave here for the test to read."""

import random

SAID: list[object] = []
PASSED = [0.0]
"""Seconds that have passed."""


def draw() -> float:
    """Draw a number that no seed of a run reaches."""
    return random.random()
