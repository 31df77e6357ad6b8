"""Reports as pages and as files: the same each time, nothing from elsewhere, everything escaped."""

from __future__ import annotations

import csv
import re
from xml.etree import ElementTree as ET

import pytest

from reports.drawing import draw_svg
from reports.entries import numbers, texts
from reports.figures import Label, Mark, forest, heat_map, stacked
from reports.files import show_csv, show_latex, show_markdown, write_files
from reports.html import show_report
from reports.lines import curves, distribution, ribbons
from reports.model import Figure, Table
from sim.errors import ResultsError
from tests.unit.made_reports import BROKEN, made_report


def test_the_same_report_gives_the_same_page():
    assert show_report(made_report()) == show_report(made_report())


def test_a_page_needs_nothing_from_elsewhere():
    page = show_report(made_report())
    addresses = re.findall(r"(?:src|href)=[\"']([^\"']*)", page)
    assert all(address.startswith(("#", "data:", "deals/")) for address in addresses)
    assert "@import" not in page
    assert "<?xml" not in page


def test_names_cannot_break_out_of_a_page():
    page = show_report(made_report())
    assert BROKEN not in page
    assert page.count("<script") == page.count("</script>")
    assert "<b>no</b>" not in page
    assert "血战" in page


def test_figures_are_named_and_take_the_colours_of_the_page():
    page = show_report(made_report())
    drawings = re.findall(r"<svg role=\"img\".*?</svg>", page, re.DOTALL)
    assert len(drawings) == 2 * len(made_report().figures()) == 12  # for a page and for a telephone
    for drawing in drawings:
        assert re.search(
            r"<title id=\"[\w-]+-title\">[^<]+</title><desc id=\"[\w-]+-description\">[^<]+</desc>", drawing
        )
        assert "var(--text)" in drawing
        assert not re.search(r"#0[0-9a-b]0[0-9a-b]0[0-9a-b]\b", drawing)
    identities = re.findall(r'\bid="([^"]+)"', page)
    assert len(identities) == len(set(identities))


def test_files(tmp_path):
    written = write_files(made_report(), tmp_path / "report")
    names = {path.relative_to(tmp_path / "report").as_posix() for path in written}
    assert {"report.md", "figures/bars.svg", "figures/bars.png", "tables/points.csv", "tables/points.tex"} <= names
    again = write_files(made_report(), tmp_path / "again")
    for one, other in zip(written, again, strict=True):
        assert one.read_bytes() == other.read_bytes()
    assert (tmp_path / "report" / "figures" / "bars.png").read_bytes().startswith(b"\x89PNG")


def test_a_folder_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(ResultsError, match="cannot be written"):
        write_files(made_report(), tmp_path / "file" / "files")


def test_csv_has_the_numbers_themselves():
    table = next(table for table in made_report().tables() if table.key == "points")
    rows = list(csv.reader(show_csv(table).splitlines()))
    points = "points (points per deal)"
    assert rows[0] == ["who", points, f"{points}, half of 95 % interval", "wins (share)"]
    assert [row[2] for row in rows[1:]] == ["0.1", "0.1", "", "0.1"]
    assert [row[1] for row in rows[1:]] == ["0.25", "-1.5", "\N{EN DASH}", "10"]
    assert rows[2][0] == BROKEN


def test_latex_and_markdown_escape_what_is_theirs():
    table = next(table for table in made_report().tables() if table.key == "points")
    latex = show_latex(table)
    assert r"z\$x\_1\$ \& co" in latex
    assert r"\textbf{+10.000 $\pm$ 0.100}" in latex
    assert r"\textless{}script\textgreater{}" in latex
    assert "50.0\\,\\%" in latex
    assert not set(latex.partition("\n")[2]) & set('<>|`"')  # the caption is a comment
    markdown = show_markdown(made_report())
    assert "<script>" not in markdown
    assert r"\<script\>" in markdown
    assert r"z\$x\_1\$ & co" in markdown
    assert not re.search(r"(?<!\\)\$", markdown)
    assert "figures/bars.svg" in markdown


def test_labels_of_any_length_and_values_that_are_not_there():
    label = "血战到底" * 40 + BROKEN
    rows = [(Label(label, label), [Mark(None, None)]), (Label("b"), [Mark(0.0, 0.0)])]
    draws = [
        forest(rows, ["played"], label),
        forest([], ["played"], "points"),
        stacked([Label(label)] * 40, [(label, [0.0] * 40), ("x", [1.0] * 40)], "points"),
        heat_map([label], [label], [[Mark(None, None)]], (label, "y")),
        distribution([0], [(label, [1.0])], "points"),
        curves([(label, [(0.0, Mark(None, None)), (1.0, Mark(0.5, 0.1))])], ("x", "y"), unsure=label),
        ribbons([(label, [0.0], [[1.0] * 5])], ("x", label)),
    ]
    for place, draw in enumerate(draws):
        for is_narrow in (False, True):
            svg = draw_svg(Figure(f"figure-{place}", label, label, draw), is_narrow=is_narrow)
            assert BROKEN not in svg
            ET.fromstring(svg)  # noqa: S314 - our own, is it well-formed?


def test_units_stand_above_the_columns_that_share_them():
    head = (*texts("who"), *numbers("points", "a", "b"), *numbers("share", "c"))
    assert Table("t", "T", head, ()).groups() == [("", 1), ("points", 2), ("share", 1)]
    assert Table("t", "T", texts("who", "what"), ()).groups() == []
