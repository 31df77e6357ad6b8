"""The tables of a preset: one frozen model per table, one documented field per knob.

What differs between two presets is a field here and nothing else. Each field says what the knob does, what its words
mean and which presets use which value (a test compares that tail with the preset files). `SETTLEMENT` marks the knobs
that only change how a finished deal is settled: the same decisions can be settled again under another value. `PLAY`
marks all others: those that change what is legal, who acts next, or what a player sees.

Not here: the whole preset (`model`), reading files (`load`), the engine's form of the rules (`compile`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

if TYPE_CHECKING:
    from pydantic.config import JsonDict

NONE: Final = "none"
"""The word for "off" in a preset file: TOML has no null."""

SETTLEMENT: Final[JsonDict] = {"settlement_only": True}
PLAY: Final[JsonDict] = {"settlement_only": False}

HIGHEST_FAN: Final = 28
"""Without a cap no hand may reach more fan than this, so that a deal's points fit the 32-bit columns of results: a seat
pays or receives at most three hand values."""


def _none_word(value: object) -> object:
    """Turn the word "none" into None; leave everything else to the field's own check."""
    return None if isinstance(value, str) and value == NONE else value


def _only_boolean(value: object) -> object:
    """Refuse 1 for true: they are equal in Python, and not in a file."""
    if not isinstance(value, bool):
        raise ValueError("must be true or false")  # noqa: TRY004 - the error that pydantic turns into its own
    return value


AlwaysTrue = Annotated[Literal[True], BeforeValidator(_only_boolean)]
AlwaysFalse = Annotated[Literal[False], BeforeValidator(_only_boolean)]
Points = Annotated[int, Field(ge=0, le=1000)]
PatternFan = Annotated[Annotated[int, Field(ge=0, le=10)] | None, BeforeValidator(_none_word)]
Cap = Annotated[Annotated[int, Field(ge=0, le=20)] | None, BeforeValidator(_none_word)]


class Table(BaseModel):
    """What all tables share: frozen, no unknown keys, no conversion between types."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Exchange(Table):
    """Three tiles for three tiles, before the void suit is chosen."""

    direction: Literal["none", "left", "across", "right", "random"] = Field(
        description="Where the exchanged tiles go: left (to the previous seat), across, right (to the next seat),"
        " random (one of these three, uniformly, for the whole table), none (no exchange)."
        " Presets: random (mahjong-planet, mahjongo), none (cardavia-sichuan).",
        json_schema_extra=PLAY,
    )
    count: Annotated[int, Field(ge=1, le=4)] = Field(
        description="How many tiles of one suit each player passes on; without effect when there is no exchange."
        " Presets: 3 (all).",
        json_schema_extra=PLAY,
    )


class VoidSuit(Table):
    """The suit that each player names and must be rid of."""

    discard_first: bool = Field(
        description="While a player holds a tile of the own void suit, the discard must be of that suit."
        " Presets: true (mahjong-planet, cardavia-sichuan), false (mahjongo).",
        json_schema_extra=PLAY,
    )
    blocks_calls: bool = Field(
        description="A player who is not cleared can make no pung and no kong of any kind. (Tiles of the own void suit"
        " can never be claimed or konged, and a player who is not cleared can never win, whatever this says.)"
        " Presets: true (all).",
        json_schema_extra=PLAY,
    )
    simultaneous: AlwaysTrue = Field(
        default=True,
        description="All four name their void suit at the same time, without seeing the others' choices."
        " Presets: true (all).",
        json_schema_extra=PLAY,
    )


class Win(Table):
    """Several winners on one tile, the price of a self-draw, and whose turn it is after a win."""

    multiple: bool = Field(
        description="Every player who can and wants to win on a discard or a robbed kong does so; false: only the"
        " nearest in turn order from the discarder. Presets: true (all).",
        json_schema_extra=PLAY,
    )
    self_draw: Literal["add_points", "add_fan", "none"] = Field(
        description="What a self-drawn win adds: add_points (each payer pays win.self_draw_points more), add_fan (one"
        " more fan, before the cap), none. Presets: add_points (all).",
        json_schema_extra=SETTLEMENT,
    )
    self_draw_points: Points = Field(
        description="Points that each payer of a self-drawn win pays on top of the hand value; without effect unless"
        " win.self_draw is add_points. Presets: 1 (all).",
        json_schema_extra=SETTLEMENT,
    )
    next_turn: Literal["after_last_winner", "after_discarder"] = Field(
        description="Who draws after a win: the next active seat after_last_winner (the winner farthest from the"
        " discarder in turn order) or after_discarder (the discarder or the robbed player; after a self-draw both are"
        " the same). Presets: after_last_winner (all).",
        json_schema_extra=PLAY,
    )


class Passing(Table):
    """What a player who passes up a claim is locked out of. Named `pass` in files, a reserved word in Python."""

    win_lock: Literal["until_next_draw", "none"] = Field(
        description="until_next_draw: who could win on a discard and does not can win on no discard and rob no kong"
        " until the own next draw (that passing up a robbery locks too is a choice of ours, stated nowhere); none: no"
        " lock. Presets: until_next_draw (mahjong-planet), none (mahjongo, cardavia-sichuan).",
        json_schema_extra=PLAY,
    )
    pung_lock: bool = Field(
        description="Who could pung a tile kind and does not cannot pung that kind until the own next draw."
        " Presets: true (mahjong-planet), false (mahjongo, cardavia-sichuan).",
        json_schema_extra=PLAY,
    )


class Kong(Table):
    """What a kong earns at once, what the others see of it, and how it goes on."""

    concealed: Points = Field(
        description="Points that each other active player pays for a concealed kong. Presets: 2 (all).",
        json_schema_extra=SETTLEMENT,
    )
    added: Points = Field(
        description="Points that each other active player pays for an added kong that is not robbed. Presets: 1 (all).",
        json_schema_extra=SETTLEMENT,
    )
    exposed: Points = Field(
        description="Points that the player whose discard was claimed pays for an exposed kong. Presets: 2 (all).",
        json_schema_extra=SETTLEMENT,
    )
    concealed_visible: bool = Field(
        description="The tile kind of a concealed kong is public; false: the others see only that there is one."
        " Presets: true (all).",
        json_schema_extra=PLAY,
    )
    transfer_on_kong_discard: bool = Field(
        description="On a win by kong_discard the discarder's income from that very kong goes to the winner (to each of"
        " several winners in full), also where kong_discard scores nothing. Presets: false (all).",
        json_schema_extra=SETTLEMENT,
    )
    replacement_from: Literal["back"] = Field(
        default="back",
        description="The end of the wall that kong replacements come from. Presets: back (all).",
        json_schema_extra=PLAY,
    )
    after_pung: AlwaysFalse = Field(
        default=False,
        description="Whether a concealed or added kong may be declared in the turn that claiming a pung opened."
        " Presets: false (all).",
        json_schema_extra=PLAY,
    )


class Ready(Table):
    """Which waits make a hand ready when the wall has run out."""

    fifth_copy: Literal["excluded"] = Field(
        default="excluded",
        description="A wait on a tile kind of which the player's own hand and melds hold all four copies is excluded."
        " Presets: excluded (all).",
        json_schema_extra=SETTLEMENT,
    )
    exhausted_wait: Literal["counts"] = Field(
        default="counts",
        description="A wait on a tile kind whose other copies are all visible elsewhere still counts."
        " Presets: counts (all).",
        json_schema_extra=SETTLEMENT,
    )


class Hand(Table):
    """What a winning hand may look like."""

    four_alike: Literal["two_pairs"] = Field(
        default="two_pairs",
        description="What four identical concealed tiles are in a seven-pairs hand. Presets: two_pairs (all).",
        json_schema_extra=PLAY,
    )


class Patterns(Table):
    """The fan of each pattern; none or absent: the pattern does not exist, which is not the same as 0."""

    root: PatternFan = Field(
        default=None,
        description="For each tile kind of which the hand, melds and winning tile together hold all four (a kong is one"
        " too). Presets: 1 (all).",
        json_schema_extra=SETTLEMENT,
    )
    all_pungs: PatternFan = Field(
        default=None,
        description="Four pungs or kongs and a pair. Presets: 1 (all).",
        json_schema_extra=SETTLEMENT,
    )
    all_pungs_258: PatternFan = Field(
        default=None,
        description="All pungs with every group and the pair of rank 2, 5 or 8; replaces all_pungs, also when worth 0."
        " Presets: none (mahjong-planet, mahjongo), 3 (cardavia-sichuan).",
        json_schema_extra=SETTLEMENT,
    )
    full_flush: PatternFan = Field(
        default=None,
        description="All tiles of one suit. Presets: 2 (all).",
        json_schema_extra=SETTLEMENT,
    )
    seven_pairs: PatternFan = Field(
        default=None,
        description="A hand of seven pairs. (It is a winning hand whatever this says.) Presets: 2 (all).",
        json_schema_extra=SETTLEMENT,
    )
    outside_hand: PatternFan = Field(
        default=None,
        description="A standard hand whose every group and pair contains a 1 or a 9."
        " Presets: none (mahjong-planet, mahjongo), 2 (cardavia-sichuan).",
        json_schema_extra=SETTLEMENT,
    )
    pair_wait: PatternFan = Field(
        default=None,
        description="A standard hand whose winning tile is in the pair: four groups were complete."
        " Presets: 1 (mahjong-planet, mahjongo), none (cardavia-sichuan).",
        json_schema_extra=SETTLEMENT,
    )
    golden_wait: PatternFan = Field(
        default=None,
        description="As pair_wait, with all four groups declared (a concealed kong is declared)."
        " Presets: none (mahjong-planet, mahjongo), 1 (cardavia-sichuan).",
        json_schema_extra=SETTLEMENT,
    )
    kong_draw: PatternFan = Field(
        default=None,
        description="A self-drawn win on a kong's replacement tile. Presets: 1 (all).",
        json_schema_extra=SETTLEMENT,
    )
    kong_discard: PatternFan = Field(
        default=None,
        description="A win on the discard that follows directly on a kong's replacement."
        " Presets: 1 (mahjong-planet, mahjongo), none (cardavia-sichuan).",
        json_schema_extra=SETTLEMENT,
    )
    rob_kong: PatternFan = Field(
        default=None,
        description="A win by robbing an added kong. (Robbing is legal whatever this says.) Presets: 1 (all).",
        json_schema_extra=SETTLEMENT,
    )
    last_tile: PatternFan = Field(
        default=None,
        description="A win with the wall empty: on the last tile drawn, or on a discard made after it."
        " Presets: 1 (all).",
        json_schema_extra=SETTLEMENT,
    )


class Fan(Table):
    """How patterns add up to a hand value, `2 ** min(fan, cap)`."""

    cap: Cap = Field(
        description="The most fan that count; none: no cap."
        " Presets: 3 (mahjong-planet, mahjongo), 5 (cardavia-sichuan).",
        json_schema_extra=SETTLEMENT,
    )
    root_in_runs: AlwaysTrue = Field(
        default=True,
        description="A pung and the fourth copy inside a run are a root too. Presets: true (all).",
        json_schema_extra=SETTLEMENT,
    )
    patterns: Patterns = Patterns()

    @model_validator(mode="after")
    def _check_highest_fan(self) -> Self:
        """Refuse a table without a cap whose highest hand would be absurd."""
        highest = highest_fan(self.patterns)
        if self.cap is None and highest > HIGHEST_FAN:
            raise ValueError(
                f"without a cap the patterns could reach {highest} fan (four roots, one of each other pattern and a"
                f" self-draw); allowed: at most {HIGHEST_FAN}; set fan.cap, or lower fan.patterns"
            )
        return self


def highest_fan(patterns: Patterns) -> int:
    """Give a bound on the fan of any hand: four roots, one of each other pattern, and the self-draw's extra fan.

    Parameters
    ----------
    patterns
        The fan of each pattern.

    Returns
    -------
    int
        The bound, in fan, before the cap.
    """
    fans = {name: getattr(patterns, name) or 0 for name in Patterns.model_fields}
    return sum(fans.values()) + 3 * fans["root"] + 1


class Exhaustion(Table):
    """What is paid when the wall has run out."""

    flower_pig: Annotated[int, Field(ge=0, le=10_000)] = Field(
        description="Points that a flower pig pays to each recipient."
        " Presets: 8 (mahjong-planet, mahjongo), 32 (cardavia-sichuan).",
        json_schema_extra=SETTLEMENT,
    )
    flower_pig_to: Literal["remaining_cleared", "all_non_pigs", "remaining_ready"] = Field(
        description="Who receives it: remaining_cleared (remaining players who are cleared), all_non_pigs (earlier"
        " winners too), remaining_ready (remaining players who are ready)."
        " Presets: remaining_cleared (mahjong-planet, mahjongo), all_non_pigs (cardavia-sichuan).",
        json_schema_extra=SETTLEMENT,
    )
    not_ready: Literal["highest_value", "none"] = Field(
        description="What a cleared player who is not ready pays each ready remaining player: highest_value (that"
        " player's highest structural hand value over all waits) or none. Presets: highest_value (all).",
        json_schema_extra=SETTLEMENT,
    )
    kong_refund: bool = Field(
        description="A remaining player who is not ready, pigs included, returns every kong income of the deal."
        " Presets: true (all).",
        json_schema_extra=SETTLEMENT,
    )
    refund_to: Literal["original_payers"] = Field(
        default="original_payers",
        description="Who gets a kong refund. Presets: original_payers (all).",
        json_schema_extra=SETTLEMENT,
    )
    refund_earlier_winners: AlwaysTrue = Field(
        default=True,
        description="A payer who has won since gets the refund too. Presets: true (all).",
        json_schema_extra=SETTLEMENT,
    )


class TableFormat(Table):
    """How many deals are ranked together, and how equal points are placed."""

    format: Literal["one_deal", "rounds"] = Field(
        description="What is ranked: one_deal, or the total of several rounds of four deals, the deal passing to the"
        " next seat each time. Of no effect on runs, where every deal stands for itself. Presets: one_deal (all).",
        json_schema_extra=PLAY,
    )
    rounds: Annotated[int, Field(ge=1, le=100)] = Field(
        description="Rounds of four deals; without effect unless table.format is rounds. Presets: 4 (all).",
        json_schema_extra=PLAY,
    )
    ties: Literal["shared"] = Field(
        default="shared",
        description="Equal points share a place. Presets: shared (all).",
        json_schema_extra=PLAY,
    )
