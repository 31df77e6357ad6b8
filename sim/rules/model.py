"""The whole preset: a name, where it comes from, its tables of knobs, and which knobs are assumed.

`preset.fan.cap` is the knob `fan.cap`; only the table `pass` has another name in Python, `passing`. A preset never
changes; `load` makes another one from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field, StrictStr, field_validator

from sim.rules.tables import (
    NONE,
    Exchange,
    Exhaustion,
    Fan,
    Hand,
    Kong,
    Passing,
    Patterns,
    Ready,
    TableFormat,
    VoidSuit,
    Win,
)

__all__ = [
    "Exchange",
    "Exhaustion",
    "Fan",
    "Hand",
    "Kong",
    "Passing",
    "Patterns",
    "Preset",
    "Ready",
    "TableFormat",
    "VoidSuit",
    "Win",
]

NAME_PATTERN: Final = r"^[^\W_]([\w. -]{0,78}[\w.-])?$"
"""Names of presets and experiments; letters of any script. Python's `re` and pydantic read it alike."""
NAME_WORDS: Final = (
    "at most 80 letters of any script, digits, blanks, '.', '_' and '-', beginning with a letter or a digit, no blank"
    " at the end"
)
"""The same in words."""


class Preset(BaseModel):
    """One set of rules, every knob of it given.

    `Preset.model_validate` takes the tables as they stand in a file (`pass`, the word "none" for off) and raises
    pydantic's own error; people get their messages from `sim.rules.load_preset`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Annotated[StrictStr, Field(pattern=NAME_PATTERN)]
    title: StrictStr = ""
    source: StrictStr = ""
    assumed: tuple[StrictStr, ...] = ()

    exchange: Exchange
    void_suit: VoidSuit
    win: Win
    passing: Passing = Field(alias="pass")
    kong: Kong
    ready: Ready = Ready()
    hand: Hand = Hand()
    fan: Fan
    exhaustion: Exhaustion
    table: TableFormat

    @field_validator("assumed", mode="after")
    @classmethod
    def _expand_assumed(cls, entries: tuple[str, ...]) -> tuple[str, ...]:
        """Write tables out as their knobs, in the order of the knobs, each once."""
        from sim.rules.knobs import expand_entries  # noqa: PLC0415 - knobs are derived from this very class

        return expand_entries(entries)

    def to_dict(self) -> dict[str, Any]:
        """Give the preset as nested tables, as a file would have them: every knob, "none" for off.

        Returns
        -------
        dict
            `Preset.model_validate` makes an equal preset of it.
        """
        found: dict[str, Any] = _with_none_words(self.model_dump(by_alias=True))
        found["assumed"] = list(self.assumed)
        return found

    def to_toml(self) -> str:
        """Give the preset as the text of a preset file, every knob explicit.

        Returns
        -------
        str
            TOML that loads as an equal preset.
        """
        from sim.rules.dump import dump_toml  # noqa: PLC0415 - only needed here

        return dump_toml(self.to_dict())

    def is_assumed(self, key: str) -> bool:
        """Tell whether a knob's value is a choice of ours where its document is silent.

        Parameters
        ----------
        key
            A knob, such as "fan.cap".
        """
        return key in self.assumed


def _with_none_words(table: Mapping[str, Any]) -> dict[str, Any]:
    """Copy nested tables with None written as the word "none"."""
    return {
        key: _with_none_words(value) if isinstance(value, Mapping) else NONE if value is None else value
        for key, value in table.items()
    }
