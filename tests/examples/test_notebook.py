"""The example notebook runs from its first cell to its last, and is kept without outputs."""

from __future__ import annotations

import os
from pathlib import Path

import nbformat
import pytest

from sim.jit import INTERPRETED

ROOT = Path(__file__).parents[2]
FILE = ROOT / "docs" / "example.ipynb"


def test_outputs_are_not_kept() -> None:
    book = nbformat.read(FILE, as_version=4)
    for cell in book.cells:
        if cell.cell_type == "code":
            assert cell.outputs == []
            assert cell.execution_count is None


@pytest.mark.skipif(INTERPRETED, reason="thousands of deals are for compiled kernels")
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
def test_the_notebook_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    from nbclient import NotebookClient

    paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(paths))
    book = nbformat.read(FILE, as_version=4)
    NotebookClient(book, timeout=600, kernel_name="python3").execute()
    outputs = [output for cell in book.cells if cell.cell_type == "code" for output in cell.outputs]
    kinds = {kind for output in outputs for kind in output.get("data", {})}
    assert {"text/html", "image/png"} <= kinds
    texts = [output["text"] for output in outputs if output.output_type == "stream" and output.name == "stdout"]
    assert texts == ["all planned walls played\n"]
