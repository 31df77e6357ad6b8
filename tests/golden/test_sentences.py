"""Every sentence of the rules has a golden case, and every case is of a sentence."""

from __future__ import annotations

import tomllib

from tests.golden.cases import FOLDER, deal_cases, hand_cases

SENTENCES: dict[str, str] = tomllib.loads((FOLDER / "sentences.toml").read_text(encoding="utf-8"))["sentences"]
CASES = [*hand_cases(), *deal_cases()]


def test_every_sentence_has_a_case() -> None:
    shown = {key for case in CASES for key in case.rules}
    assert [f"{key}: {text}" for key, text in SENTENCES.items() if key not in shown] == []


def test_every_case_is_of_a_sentence() -> None:
    assert [(case.where, key) for case in CASES for key in case.rules if key not in SENTENCES] == []


def test_no_two_cases_have_the_same_name() -> None:
    names = [case.name for case in CASES]
    assert sorted(names) == sorted(set(names))
