"""The sheet of a chat's settings: fields, what is wrong with them, presets; and their models."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLineEdit

from app.models.chat_fields import FIELDS, FieldError, settings_words
from app.models.chat_settings import ChatSettings
from app.models.presets import (
    FIRST_PRESETS,
    NAME_LENGTH,
    applied,
    matching,
    preset_of,
    presets_from,
    with_preset,
    without_preset,
)
from app.views.chat_sheet import ChatSheet
from engine import SamplingParams

FIELD = {field.name: field for field in FIELDS}
BALANCED = ChatSettings(sampling=SamplingParams(temperature=0.7, top_p=0.9))


@pytest.fixture
def make_sheet(qapp):
    sheets = []

    def make(settings=BALANCED, presets=FIRST_PRESETS, thinks=True) -> ChatSheet:
        sheet = ChatSheet(settings, presets, thinks)
        sheets.append(sheet)
        sheet.told, sheet.kept = [], []
        sheet.settings_changed.connect(sheet.told.append)
        sheet.presets_changed.connect(sheet.kept.append)
        sheet.open()
        return sheet

    yield make
    for sheet in sheets:
        sheet.close()
        sheet.deleteLater()


def line(sheet: ChatSheet, name: str) -> QLineEdit:
    return next(each.line for each in sheet.numbers if each.field.name == name)


def type_in(field: QLineEdit, text: str) -> None:
    field.selectAll()
    QTest.keyClicks(field, text) if text else field.clear()
    QTest.keyClick(field, Qt.Key.Key_Return)


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("temperature", "0,8", 0.8),
        ("top_p", "0.5", 0.5),
        ("min_p", ".1", 0.1),
        ("top_k", "40", 40),
        ("repetition_penalty", "1.1", 1.1),
        ("seed", "123", 123),
        ("max_tokens", "200", 200),
        ("max_tokens", " ", None),
        ("temperature", "", 0.0),
    ],
)
def test_a_field_reads_what_it_shows(name, text, value):
    field = FIELD[name]
    changed = field.changed(ChatSettings(), text)
    assert field.value_in(changed) == value
    assert field.value_in(field.changed(ChatSettings(), field.text_in(changed))) == value


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("temperature", "hot"),
        ("temperature", "-1"),
        ("temperature", "nan"),
        ("temperature", "inf"),
        ("temperature", "0.0000001"),
        ("top_p", "1.5"),
        ("top_k", "1.5"),
        ("seed", "-1"),
        ("seed", "9" * 5_000),
        ("max_tokens", "0"),
        ("max_tokens", "none"),
    ],
)
def test_a_field_says_what_is_wrong_in_a_sentence(name, text):
    with pytest.raises(FieldError) as caught:
        FIELD[name].changed(ChatSettings(), text)
    assert str(caught.value).endswith(".")
    assert str(caught.value)[0].isupper()


def test_every_field_says_what_it_does_and_its_default():
    assert {"temperature", "top_p", "min_p", "top_k", "repetition_penalty", "seed"} <= set(FIELD)
    for field in FIELDS:
        assert field.does.endswith(".")
        assert field.usual
        assert field.text_in(ChatSettings()) == ""


def test_words_for_the_button():
    assert settings_words(ChatSettings(), "Greedy") == "Greedy"
    assert settings_words(BALANCED, "Balanced") == "Balanced · T 0.7"
    assert settings_words(BALANCED) == "T 0.7"


def test_presets_leave_the_prompt_and_its_beginning_as_they_are():
    chat = ChatSettings(system="Be brief.", first=7)
    chosen = applied(FIRST_PRESETS[1], chat)
    assert chosen.system == "Be brief."
    assert chosen.first == 7
    assert chosen.sampling == BALANCED.sampling
    assert matching(FIRST_PRESETS, chosen) == "Balanced"
    own = preset_of("  Mine   alone " + "x" * 99, chosen)
    assert own[0].startswith("Mine alone x")
    assert len(own[0]) == NAME_LENGTH
    assert "first" not in own[1]
    assert applied(own, ChatSettings()).system == "Be brief."


def test_presets_are_read_back_whatever_the_file_holds():
    kept = with_preset(FIRST_PRESETS, ("balanced", {"sampling": {"temperature": 0.5}}))
    assert [name for name, _ in kept] == ["Greedy", "Creative", "balanced"]
    assert presets_from([list(each) for each in kept]) == kept
    assert presets_from(None) == FIRST_PRESETS
    assert presets_from([]) == ()
    assert presets_from([1, ["x"], ["", {}], ["y", {"z": 1}], [2, {}]]) == (("y", {"z": 1}),)
    assert without_preset(kept, "Greedy")[0][0] == "Creative"


def test_what_fits_is_told_at_once_and_what_does_not_is_explained(make_sheet):
    sheet = make_sheet()
    type_in(line(sheet, "temperature"), "1.2")
    assert sheet.told[-1].sampling.temperature == 1.2
    field = line(sheet, "top_p")
    type_in(field, "3")
    number = field.parent()
    assert "0 to 1" in number.problem.text()
    assert number.problem.isVisible()
    assert len(sheet.told) == 1
    assert field.text() == "3"
    type_in(line(sheet, "seed"), "5")
    assert field.text() == "3"
    assert sheet.told[-1].sampling == SamplingParams(temperature=1.2, top_p=0.9, seed=5)
    type_in(field, "0.8")
    assert not number.problem.isVisible()
    assert sheet.told[-1].sampling == SamplingParams(temperature=1.2, top_p=0.8, seed=5)
    assert sheet.isVisible()


def test_system_prompt_and_thinking(make_sheet):
    sheet = make_sheet()
    QTest.keyClicks(sheet.system, "Be brief.")
    assert sheet.told[-1].system == "Be brief."
    sheet.thinking.buttons[False].click()
    assert sheet.told[-1].thinking is False
    sheet.thinking.buttons[None].click()
    assert sheet.told[-1].thinking is None
    sheet.reset.click()
    assert sheet.settings == ChatSettings()
    assert sheet.system.toPlainText() == ""
    assert not make_sheet(thinks=False).thinking.isVisible()


def test_presets_are_chosen_saved_and_deleted(make_sheet):
    sheet = make_sheet()
    row = sheet.preset_row
    assert "Balanced" in row.pick.text()
    row.pick.click()
    row.menu.actions()[2].trigger()
    row.menu.close()
    assert sheet.told[-1].sampling == SamplingParams(temperature=1.0, min_p=0.05)
    assert line(sheet, "min_p").text() == "0.05"
    type_in(line(sheet, "top_k"), "20")
    assert "Own settings" in row.pick.text()
    row.save.click()
    type_in(row.field, "Mine")
    assert sheet.kept[-1][-1][0] == "Mine"
    assert "Mine" in row.pick.text()
    row.delete.click()
    assert [name for name, _ in sheet.kept[-1]] == ["Greedy", "Balanced", "Creative"]
    assert not row.delete.isVisible()


def test_every_control_of_the_sheet_has_a_name(make_sheet):
    sheet = make_sheet()
    for button in sheet.findChildren(QAbstractButton):
        assert button.accessibleName() or button.text()
    for field in sheet.findChildren(QLineEdit):
        assert field.accessibleName()


def test_the_button_in_the_composer_opens_it(composer, qapp):
    told = []
    composer.settings.settings_changed.connect(told.append)
    composer.settings.show_settings(BALANCED, False)
    assert composer.foot.settings.text() == "Balanced · T 0.7 ▾"
    composer.foot.settings.click()
    type_in(line(composer.settings.sheet, "temperature"), "0")
    assert told[-1].sampling.temperature == 0
    assert composer.foot.settings.text() == "Greedy ▾"
    composer.settings.sheet.done_button.click()
    qapp.processEvents()
    assert composer.settings.sheet is None
