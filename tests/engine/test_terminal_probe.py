"""`probe` at the terminal: a row a width, what it means in two sentences, and the same as JSON."""

import json

import pytest

from engine import Probe, WidthProbe
from engine.__main__ import main
from engine.terminal.probe import cost_sentence, guard_sentence

Capture = pytest.CaptureFixture[str]


def probe_of(*widths: tuple[int, float, float]) -> Probe:
    rows = (WidthProbe(w, gap == 0, gap, 1.0, seconds) for w, gap, seconds in widths)
    return Probe(tuple(rows), 24, "0", "cpu", is_cached=False)


def test_json_has_every_width_with_its_cost(capsys: Capture) -> None:
    assert main(["probe", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["model"] == "demo"
    assert set(report) == {
        "model", "device", "dtype", "mlx_version", "num_positions", "guard_margin", "widths",
    }  # fmt: skip
    widths = report["widths"]
    assert widths[0] | {"seconds": 0} == {
        "width": 1,
        "is_bit_equal": True,
        "largest_difference": 0.0,
        "argmax_agreement": 1.0,
        "seconds": 0,
        "relative_cost": 1.0,
    }
    assert [each["width"] for each in widths[:2]] == [1, 2]
    assert report["guard_margin"] == 2 * max(each["largest_difference"] for each in widths)


def test_a_table_and_two_sentences(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    found = probe_of((1, 0.0, 0.05), (2, 0.0, 0.054), (6, 0.25, 0.07))
    monkeypatch.setattr("engine.terminal.session.Session.probe", lambda _self: found)
    assert main(["probe"]) == 0
    head, *rows = capsys.readouterr().out.splitlines()
    assert head.split() == [
        "width",
        "bit-equal",
        "largest",
        "difference",
        "(logits)",
        "same",
        "argmax",
        "cost",
        "ms",
    ]
    assert [row.split() for row in rows[:3]] == [
        ["1", "yes", "0", "100%", "1.00", "50.0"],
        ["2", "yes", "0", "100%", "1.08", "54.0"],
        ["6", "no", "0.25", "100%", "1.40", "70.0"],
    ]
    assert rows[3] == ""
    assert rows[4].startswith("demo: ")
    assert "leads by 0.5 logits or less" in rows[5]
    assert "Widths that can pay: 2, 6; at best 4.3 times" in rows[6]
    assert "breaks even at 0.4 accepted of 5 drafts" in rows[6]


def test_without_differences_the_guard_has_nothing_to_do() -> None:
    assert "nothing to do" in guard_sentence(probe_of((1, 0.0, 1.0), (2, 0.0, 1.1)))


def test_where_blocks_cost_their_tokens_no_width_pays() -> None:
    assert "No width pays" in cost_sentence(probe_of((1, 0.0, 1.0), (2, 0.0, 2.0), (6, 0.0, 6.5)))


def test_a_model_that_is_not_there_is_one_line(capsys: Capture) -> None:
    assert main(["probe", "--model", "/no/such/folder"]) == 2
    printed = capsys.readouterr()
    assert (printed.out, printed.err.count("\n")) == ("", 1)
