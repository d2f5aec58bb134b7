"""The selection of the cases that a whole run has."""

from __future__ import annotations

from ..conftest import select_cases


def test_a_whole_run_has_a_share_of_the_cases_and_the_first_case_of_each_test() -> None:
    names = [f"tests/test_a.py::test_{test}[{case}]" for test in range(20) for case in range(160)]
    selected = select_cases(dict.fromkeys(names, 16))
    assert {f"tests/test_a.py::test_{test}[0]" for test in range(20)} <= selected
    assert 150 < len(selected) < 270 and selected == select_cases(dict.fromkeys(names, 16))


def test_tests_without_cases_are_sampled_by_file() -> None:
    names = [f"tests/test_{file}.py::test_{test}" for file in "ab" for test in range(40)]
    selected = select_cases(dict.fromkeys(names, 2))
    assert {"tests/test_a.py::test_0", "tests/test_b.py::test_0"} <= selected and 25 < len(selected) < 55
    assert select_cases(dict.fromkeys(names, 1)) == {*names}


def test_the_tests_of_a_marked_file_are_sampled_together() -> None:
    names = [f"tests/test_a.py::test_{test}[{case}]" for test in range(40) for case in ("x", "y", "z")]
    assert len(select_cases(dict.fromkeys(names, 16))) == 40
    assert select_cases(dict.fromkeys(names, 16), ["tests/test_a.py"]) == {names[0]}
