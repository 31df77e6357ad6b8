"""Many comparisons at once: p-values adjusted by Holm's method or by that of Benjamini and Hochberg.

Holm keeps the chance of even one false alarm among a short list of comparisons below 5 %. Benjamini-Hochberg keeps the
expected share of false alarms among all that are called sure below 5 %, which is what a table of hundreds needs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

METHODS: Final[Mapping[str, str]] = {"holm": "holm", "benjamini-hochberg": "fdr_bh"}
"""What we call a method, and what statsmodels calls it."""


def adjust(ps: Sequence[float], method: str) -> list[float]:
    """Adjust p-values.

    Parameters
    ----------
    ps
        The p-values of all comparisons that belong together.
    method
        One of `METHODS`.

    Returns
    -------
    list of float
        In the same order.

    Examples
    --------
    >>> adjust([0.01, 0.04], "holm")
    [0.02, 0.04]
    """
    if not ps:
        return []
    from statsmodels.stats.multitest import multipletests  # noqa: PLC0415 - takes a second to load

    return [float(p) for p in multipletests(list(ps), method=METHODS[method])[1]]
