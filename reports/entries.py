"""Entries of tables: numbers written as people read them, with the number itself beside."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reports.model import NOTHING, Column, Entry
from sim.statistics.tables import MINUS, show_signed

if TYPE_CHECKING:
    from sim.ladder.measures import Interval
    from sim.statistics.effects import Effect
    from sim.statistics.estimate import Estimate


def text(value: object, *, is_marked: bool = False) -> Entry:
    """Write a text.

    Parameters
    ----------
    value
        What to write.
    is_marked
        Whether it stands out.
    """
    return Entry(str(value), is_marked=is_marked)


def whole(value: int | None) -> Entry:
    """Write a whole number.

    Parameters
    ----------
    value
        The number; None if there is none.
    """
    return Entry(NOTHING) if value is None else Entry(f"{value:,}", float(value))


def number(value: float | None, digits: int = 3, *, is_signed: bool = False) -> Entry:
    """Write a number.

    Parameters
    ----------
    value
        The number; None if there is none.
    digits
        Digits after the point.
    is_signed
        Whether a sign stands before it.
    """
    if value is None:
        return Entry(NOTHING)
    shown = f"{abs(value):,.{digits}f}"
    if value < 0 or is_signed:
        sign = "" if not any(digit in shown for digit in "123456789") else MINUS if value < 0 else "+"
        shown = f"{sign}{shown}"
    return Entry(shown, value)


def share(value: float | None, digits: int = 1) -> Entry:
    """Write a share as a percentage.

    Parameters
    ----------
    value
        The share; None if there is none.
    digits
        Digits after the point.
    """
    return Entry(NOTHING) if value is None else Entry(f"{100 * value:.{digits}f}\N{NARROW NO-BREAK SPACE}%", value)


def interval(value: float | None, half_width: float | None, digits: int = 3, *, is_marked: bool = False) -> Entry:
    """Write a signed number with half of its interval.

    Parameters
    ----------
    value
        The number; None if there is none.
    half_width
        Half of its interval.
    digits
        Digits after the point.
    is_marked
        Whether it stands out.
    """
    if value is None:
        return Entry(NOTHING)
    width = NOTHING if half_width is None else f"{half_width:.{digits}f}"
    return Entry(f"{show_signed(value, digits)} ± {width}", value, half_width, is_marked=is_marked)


def share_interval(value: float | None, half_width: float | None) -> Entry:
    """Write a share as a percentage with half of its interval.

    Parameters
    ----------
    value
        The share; None if there is none.
    half_width
        Half of its interval.
    """
    if value is None:
        return Entry(NOTHING)
    width = NOTHING if half_width is None else f"{100 * half_width:.2f}"
    return Entry(f"{100 * value:.2f} ± {width}", value, half_width)


def estimate(of: Estimate | None) -> Entry:
    """Write an estimate with its interval.

    Parameters
    ----------
    of
        The estimate; None if there is none.
    """
    return Entry(NOTHING) if of is None else interval(of.value, of.half_width)


def effect(of: Effect | None) -> Entry:
    """Write a difference with its interval, marked if it is sure.

    Parameters
    ----------
    of
        The difference; None if there is none.
    """
    return Entry(NOTHING) if of is None else interval(of.value, of.half_width, is_marked=of.is_sure)


def measure(of: Interval | None, digits: int, *, is_signed: bool = False) -> Entry:
    """Write what was measured over replications, with half of its interval if there is one.

    Parameters
    ----------
    of
        What was measured; None if nothing was.
    digits
        Digits after the point.
    is_signed
        Whether a sign stands before it.
    """
    if of is None:
        return Entry(NOTHING)
    shown = number(of.value, digits, is_signed=is_signed).text
    if of.half_width is None:
        return Entry(shown, of.value)
    return Entry(f"{shown} ± {of.half_width:,.{digits}f}", of.value, of.half_width)


def chance(p: float | None) -> Entry:
    """Write a p-value.

    Parameters
    ----------
    p
        The p-value; None if there is none.
    """
    if p is None:
        return Entry(NOTHING)
    return Entry("< 0.001" if p < 0.001 else f"{p:.3f}", p)


def texts(*names: str) -> tuple[Column, ...]:
    """Give columns of texts."""
    return tuple(Column(name) for name in names)


def numbers(unit: str, *names: str) -> tuple[Column, ...]:
    """Give columns of numbers of one unit."""
    return tuple(Column(name, unit, is_number=True) for name in names)
