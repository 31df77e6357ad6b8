"""Kernels are compiled when they are needed, for their annotations alone."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from sim.jit import INTERPRETED, driver, inlined, kernel

pytestmark = pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")


@kernel
def halve(number: int) -> int:
    """Return half of a number.

    Parameters
    ----------
    number : int64, read
        The number.
    """
    return number // 2


@inlined
def halve_twice(number: int) -> int:
    """Return a quarter of a number.

    Parameters
    ----------
    number : int64, read
        The number.
    """
    return halve(halve(number))


def compiled(function: object) -> list[object]:
    return list(function.overloads)  # type: ignore[attr-defined]


def test_kernels_wait_until_they_are_called() -> None:
    @kernel
    def double(number: int) -> int:
        return 2 * number

    assert compiled(double) == []
    assert double(4) == 8
    assert double(np.int64(5)) == double(number=5) == 10
    assert len(compiled(double)) == 1
    assert double(True) == 2  # by the same code, as an integer
    assert len(compiled(double)) == 1


def test_a_caller_compiles_them_for_their_annotations() -> None:
    def quarter(number: int) -> int:
        return halve_twice(number) + halve_twice(True)

    assert driver(quarter)(8) == 2
    for function in (halve, halve_twice):
        (arguments,) = compiled(function)
        assert str(arguments) == "(int64,)"


def test_threads_may_need_one_at_the_same_time() -> None:
    @kernel
    def triple(number: int) -> int:
        return 3 * number

    start = threading.Barrier(4)
    found: list[int] = []

    def call() -> None:
        start.wait()
        found.append(triple(7))

    threads = [threading.Thread(target=call) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [21] * 4
    assert len(compiled(triple)) == 1
