"""Parsing part by part gives what parsing at once gives, and refuses what it refuses."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.model import json_parts
from engine.model.json_parts import entries, parse_object

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=12,
)


@given(value=VALUES, levels=st.integers(0, 3), indent=st.sampled_from([None, 1]))
def test_it_gives_what_json_gives(value: Any, levels: int, indent: int | None) -> None:
    text = json.dumps(value, indent=indent)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_parts, "_SMALL", 0)
        assert parse_object(text, levels) == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "}",
        '{"a"}',
        '{"a":}',
        '{"a":1,}',
        '{"a":1 "b":2}',
        "{1:2}",
        "{} {}",
        '{"a":{"b":}}',
    ],
)
@pytest.mark.parametrize("levels", [1, 2])
def test_it_refuses_what_json_refuses(
    text: str, levels: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(json_parts, "_SMALL", 0)
    with pytest.raises(ValueError, match=r"."):
        json.loads(text)
    with pytest.raises(ValueError, match=r"."):
        parse_object(text, levels)


def test_the_last_of_two_like_names_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_parts, "_SMALL", 0)
    assert parse_object('{"a": 1, "a": 2}', 1) == {"a": 2}


@given(value=st.dictionaries(st.text(max_size=4), VALUES))
def test_entries_come_one_by_one(value: dict[str, Any]) -> None:
    assert list(entries(json.dumps(value))) == list(value.items())


@pytest.mark.parametrize("text", ["[]", "1", "", "{", '{"a":1,}', "{} 1", '{"a" 1}'])
def test_entries_of_nothing(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        list(entries(text))
