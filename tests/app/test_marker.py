"""The mark of a model in use: what a bad end leaves, and what the next start makes of it."""

import os
from pathlib import Path

import pytest

from app.main.marker import FILE_NAME, Left, Marker, loads_at_start, notice


@pytest.fixture
def marker(tmp_path: Path) -> Marker:
    return Marker(tmp_path / "data" / FILE_NAME)


def test_what_was_put_is_found_until_it_is_removed(marker: Marker) -> None:
    assert marker.read() is None
    assert marker.put("/models/Größe 4B") is None
    assert marker.read() == Left("/models/Größe 4B")
    assert marker.put("owner/name") is None
    assert marker.read() == Left("owner/name")
    assert marker.remove() is None
    assert marker.read() is None
    assert marker.remove() is None


def test_it_is_on_disk_before_the_model_is_touched(
    marker: Marker, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda handle: synced.append(os.fstat(handle).st_size))
    marker.put("x")
    assert synced[0] == marker.path.stat().st_size
    assert len(synced) == 2, "the file, and its folder"


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"\xff\xfe\x00", b"[1]", b'{"model": 3}', b"[" * 50_000, b"null", b'"x"'],
)
def test_a_damaged_mark_is_a_bad_end_without_a_name(marker: Marker, content: bytes) -> None:
    marker.path.parent.mkdir()
    marker.path.write_bytes(content)
    assert marker.read() == Left("")


def test_a_mark_that_cannot_be_read_is_a_bad_end_without_a_name(marker: Marker) -> None:
    marker.path.mkdir(parents=True)
    assert marker.read() == Left("")
    assert "cannot be noted" in (marker.put("x") or "")
    assert "cannot be removed" in (marker.remove() or "")


def test_a_start_after_a_bad_end_loads_what_is_asked_for_or_harmless() -> None:
    left = Left("/models/big")
    assert loads_at_start(None, "/models/big", is_asked=False)
    assert not loads_at_start(left, "/models/big", is_asked=False)
    assert not loads_at_start(Left(""), "/models/other", is_asked=False)
    assert loads_at_start(left, "/models/big", is_asked=True)
    assert loads_at_start(left, "demo", is_asked=False)


def test_what_is_said_of_it_names_the_model_where_it_is_known() -> None:
    assert notice(Left("/models/big-4bit")) == (
        "Draftscope ended unexpectedly while big-4bit was in use, so it was not loaded again."
    )
    assert "a model was in use" in notice(Left(""))
    snapshot = "/cache/models--maker--big-4bit/snapshots/0123abcd"
    assert notice(Left(snapshot)) == notice(Left("/models/big-4bit"))
    assert "while Demo model was in use" in notice(Left("demo"))
