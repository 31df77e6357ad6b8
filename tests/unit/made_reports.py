"""A report with one of everything, and names that try to break out."""

from __future__ import annotations

from reports.entries import interval, numbers, share, text, texts
from reports.figures import Label, Mark, forest, heat_map, stacked
from reports.lines import distribution, ribbons
from reports.model import Choice, Entry, Figure, Report, Section, Table

BROKEN = "<script>document.title='broken'</script>"


def made_report() -> Report:
    names = ["b", BROKEN, "血战", "z$x_1$ & co"]
    values = [0.25, -1.5, None, 10.0]
    table = Table(
        "points",
        "Points",
        (*texts("who"), *numbers("points per deal", "points"), *numbers("share", "wins")),
        tuple(
            (text(name), interval(value, 0.1, is_marked=value == 10.0), share(0.5))
            for name, value in zip(names, values, strict=True)
        ),
        "A note.",
    )
    behind = Table("forest-data", "Behind", texts("row"), tuple((text(name),) for name in names))
    marks = [
        (Label(name, "a heading"), [Mark(value, 0.1, is_sure=True), Mark(value, None)])
        for name, value in zip(names, values, strict=True)
    ]
    shown = Figure("forest-a", "A forest", "What is seen.", forest(marks, ["settled", "played"], "points"), behind)
    other = Figure("forest-b", "Another", "What is seen.", forest(marks[:2], ["played", "x"], "points"), None)
    bars = Figure(
        "bars",
        "Bars",
        "What is seen.",
        stacked([*map(Label, names)], [("up", [1, 2, 3, 4]), ("down", [-1, 0, -2, -3])], "points"),
    )
    field = [[Mark(0.5, 0.1, is_sure=True), Mark(-0.2, 0.3)], [Mark(None, None), Mark(0.0, 0.0)]]
    heat = Figure(
        "heat",
        "Heat",
        "What is seen.",
        heat_map(["2", "none"], ["left", BROKEN], field, ("cap", "way"), reference=(1, 0)),
    )
    spread = Figure(
        "spread",
        "Spread",
        "What is seen.",
        distribution([-8, 0, 8], [("a", [0.2, 0.6, 0.2]), ("b", [0, 1, 0])], "points"),
    )
    quantiles = [[1400, 1450, 1500, 1550, 1600], [1300, 1400, 1500, 1600, 1700]]
    lines = Figure(
        "lines",
        "Lines",
        "What is seen.",
        ribbons([("a", [0, 1], quantiles), ("b", [0, 2], quantiles)], ("days", "rating")),
    )
    return Report(
        title=f"A report of {BROKEN} & 血战",
        kind="run",
        facts=[("Run", BROKEN), ("Deals", "1,000")],
        warnings=["This run is not finished."],
        verdicts=[f"{BROKEN} gains +0.25 ± 0.10 points per deal."],
        sections=[
            Section(
                "effects",
                "Effects",
                (
                    "A paragraph with <b>no</b> markup.",
                    Choice("reference", "compared with", (("a", shown), (BROKEN, other))),
                ),
            ),
            Section("rest", "The rest", (bars, heat, spread, lines, table)),
            Section(
                "links",
                "Links",
                (Table("worst", "Worst deals", texts("deal"), ((Entry("0.1.2", link="deals/0.1.2.html"),),)),),
            ),
        ],
        commands=["bloodbattle report runs/x"],
        checks=[("plan", "0" * 64)],
    )
