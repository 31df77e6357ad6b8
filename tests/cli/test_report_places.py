"""Where reports may be written: nothing is lost that is not ours, and wrong places are refused before play."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from reports.files import refuse_folder, write_files
from reports.page import refuse_page, write_page
from sim.commands.report import ReportFormat, fill_in_report, report, write_report
from sim.errors import ConfigError
from tests.cli.test_strategy_reports_cli import call
from tests.unit.made_reports import made_report


def test_what_is_not_ours_stays(tmp_path: Path) -> None:
    notes = tmp_path / "notes.html"
    notes.write_text("mine", encoding="utf-8")
    with pytest.raises(ConfigError, match="has not written it"):
        write_report(made_report(), notes)
    assert notes.read_text(encoding="utf-8") == "mine"
    page = tmp_path / "page.html"
    write_report(made_report(), page)
    write_report(made_report(), page)  # over our own


def test_a_linked_page_that_is_not_ours_stays(tmp_path: Path) -> None:
    report = made_report()
    report.pages = {"deals/0.1.2.html": "a page"}
    (tmp_path / "deals").mkdir()
    (tmp_path / "deals" / "0.1.2.html").write_text("mine", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"0\.1\.2\.html"):
        write_report(report, tmp_path / "page.html")
    assert not (tmp_path / "page.html").exists()


@pytest.mark.parametrize(
    ("name", "said"),
    [("x.pdf", "allowed: NAME.html"), ("plan.json", "allowed: NAME.html"), ("x", "allowed: NAME.html"), ("", "folder")],
)
def test_what_is_no_page_is_refused(name: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=said):
        refuse_page(tmp_path / name, "--out")


@pytest.mark.parametrize("own", ["chunks", "games"])
def test_a_page_among_the_files_of_a_run_is_refused(own: str, tmp_path: Path) -> None:
    (tmp_path / own / "deeper").mkdir(parents=True)
    refuse_page(tmp_path / own / "page.html")  # any folder may be called so
    (tmp_path / "plan.json").write_text("{}", encoding="utf-8")
    for place in (tmp_path / own, tmp_path / own / "deeper"):
        with pytest.raises(ConfigError, match="where a run keeps its own files"):
            refuse_page(place / "page.html", "--out")
        with pytest.raises(ConfigError, match="where a run keeps its own files"):
            refuse_folder(place / "files")
    refuse_page(tmp_path / "page.html")


def test_a_place_in_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    for form in ReportFormat:
        with pytest.raises(ConfigError, match=f"--out: .*there is no folder {tmp_path / 'no'}; make it first"):
            report(tmp_path, tmp_path / "no" / "such" / "x.html", form)
    assert not (tmp_path / "no").exists()


def test_devices_stay_devices(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="allowed: NAME"):
        refuse_page(Path(os.devnull))
    for place in ("pipe.html", "link.html"):
        path = tmp_path / place
        os.mkfifo(path) if place.startswith("pipe") else path.symlink_to(os.devnull)
        with pytest.raises(ConfigError, match="is no file"):
            refuse_page(path)
        assert not path.is_file()


def test_a_folder_of_files_is_new_empty_or_ours(tmp_path: Path) -> None:
    report = made_report()
    with pytest.raises(ConfigError, match="is no folder"):
        refuse_folder(Path(os.devnull))
    run = tmp_path / "run"
    run.mkdir()
    (run / "plan.json").write_text("{}", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"holds other things \(plan.json\)"):
        write_files(report, run)
    assert [path.name for path in run.iterdir()] == ["plan.json"]
    ours = tmp_path / "ours"
    write_report(report, ours, ReportFormat.files)
    write_report(report, ours, ReportFormat.files)
    (ours / "report.md").write_text("# Mine", encoding="utf-8")
    with pytest.raises(ConfigError, match="has not written it"):
        write_report(report, ours, ReportFormat.files)


def test_a_wrong_place_is_said_before_anything_is_played(tmp_path: Path) -> None:
    for place, said in ((tmp_path, "is a folder"), ("x.pdf", "allowed: NAME.html"), (os.devnull, "allowed: NAME.html")):
        told = call("compare", "shanten", "random", "--report", place, code=2, folder=tmp_path)[1]
        assert said in told
        assert "playing" not in told


def test_a_run_after_the_option_is_no_page(tmp_path: Path) -> None:
    (tmp_path / "plan.json").write_text("{}", encoding="utf-8")
    assert fill_in_report(["resume", "--report", str(tmp_path)]) == ["resume", "--report=", str(tmp_path)]
    write_page(tmp_path / "page.html", "x")
    assert fill_in_report(["--report", "caps.toml"]) == ["--report=", "caps.toml"]
