"""The settings file: versions, what is kept, what is set aside; writing is all or nothing."""

import json
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.models.speculation import SpeculationSettings
from app.settings import VERSION, Settings, read_settings, update_settings, write_settings
from engine import SpeculationParams


def written(path):
    return json.loads(path.read_text())


def test_settings_come_back_as_written(tmp_path):
    path = tmp_path / "deep" / "settings.json"
    settings = Settings(theme="dark", speculation={"draft_length": 4, "replay": False})
    assert write_settings(path, settings) is None
    assert read_settings(path) == (settings, None)
    assert [p.name for p in path.parent.iterdir()] == ["settings.json"]
    assert written(path) == {
        "version": 2,
        "theme": "dark",
        "width": 1440,
        "height": 900,
        "geometry": "",
        "show_sidebar": True,
        "show_inspector": True,
        "show_tints": True,
        "text_size": 15,
        "chat": 0,
        "model": "",
        "idle_unload_minutes": 0,
        "notify": True,
        "notify_words": False,
        "speculation": {"draft_length": 4, "replay": False},
        "defaults": {},
        "presets": [],
    }


def test_the_first_version_is_taken_over(tmp_path):
    path = tmp_path / "settings.json"
    old = {
        "theme": "dark",
        "width": 900,
        "speculation": False,
        "replay": True,
        "exclude": False,
        "draft_length": 4,
        "colour_of_tomorrow": "x",
    }
    path.write_text(json.dumps(old))
    settings, sentence = read_settings(path)
    assert sentence is None
    assert (settings.theme, settings.width) == ("dark", 900)
    assert settings.speculation == {"enabled": False, "exclude": False, "draft_length": 4}
    write_settings(path, settings)
    assert written(path).keys() & {"replay", "exclude", "draft_length"} == set()
    assert written(path)["colour_of_tomorrow"] == "x"
    assert read_settings(path) == (settings, None)
    assert SpeculationSettings(settings.speculation).params == SpeculationParams(
        enabled=False, exclude=False, draft_length=4
    )


def test_a_first_version_with_defaults_sets_nothing(tmp_path):
    path = tmp_path / "settings.json"
    path.write_text(
        '{"speculation": true, "replay": true, "exclude": true, "draft_length": null, "width": 700}'
    )
    assert read_settings(path) == (Settings(width=700), None)


def test_a_wrong_flag_of_the_first_version_is_told_by_its_flag(tmp_path):
    path = tmp_path / "settings.json"
    path.write_text('{"draft_length": 65, "replay": false}')
    settings = SpeculationSettings(read_settings(path)[0].speculation)
    assert settings.params == SpeculationParams(replay=False)
    assert "Draft length in the settings file is 65" in settings.problems[0]


DAMAGED = ["{", "[]", "\x00", '{"a": ' + "[" * 300_000, '{"a": "' + "x" * 1_000_000 + '"}']


@pytest.mark.parametrize("damage", DAMAGED, ids=["cut", "list", "nul", "deep", "huge"])
def test_a_damaged_file_is_set_aside_and_said_so(tmp_path, damage):
    path = tmp_path / "settings.json"
    path.write_text(damage)
    settings, sentence = read_settings(path)
    assert settings == Settings()
    assert sentence == "The settings file was damaged; it is now settings.broken.json, and unused."
    assert not path.exists()
    assert (tmp_path / "settings.broken.json").read_text() == damage


def test_one_set_aside_never_covers_another(tmp_path):
    path = tmp_path / "settings.json"
    names = ["settings.broken.json", "settings.broken-2.json", "settings.broken-3.json"]
    for number, name in enumerate(names):
        path.write_text(f"{{ {number}")
        assert name in read_settings(path)[1]
    assert [(tmp_path / name).read_text() for name in names] == ["{ 0", "{ 1", "{ 2"]


@pytest.mark.parametrize(
    ("name", "value"),
    [("width", "wide"), ("theme", "pink"), ("theme", []), ("show_tints", 1), ("height", 1.5)],
)
def test_one_value_that_does_not_fit_is_forgotten_alone(tmp_path, name, value):
    path = tmp_path / "settings.json"
    path.write_text(json.dumps({"version": 2, "speculation": {"exclude": False}, name: value}))
    assert read_settings(path) == (Settings(speculation={"exclude": False}), None)
    assert path.exists()


def test_a_damaged_part_for_speculation_is_said(tmp_path):
    path = tmp_path / "settings.json"
    path.write_text(json.dumps({"version": 2, "width": 800, "speculation": [1]}))
    settings, sentence = read_settings(path)
    assert settings == Settings(width=800)
    assert sentence == "The settings file's part for speculation is damaged; using defaults there."


def test_a_file_with_a_damaged_part_is_copied_before_it_is_written(tmp_path):
    path, aside = tmp_path / "settings.json", tmp_path / "settings.broken.json"
    damaged = json.dumps({"version": 2, "width": 800, "speculation": [1], "presets": "x"})
    path.write_text(damaged)
    _, sentence = read_settings(path)
    assert sentence is not None
    assert "speculation and presets" in sentence
    assert not aside.exists()
    for width in (900, 1000):
        assert update_settings(path, {"width": width}) is None
    assert aside.read_text() == damaged
    assert written(path)["width"] == 1000
    assert len(list(tmp_path.iterdir())) == 2


def test_a_remembered_window_has_a_size_a_window_can_have(tmp_path):
    path = tmp_path / "settings.json"
    path.write_text(json.dumps({"width": 10**24, "height": -5}))
    settings, _ = read_settings(path)
    assert (settings.width, settings.height) == (16384, 480)


def test_a_remembered_text_has_a_size_that_can_be_read(tmp_path):
    path = tmp_path / "settings.json"
    path.write_text(json.dumps({"version": 2, "text_size": 900, "geometry": "A" * 5000, "chat": 7}))
    assert read_settings(path) == (Settings(text_size=24, chat=7), None)
    path.write_text(json.dumps({"version": 2, "text_size": 1, "notify": 0}))
    assert read_settings(path) == (Settings(text_size=11), None)


def test_unknown_names_are_kept_everywhere(tmp_path):
    path = tmp_path / "settings.json"
    section = {"draft_length": 3, "tree_width": {"x": 1}, "drafter": "tree"}
    path.write_text(json.dumps({"version": 2, "speculation": section, "tabs": [1]}))
    settings, _ = read_settings(path)
    speculation = SpeculationSettings(settings.speculation)
    speculation.set_default("draft_length", 5)
    both = Settings(speculation=speculation.file_values, unknown=settings.unknown)
    assert write_settings(path, both) is None
    assert written(path)["speculation"] == {**section, "draft_length": 5}
    assert written(path)["tabs"] == [1]


def test_a_newer_file_keeps_its_version_and_all_that_is_not_understood(tmp_path):
    path = tmp_path / "settings.json"
    newer = {
        "version": 7,
        "theme": "sepia",
        "width": 800,
        "replay": "gentle",
        "speculation": {"drafter": "tree", "replay": False},
        "tabs": {"a": None},
    }
    path.write_text(json.dumps(newer))
    settings, sentence = read_settings(path)
    assert sentence is None
    assert (settings.theme, settings.width, settings.version) == ("auto", 800, 7)
    write_settings(path, settings)
    assert newer.items() <= written(path).items()


def test_a_newer_part_for_speculation_that_is_not_understood_stays(tmp_path):
    path = tmp_path / "settings.json"
    path.write_text('{"version": 3, "speculation": ["of", "tomorrow"]}')
    settings, sentence = read_settings(path)
    assert "part for speculation" in sentence
    write_settings(path, settings)
    assert written(path)["speculation"] == ["of", "tomorrow"]


@pytest.mark.parametrize("version", [True, "2", -1, 1.5, None, {}])
def test_a_version_that_is_none_is_the_first(tmp_path, version):
    path = tmp_path / "settings.json"
    path.write_text(json.dumps({"version": version, "replay": False}))
    settings, _ = read_settings(path)
    assert settings == Settings(speculation={"replay": False})
    assert settings.version == VERSION


def test_settings_that_cannot_be_saved_leave_nothing_behind(tmp_path):
    path = tmp_path / "settings.json"
    path.mkdir()
    assert "could not be saved" in write_settings(path, Settings())
    assert [p.name for p in tmp_path.iterdir()] == ["settings.json"]


def test_a_write_that_breaks_off_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "settings.json"
    write_settings(path, Settings(width=700))
    before = path.read_bytes()

    def full(_descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    sentence = write_settings(path, Settings(width=900))
    assert sentence == "The settings could not be saved: No space left on device."
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["settings.json"]


def test_the_new_content_is_on_the_disk_before_it_takes_the_old_ones_place(tmp_path, monkeypatch):
    path = tmp_path / "settings.json"
    write_settings(path, Settings(width=700))
    seen = []
    flush = os.fsync

    def watched(descriptor):
        partial = next(p for p in tmp_path.iterdir() if p != path)
        seen.append((written(partial)["width"], written(path)["width"]))
        flush(descriptor)

    monkeypatch.setattr(os, "fsync", watched)
    write_settings(path, Settings(width=900))
    assert seen == [(900, 700)]
    assert written(path)["width"] == 900


def test_a_link_to_the_file_stays_a_link(tmp_path):
    real, link = tmp_path / "dotfiles" / "settings.json", tmp_path / "settings.json"
    write_settings(real, Settings())
    link.symlink_to(real)
    write_settings(link, Settings(width=800))
    assert link.is_symlink()
    assert written(real)["width"] == 800


def test_a_file_that_nobody_else_may_read_stays_so(tmp_path):
    path = tmp_path / "settings.json"
    write_settings(path, Settings())
    path.chmod(0o600)
    write_settings(path, Settings(width=800))
    assert (path.stat().st_mode & 0o777, written(path)["width"]) == (0o600, 800)


def test_a_byte_order_mark_does_no_harm(tmp_path):
    path = tmp_path / "settings.json"
    path.write_bytes(b"\xef\xbb\xbf" + b'{"version": 2, "width": 800}')
    assert read_settings(path) == (Settings(width=800), None)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=5,
)
NAMES = st.sampled_from(
    ["version", "theme", "width", "height", "show_tints", "replay", "draft_length", "exclude"]
)
FLAG_NAMES = st.sampled_from(["enabled", "drafter", "ngram_min", "ngram_max", "guard"])
FILES = st.dictionaries(NAMES | st.text(max_size=8), JSON, max_size=8).flatmap(
    lambda data: (
        st.just(data)
        | (JSON | st.dictionaries(FLAG_NAMES | st.text(max_size=8), JSON, max_size=4)).map(
            lambda section: {**data, "speculation": section}
        )
    )
)
KNOWN = {"version", "theme", "width", "height", "show_inspector", "show_tints", "speculation"}
FLAT = {"replay", "exclude", "draft_length"}


@given(FILES)
def test_any_object_is_read_and_what_is_unknown_survives(tmp_path, data):
    path = tmp_path / "settings.json"
    path.write_text(json.dumps(data))
    settings, _ = read_settings(path)
    assert SpeculationSettings(settings.speculation).params is not None
    assert write_settings(path, settings) is None
    after = written(path)
    for name in data.keys() - KNOWN - FLAT:
        assert after[name] == data[name]
    if isinstance(data.get("speculation"), dict):
        assert after["speculation"] == data["speculation"]
    assert read_settings(path)[0] == settings


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_set_aside(tmp_path, content):
    path = tmp_path / "settings.json"
    path.write_bytes(content)
    settings, sentence = read_settings(path)
    if sentence is not None and "damaged" in sentence and not path.exists():
        assert settings == Settings()
        aside = max(tmp_path.glob("settings.broken*.json"), key=lambda p: p.stat().st_mtime_ns)
        assert aside.read_bytes() == content
        aside.unlink()
