"""The one family of errors that bloodbattle shows to people.

Each message says what is wrong, what came, where, what is allowed, and what to try. Whatever is raised outside this
family is a defect of ours. Kernels never raise: they return status values, and the edges turn those into these.
"""

from __future__ import annotations


class BloodBattleError(Exception):
    """Base of everything that is shown to a person as one clear message, without a traceback."""

    exit_code = 1
    place: tuple[int, int] | None = None
    """Which of the deals asked for it stopped, where that is known: index of the wall and of the seating."""


class ConfigError(BloodBattleError):
    """A preset, an experiment file or an option is wrong."""

    exit_code = 2


class NotationError(BloodBattleError):
    """A text that should name tiles does not."""

    exit_code = 2


class IllegalActionError(BloodBattleError):
    """A strategy or a deal file chose what the rules do not allow."""

    exit_code = 3


class StrategyError(BloodBattleError):
    """A strategy cannot be found, loaded or run."""

    exit_code = 3


class ResultsError(BloodBattleError):
    """A run folder is missing, damaged, or does not belong to this plan."""

    exit_code = 4


class InvariantError(BloodBattleError):
    """The engine contradicts itself: always a defect of ours."""

    exit_code = 5
