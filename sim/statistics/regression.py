"""Regression on a design: main effects, two-way interactions and slopes of knobs, with errors clustered by wall.

All cells of a family play the same walls, so ordinary least squares on the blocks gives coefficients that are linear
contrasts of the cells' means (the rows of the design matrix's pseudo-inverse), and a wall's share in a coefficient's
error is that contrast of its own blocks. The cluster-robust variance is then the contrast of the means' covariance,
which comes from whole-number sums: no row is read. It is that of ``statsmodels`` with ``cov_type="cluster"``, without
the part (N - 1) / (N - K) of its small-sample factor, and with t quantiles of walls - 1.

Two models:

- ``factorial``: every combination of the knobs' levels is a cell. The *main effect* of a level is the mean over all
  levels of the other knobs of (this level less the first one: the reference's, or where the reference lies outside the
  grid the first level listed; the term's name says which); the *interaction* of two levels is how much
  more they do together than the sum of both alone, again a mean over all other knobs. These are the coefficients of the
  models with main effects only, and with all two-way interactions.
- ``linear``: any other design, such as a latin hypercube. One slope for each knob whose values are all numbers (points
  per step of 1), one coefficient for each word (or ``none``, true, false) against the reference's; no interactions.
  What the design cannot tell apart is left out and named. As the cells are a sample of all settings and straight lines
  do not fit them exactly, a coefficient also has the error of ordinary least squares over the cells, s²·(X'X)⁻¹ with
  s² the residuals' square sum over (cells - coefficients); the wider interval of the two counts. Without a cell to
  spare there is none.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import combinations
from math import prod
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np

from sim.statistics.difference import p_value
from sim.statistics.estimate import round_off, t_quantile
from sim.statistics.family import contrast_of, levels_of, setting_texts
from sim.statistics.multiple import adjust

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy.typing as npt
    import polars as pl

    from sim.statistics.family import Contrast, Family, Unit
    from sim.tournament.plan import Cell

Model = Literal["factorial", "linear"]
Kind = Literal["main", "interaction", "slope"]
_NOTHING: Final = 1e-12
"""What is smaller than this part of the numbers that it is made of is a rounding error."""


@dataclass(frozen=True)
class Term:
    """One coefficient: what it is called, and how the cells' means make it."""

    kind: Kind
    """A main effect, an interaction, or a slope."""
    name: str
    """``fan.cap=5 less 3``, ``exchange.direction=left less none * fan.cap=5 less 3``, or for a slope the knob."""
    weights: tuple[float, ...]
    """What the mean of each cell is multiplied by, in the order of `Regression.cells`."""


@dataclass(frozen=True)
class Coefficient:
    """A term, estimated for one unit."""

    term: Term
    """The term."""
    unit: Unit
    """Whose points."""
    estimate: Contrast
    """Points per deal (a slope: for a step of 1), with half-width and p-value."""
    p_adjusted: float | None
    """By Benjamini and Hochberg, over all coefficients of the regression."""


@dataclass(frozen=True)
class Regression:
    """A model of a family's points."""

    model: Model
    """factorial or linear."""
    cells: tuple[Cell, ...]
    """The cells that it is made of."""
    terms: tuple[Term, ...]
    """Its terms."""
    left_out: tuple[str, ...]
    """Terms that the design cannot tell from others."""
    coefficients: tuple[Coefficient, ...]
    """Every term for every unit."""
    explained: tuple[tuple[Unit, float | None], ...] = ()
    """Linear: for each unit the share of the variance of the cells' means that the model explains; None where they do
    not vary."""


def regress(family: Family, units: Sequence[Unit] | None = None) -> Regression | None:
    """Fit the model that a family's design allows.

    Parameters
    ----------
    family
        The family.
    units
        Whose points; the family's main units when absent.

    Returns
    -------
    Regression or None
        None if fewer than two knobs vary, or the cells do not suffice for one.

    Raises
    ------
    ResultsError
        The run does not keep what is needed: the family is too large.
    """
    if len(family.varying) < 2:
        return None
    cells = _factorial_cells(family)
    model: Model = "factorial" if cells else "linear"
    cells = cells or family.cells
    left_out: list[str] = []
    matrix = None
    if model == "factorial":
        terms = list(_factorial_terms(family, cells))
    else:
        terms, left_out, matrix = _linear_terms(family)
    if not terms:
        return None
    places = [family.cells.index(cell) for cell in cells]
    found: list[tuple[Term, Unit, Contrast]] = []
    explained: list[tuple[Unit, float | None]] = []
    for unit in family.main_units if units is None else units:
        means, covariance = family.moments(unit)
        part = covariance[np.ix_(places, places)]
        estimates = [contrast_of(np.array(term.weights), means[places], part, family.walls) for term in terms]
        if matrix is not None:
            fit = Fit(matrix, means[places])
            estimates = [
                fit.widen(estimate, np.array(term.weights)) for term, estimate in zip(terms, estimates, strict=True)
            ]
            explained.append((unit, fit.explained))
        found += [(term, unit, estimate) for term, estimate in zip(terms, estimates, strict=True)]
    tested = [place for place, (_, _, estimate) in enumerate(found) if estimate.p is not None]
    adjusted = dict(
        zip(tested, adjust([p for _, _, e in found if (p := e.p) is not None], "benjamini-hochberg"), strict=True)
    )
    coefficients = tuple(Coefficient(*one, adjusted.get(place)) for place, one in enumerate(found))
    return Regression(model, cells, tuple(terms), tuple(left_out), coefficients, tuple(explained))


class Fit:
    """What a linear model leaves of the cells' means.

    Parameters
    ----------
    matrix : float64, shape (cells, coefficients)
        The design matrix, its columns independent.
    means : float64, shape (cells,)
        The cells' means.
    """

    def __init__(self, matrix: npt.NDArray[np.float64], means: npt.NDArray[np.float64]) -> None:
        rest = means - matrix @ np.linalg.lstsq(matrix, means)[0]
        far = means - means.mean()
        self._left, whole = float(rest @ rest), float(far @ far)
        self._freedom = matrix.shape[0] - matrix.shape[1]
        self._size = float(np.abs(means).sum())
        self.explained = 1 - self._left / whole if whole > (_NOTHING * self._size) ** 2 else None
        """Share of the variance of the means that the model explains."""

    def widen(self, estimate: Contrast, weights: npt.NDArray[np.float64]) -> Contrast:
        """Give a coefficient the error over the cells, if that is the wider one.

        Parameters
        ----------
        estimate
            The coefficient, with its error over walls.
        weights : float64, shape (cells,)
            What makes it of the means: a row of the matrix's pseudo-inverse.
        """
        if self._freedom < 1:
            return replace(estimate, half_width=None, p=None)
        error = math.sqrt(self._left / self._freedom * float(weights @ weights))
        if estimate.half_width is None or error <= _NOTHING * self._size:
            return estimate
        width = t_quantile(self._freedom) * error
        if width <= estimate.half_width:
            return estimate
        return replace(estimate, half_width=width, p=p_value(estimate.value / error, self._freedom))


def _factorial_cells(family: Family) -> tuple[Cell, ...]:
    """Find the cells of a full factorial: all of them, or all but a reference that lies outside; else none."""
    for cells in (family.cells, family.others):
        levels = [{_text(family, cell, key) for cell in cells} for key in family.varying]
        different = {tuple(_text(family, cell, key) for key in family.varying) for cell in cells}
        full = prod(len(values) for values in levels)
        if len(cells) == len(different) == full and sum(len(values) > 1 for values in levels) >= 2:
            return cells
    return ()


def _text(family: Family, cell: Cell, key: str) -> str:
    """Write the level of a knob in a cell."""
    return next(setting_texts({key: family.knobs_of(cell)[key]}))


def _levels(family: Family, cells: Sequence[Cell], key: str) -> list[str]:
    """List the levels that a knob has in some cells, the reference's first if it is among them."""
    here = {_text(family, cell, key) for cell in cells}
    return [text for value in levels_of(family, key) if (text := next(setting_texts({key: value}))) in here]


def _factorial_terms(family: Family, cells: Sequence[Cell]) -> Iterator[Term]:
    """List main effects and two-way interactions of a full factorial."""
    keys = [key for key in family.varying if len(_levels(family, cells, key)) > 1]
    has = {
        text: np.array([float(_text(family, cell, key) == text) for cell in cells])
        for key in keys
        for text in _levels(family, cells, key)
    }
    for key in keys:
        first, *others = _levels(family, cells, key)
        for text in others:
            weights = has[text] / has[text].sum() - has[first] / has[first].sum()
            yield Term("main", _against(text, first), tuple(weights.tolist()))
    for one, other in combinations(keys, 2):
        first, *rest = _levels(family, cells, one)
        second, *more = _levels(family, cells, other)
        for a in rest:
            for b in more:
                corners = ((a, b, 1), (a, second, -1), (first, b, -1), (first, second, 1))
                parts = [sign * (has[x] * has[y]) / (has[x] * has[y]).sum() for x, y, sign in corners]
                name = f"{_against(a, first)} * {_against(b, second)}"
                yield Term("interaction", name, tuple(np.sum(parts, axis=0).tolist()))


def _against(text: str, first: str) -> str:
    """Name a level and the one that it is compared with: ``fan.cap=5 less 3``."""
    return f"{text} less {first.partition('=')[2]}"


def _linear_terms(family: Family) -> tuple[list[Term], list[str], npt.NDArray[np.float64]]:
    """List slopes and levels of a design that is no full factorial, what it cannot tell apart, and its matrix."""
    columns: list[tuple[Kind, str, npt.NDArray[np.float64]]] = []
    for key in family.varying:
        values = [family.knobs_of(cell)[key] for cell in family.cells]
        if all(_is_number(value) for value in values):
            columns.append(("slope", key, np.array(values, dtype=float)))
        else:
            first, *others = _levels(family, family.cells, key)
            for text in others:
                level = np.array([float(_text(family, cell, key) == text) for cell in family.cells])
                columns.append(("main", _against(text, first), level))
    kept = [np.ones(len(family.cells))]
    names: list[tuple[Kind, str]] = []
    left_out = []
    for kind, name, column in columns:
        scale = float(np.abs(column).max()) or 1.0
        if np.linalg.matrix_rank(np.column_stack([*kept, column / scale])) > len(kept):
            kept.append(column)
            names.append((kind, name))
        else:
            left_out.append(name)
    matrix = np.column_stack(kept)
    weights = np.linalg.pinv(matrix)[1:]
    terms = [Term(kind, name, tuple(row.tolist())) for (kind, name), row in zip(names, weights, strict=True)]
    return terms, left_out, matrix


def _is_number(value: Any) -> bool:
    """Tell a number from a word and from true and false."""
    return isinstance(value, int) and not isinstance(value, bool)


def to_records(family: Family, regression: Regression) -> list[dict[str, Any]]:
    """Give the coefficients of a family as flat records, numbers cut to twelve digits.

    Parameters
    ----------
    family
        The family.
    regression
        Its regression.
    """
    return [
        {
            "base": family.base,
            "line_up": family.line_up,
            "model": regression.model,
            "kind": one.term.kind,
            "term": one.term.name,
            "who": one.unit.who,
            "name": one.unit.name,
            "value": round_off(one.estimate.value),
            "half_width": round_off(one.estimate.half_width),
            "p": round_off(one.estimate.p),
            "p_adjusted": round_off(one.p_adjusted),
        }
        for one in regression.coefficients
    ]


def to_frame(families: Sequence[Family]) -> pl.DataFrame:
    """Give the regressions of families as one frame, a row for each coefficient and unit.

    Parameters
    ----------
    families
        The families; one without a regression has no rows.

    Returns
    -------
    polars.DataFrame
        Columns base, line_up, model, kind, term, who, name (text), value, half_width (points per deal; a slope: for a
        step of 1), p, p_adjusted.

    Raises
    ------
    ResultsError
        The run does not keep what is needed: a family is too large.
    """
    import polars as pl  # noqa: PLC0415 - only needed here

    fitted = [(family, found) for family in families if (found := regress(family)) is not None]
    records = [record for family, found in fitted for record in to_records(family, found)]
    texts = ("base", "line_up", "model", "kind", "term", "who", "name")
    schema = {
        **dict.fromkeys(texts, pl.String),
        **dict.fromkeys(("value", "half_width", "p", "p_adjusted"), pl.Float64),
    }
    return pl.DataFrame(records, schema=schema)
