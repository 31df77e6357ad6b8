"""Habits with intervals: counted block by block, a block being one wall with all its seatings.

Not in here: what is counted (`sim.statistics.habits`).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from sim.statistics.estimate import CONFIDENCE, Estimate, estimate_ratio
from sim.statistics.habits import Habits, Ratio

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass
class HabitBlocks:
    """What a strategy does, over all blocks, with the sums that intervals are made of: whole numbers."""

    blocks: int = 0
    """Blocks added."""
    habits: Habits = field(default_factory=Habits)
    """What was counted in all of them."""
    sums: dict[Ratio, list[int]] = field(default_factory=dict)
    """For each ratio Σx, Σy, Σx², Σxy and Σy² over the blocks."""

    def add(self, block: Habits) -> None:
        """Add a block.

        Parameters
        ----------
        block
            What was counted in all deals of one wall.
        """
        self.blocks += 1
        self.habits.merge(block)
        for name, one, other in block.ratios():
            sums = self.sums.setdefault(name, [0] * 5)
            for place, number in enumerate((one, other, one * one, one * other, other * other)):
                sums[place] += number

    def estimate(self, *name: str) -> Estimate:
        """Estimate a ratio; without an interval where all blocks are alike, as with nothing counted at all.

        Parameters
        ----------
        name
            As `Habits.ratios` gives it; words at the end that are empty may be left out.
        """
        what, one_word, other_word = (*name, "", "")[:3]
        one, other, one_one, one_other, other_other = self.sums[what, one_word, other_word]
        found = estimate_ratio(self.blocks, one, other, one_one=one_one, one_other=one_other, other_other=other_other)
        return found if found.half_width else replace(found, half_width=None)

    def bounds(self, *name: str) -> tuple[float, float] | None:
        """Give the 95 % interval of Clopper and Pearson (1934) of a share that is 0 or 1, which walls tell nothing of.

        It takes what is counted, such as discards, as independent, which those of one wall are not quite: it is rather
        too narrow.

        Parameters
        ----------
        name
            As in `estimate`.

        Returns
        -------
        tuple of float or None
            Lower and upper end; None where there is another interval, nothing was counted, or it is no share.
        """
        found = self.estimate(*name)
        if name[0] == "cost" or name[:2] == ("void suit", "held") or not found.denominator:
            return None
        if found.numerator not in (0, found.denominator):
            return None
        from statsmodels.stats.proportion import proportion_confint  # noqa: PLC0415 - takes a second to load

        low, high = proportion_confint(found.numerator, found.denominator, alpha=1 - CONFIDENCE, method="beta")
        return float(low), float(high)

    def riskiest(self, group: str, labels: Sequence[str], least: int) -> list[tuple[str, Estimate]]:
        """Order classes of discards by how many of them were won on, the riskiest first.

        Parameters
        ----------
        group, labels
            The classes.
        least
            Classes with fewer discards are left out.
        """
        found = [(label, self.estimate("rate", group, label)) for label in labels]
        kept = [item for item in found if item[1].denominator >= least]
        return sorted(kept, key=lambda item: -item[1].numerator / item[1].denominator)
