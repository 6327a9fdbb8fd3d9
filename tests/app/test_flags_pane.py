"""The settings pane: every control by keyboard, refusals that stay as typed, sources."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QLineEdit, QWidget

from app.models.flags import FLAGS, GROUPS
from app.models.model_state import ModelState
from app.models.speculation import SpeculationSettings
from app.theme import Theme
from app.views.flags.excluded import FEW, token_label
from app.views.flags.fields import ChoiceField, NumberField, SwitchField
from app.views.flags.pane import FlagsPane
from engine import GenerationRequest, Loaded, Message, SpeculationParams
from tests.fakes.scripted_worker import INFO, config_for

SPECIAL = ((0, "<|end|>"), (3, "<|im_start|>"), (5, "<|image|>"), (6, "<|video|>"))
MODEL = replace(INFO, special_tokens=SPECIAL, excluded_ids=(5, 6))
WIDTH = 331


class Panel:
    """A pane on a model, with the settings it shows."""

    def __init__(self, qtbot, settings=None, model=MODEL):
        self.settings = settings or SpeculationSettings()
        self.chat = {}
        self.settings.use_chat(self.chat)
        self.model, self.theme = ModelState(), Theme("light")
        if model is not None:
            self.model.apply(Loaded(1, model))
        self.pane = FlagsPane(self.theme, self.settings, self.model)
        qtbot.addWidget(self.pane)
        self.pane.resize(WIDTH, self.pane.heightForWidth(WIDTH))
        self.pane.show()
        qtbot.waitExposed(self.pane)

    def row(self, name):
        return self.pane.rows[name]

    def type(self, name, text, key=Qt.Key.Key_Return):
        """Replace what stands in a field, and leave it with a key."""
        field = self.row(name).field
        field.setFocus()
        field.selectAll()
        QTest.keyClicks(field, text)
        QTest.keyClick(field, key)


@pytest.fixture
def make_panel(qtbot):
    return lambda *arguments, **options: Panel(qtbot, *arguments, **options)


@pytest.fixture
def panel(make_panel):
    return make_panel()


def shown(widget):
    return widget.text() if not widget.isHidden() else ""


def test_every_flag_has_a_row_with_its_words_value_and_source(panel):
    assert list(panel.pane.rows) == list(FLAGS)
    for name, flag in FLAGS.items():
        row = panel.row(name)
        assert row.label.text() == flag.label
        assert row.words.text() == f"{flag.does} {flag.when}"
        assert shown(row.tag) == "default"
        text = flag.text(flag.default)
        assert row.field.accessibleName() == f"{flag.label}: {text} (default)"
        assert flag.does in row.field.accessibleDescription()
    titles = [label.text() for label in panel.pane.findChildren(QLabel, "section")]
    assert titles == [title for title, _ in GROUPS if title]


@pytest.mark.parametrize("name", [n for n, f in FLAGS.items() if f.kind == "bool"])
def test_space_switches(panel, name):
    field = panel.row(name).field
    assert isinstance(field, SwitchField)
    before = panel.settings.resolved(name).value
    QTest.keyClick(field, Qt.Key.Key_Space)
    assert panel.settings.resolved(name).value is not before
    assert shown(panel.row(name).tag) == "this chat"
    QTest.keyClick(field, Qt.Key.Key_Space)
    assert panel.chat == {}


@pytest.mark.parametrize("name", [n for n, f in FLAGS.items() if f.kind in ("choice", "auto_bool")])
def test_arrow_keys_go_through_every_choice(panel, name):
    field = panel.row(name).field
    assert isinstance(field, ChoiceField)
    seen = [panel.settings.resolved(name).value]
    for _ in field.values:
        QTest.keyClick(field, Qt.Key.Key_Down)
        seen.append(panel.settings.resolved(name).value)
    assert seen == [*field.values, field.values[-1]]
    for _ in field.values:
        QTest.keyClick(field, Qt.Key.Key_Up)
    assert panel.chat == {}


def test_a_choice_is_made_from_its_list_by_keyboard(panel):
    field = panel.row("drafter").field
    QTest.keyClick(field, Qt.Key.Key_Space)
    menu = field.menu_of_values
    assert menu.activeAction().text() == "auto"
    QTest.keyClick(menu, Qt.Key.Key_Down)
    QTest.keyClick(menu, Qt.Key.Key_Return)
    assert panel.settings.params.drafter == "lookup"
    assert field.text() == "lookup ▾"
    assert [a.isChecked() for a in menu.actions()] == [False, True, False]


NUMBERS = [n for n, f in FLAGS.items() if f.kind in ("count", "auto_count", "number")]


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Tab])
def test_a_number_is_typed(panel, name, key):
    text = "0.75" if FLAGS[name].kind == "number" else "3"
    assert isinstance(panel.row(name).field, NumberField)
    panel.type(name, f" {text} ", key)
    assert panel.settings.resolved(name).text == text
    assert panel.row(name).field.text() == text
    assert panel.row(name).field.accessibleName() == f"{FLAGS[name].label}: {text} (this chat)"


@pytest.mark.parametrize("name", NUMBERS)
def test_arrow_keys_count(panel, name):
    field, before = panel.row(name).field, panel.settings.resolved(name).value
    QTest.keyClick(field, Qt.Key.Key_Up)
    assert panel.settings.resolved(name).value == FLAGS[name].stepped(before, 1)
    QTest.keyClick(field, Qt.Key.Key_Down)
    assert panel.settings.resolved(name).value == before


@pytest.mark.parametrize("name", NUMBERS)
def test_what_does_not_fit_is_explained_and_stays_as_typed(panel, name):
    panel.type(name, "lots")
    row = panel.row(name)
    assert row.field.text() == "lots"
    used = FLAGS[name].text(FLAGS[name].default)
    assert shown(row.problem) == (
        f"'lots' does not fit; give {FLAGS[name].wanted}. Until then {used} is used."
    )
    assert row.problem.text() in row.field.accessibleDescription()
    assert row.field.property("refused") is True
    assert panel.chat == {}
    panel.settings.set("rollback", "carry")
    assert row.field.text() == "lots"
    assert shown(row.problem)
    panel.type(name, "3" if FLAGS[name].kind != "number" else "1")
    assert shown(row.problem) == ""
    assert row.field.property("refused") is False
    assert name in panel.chat


def test_escape_brings_back_what_is_set(panel):
    field = panel.row("draft_length").field
    stop = QKeyEvent(
        QEvent.Type.ShortcutOverride, Qt.Key.Key_Escape, Qt.KeyboardModifier.NoModifier
    )
    stop.ignore()
    QApplication.sendEvent(field, stop)
    assert not stop.isAccepted()
    panel.type("draft_length", "lots")
    QApplication.sendEvent(field, stop)
    assert stop.isAccepted()
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert field.text() == "auto"
    assert shown(panel.row("draft_length").problem) == ""


def test_two_flags_that_do_not_go_together(panel):
    panel.type("ngram_min", "6")
    row = panel.row("ngram_min")
    apart = (
        "The smallest n-gram, 6, is longer than the largest, {0}; lower the one or raise the "
        "other. Until then 2 is used."
    )
    assert shown(row.problem) == apart.format(4)
    panel.type("ngram_max", "5")
    assert shown(row.problem) == apart.format(5)
    panel.type("ngram_max", "9")
    assert shown(row.problem) == "This fits now; press Return to use it."
    assert panel.settings.params.ngram_min == 2
    QTest.keyClick(row.field, Qt.Key.Key_Return)
    assert shown(row.problem) == ""
    assert (panel.settings.params.ngram_min, panel.settings.params.ngram_max) == (6, 9)


def test_a_refused_value_beside_another_is_not_taken_for_the_one_in_use(panel):
    panel.type("ngram_max", "1")
    assert shown(panel.row("ngram_max").problem) == (
        "The smallest n-gram, 2, is longer than the largest, 1; lower the one or raise the other."
        " Until then 4 is used."
    )
    panel.type("ngram_min", "9")
    assert shown(panel.row("ngram_min").problem) == (
        "The smallest n-gram, 9, is longer than the largest, 4; lower the one or raise the other."
        " Until then 2 is used."
    )
    assert panel.chat == {}
    assert [panel.row(name).field.text() for name in ("ngram_max", "ngram_min")] == ["1", "9"]


def test_reset_is_there_where_this_chat_overrides(panel):
    row = panel.row("draft_length")
    assert row.reset.isHidden()
    panel.type("draft_length", "5")
    assert shown(row.aside) == "default auto"
    row.reset.setFocus()
    QTest.keyClick(row.reset, Qt.Key.Key_Space)
    assert panel.chat == {}
    assert row.field.text() == "auto"
    assert row.reset.isHidden()
    assert shown(row.aside) == ""


def test_the_keyboard_stays_at_a_row_whose_button_goes_away(panel, qtbot):
    row = panel.row("draft_length")
    panel.type("draft_length", "5")
    panel.pane.activateWindow()
    row.reset.setFocus()
    qtbot.waitUntil(row.reset.hasFocus)
    QTest.keyClick(row.reset, Qt.Key.Key_Space)
    assert row.field.hasFocus()


def test_for_all_chats_and_back(panel):
    written = []
    panel.settings.file_changed.connect(lambda: written.append(panel.settings.file_values))
    row = panel.row("draft_length")
    panel.type("draft_length", "5")
    QTest.keyClick(row.for_all, Qt.Key.Key_Space)
    assert panel.chat == {}
    assert shown(row.tag) == "settings file"
    assert row.for_all.isHidden()
    assert row.forget.isHidden()
    QTest.keyClick(row.undo, Qt.Key.Key_Space)
    assert panel.chat == {"draft_length": 5}
    assert row.undo.isHidden()
    QTest.keyClick(row.for_all, Qt.Key.Key_Space)
    panel.settings.use_chat({})
    QTest.keyClick(row.forget, Qt.Key.Key_Space)
    assert shown(row.tag) == "default"
    assert written == [{"draft_length": 5}, {}, {"draft_length": 5}, {}]


def test_a_value_that_not_all_chats_can_have_is_explained(panel):
    panel.type("ngram_max", "9")
    panel.type("ngram_min", "6")
    row = panel.row("ngram_min")
    QTest.keyClick(row.for_all, Qt.Key.Key_Space)
    assert shown(row.problem) == (
        "For all chats it does not fit. The smallest n-gram, 6, is longer than the largest, 4; "
        "lower the one or raise the other."
    )
    assert panel.settings.file_values == {}
    # In this chat it holds: nothing is left to be confirmed.
    panel.settings.set("rollback", "carry")
    assert shown(row.problem) == ""
    assert row.field.property("refused") is False


def test_sources_shadows_and_wrong_values_are_told(make_panel):
    settings = SpeculationSettings(
        {"draft_length": 2, "drafter": "tree"},
        {
            "DRAFTSCOPE_PLD_DRAFT_LENGTH": "3",
            "DRAFTSCOPE_PLD_GUARD": "on",
            "DRAFTSCOPE_PLD_WARMUP_STEPS": "many",
            "DRAFTSCOPE_PLD_TYPO": "1",
        },
        {"replay": False},
    )
    panel = make_panel(settings)
    assert shown(panel.row("guard").tag) == "environment DRAFTSCOPE_PLD_GUARD"
    assert shown(panel.row("replay").tag) == "command line"
    assert "The settings file sets 2, the environment 3." in shown(panel.row("draft_length").notes)
    panel.type("draft_length", "5")
    assert "the environment 3, this chat 5." in shown(panel.row("draft_length").notes)
    assert "'many' and is ignored" in shown(panel.row("warmup_steps").problem)
    assert "DRAFTSCOPE_PLD_TYPO names no setting" in shown(panel.pane.strangers)
    drafter = panel.row("drafter")
    assert "'tree' and is ignored" in shown(drafter.problem)
    QTest.keyClick(drafter.forget, Qt.Key.Key_Space)
    assert shown(drafter.problem) == ""
    assert settings.file_values == {"draft_length": 2}


def test_a_flag_without_a_part_to_play_says_so(panel):
    panel.type("draft_length", "5")
    assert shown(panel.row("probe_interval").notes) == "Not used while the draft length is fixed."
    panel.type("draft_length", "auto")
    assert shown(panel.row("probe_interval").notes) == ""


def test_what_the_reply_runs_with_is_told_where_it_differs(panel):
    request = GenerationRequest(
        messages=(Message("user", "hi"),), speculation=SpeculationParams(draft_length=3)
    )
    panel.pane.show_config(config_for(request))
    assert shown(panel.row("rollback").aside) == "in effect: carry"
    assert shown(panel.row("draft_length").aside) == "in effect: 3"
    assert shown(panel.row("drafter").aside) == ""
    panel.type("draft_length", "5")
    assert shown(panel.row("draft_length").aside) == "default auto · in effect: 3"
    panel.pane.show_config(None)
    assert shown(panel.row("rollback").aside) == ""


def test_the_models_own_excluded_tokens_are_shown_with_their_text(make_panel):
    panel = make_panel()
    chips = [chip.text() for chip in panel.pane.own.chips.items]
    assert chips == ["5 <|image|>", "6 <|video|>"]
    assert panel.pane.own.more.isHidden()
    assert panel.pane.own.chips.accessibleName() == "5 <|image|>, 6 <|video|>"
    bare = make_panel(model=None)
    assert "once it is loaded" in bare.pane.own.words.text()
    none = make_panel(model=INFO)
    assert none.pane.own.words.text() == "This model names no tokens to exclude."


def test_many_excluded_tokens_are_shown_on_demand(make_panel):
    panel = make_panel(model=replace(INFO, excluded_ids=tuple(range(100, 140))))
    own = panel.pane.own
    assert len(own.chips.items) == FEW
    assert own.more.text() == "Show all 40"
    QTest.keyClick(own.more, Qt.Key.Key_Space)
    assert len(own.chips.items) == 40
    QTest.keyClick(own.more, Qt.Key.Key_Space)
    assert len(own.chips.items) == FEW


def add(panel, text):
    line = panel.row("extra_excluded").field.line
    line.setFocus()
    line.selectAll()
    QTest.keyClicks(line, text)
    QTest.keyClick(line, Qt.Key.Key_Return)


def test_tokens_are_added_by_id_and_by_text_and_removed(panel):
    row = panel.row("extra_excluded")
    add(panel, "17")
    add(panel, "<|im_start|>")
    add(panel, "20, 21")
    assert panel.settings.params.extra_excluded == (17, 3, 20, 21)
    assert row.field.line.text() == ""
    chips = row.field.chips.items
    assert [chip.text() for chip in chips][:2] == ["17  ×", "3 <|im_start|>  ×"]
    assert chips[1].accessibleName() == "Remove excluded token 3 <|im_start|>"
    QTest.keyClick(chips[1], Qt.Key.Key_Space)
    assert panel.settings.params.extra_excluded == (17, 20, 21)
    for _ in range(3):
        QTest.keyClick(row.field.chips.items[0], Qt.Key.Key_Space)
    assert panel.chat == {}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("5", "Token 5 is excluded already."),
        ("<|image|>", "Token 5 is excluded already."),
        ("8192", "Token id 8192 does not exist; this model has 0 to 8191."),
    ],
)
def test_a_token_that_cannot_be_added_is_explained_and_stays_as_typed(panel, text, words):
    row = panel.row("extra_excluded")
    add(panel, text)
    assert words in shown(row.problem)
    assert row.field.line.text() == text
    assert panel.chat == {}
    add(panel, "17")
    assert shown(row.problem) == ""


def asked_of(panel):
    """What the field asks the tokenizer from now on: texts, and ids."""
    texts, ids = [], []
    panel.row("extra_excluded").field.wanted.connect(texts.append)
    panel.row("extra_excluded").field.unnamed.connect(ids.append)
    return texts, ids


@pytest.mark.parametrize("typed", [" cat", "·cat"])
def test_a_text_that_is_not_known_here_is_asked_of_the_tokenizer(panel, typed):
    row = panel.row("extra_excluded")
    texts, ids = asked_of(panel)
    add(panel, typed)
    assert texts == [" cat"]
    assert row.field.line.text() == typed
    row.field.take(" cat", ((1918, " cat"),))
    assert panel.settings.params.extra_excluded == (1918,)
    assert row.field.line.text() == ""
    assert shown(row.problem) == ""
    assert [chip.text() for chip in row.field.chips.items] == ["1918 ·cat  ×"]
    assert ids == [], "it was told with the token"


def test_a_blank_in_front_makes_it_another_token(panel):
    panel.pane.show_config(None, {40: "cat", 41: " dog"})
    texts, _ = asked_of(panel)
    add(panel, " cat")
    assert texts == [" cat"]
    add(panel, "·dog")
    assert panel.settings.params.extra_excluded == (41,)


@pytest.mark.parametrize(
    ("text", "tokens", "words"),
    [
        (
            "cats",
            ((7, "cat"), (8, "s")),
            "“cats” is not one token of this model but “cat” (id 7), “s” (id 8); give the id of one"
            " of them.",
        ),
        (
            "a b c d e",
            tuple((9 + place, f" {each}") for place, each in enumerate("abcde")),
            "but “·a” (id 9), “·b” (id 10), “·c” (id 11), “·d” (id 12), …; give",
        ),
        ("cat", ((1918, " cat"),), "“cat” is not one token of this model but “·cat” (id 1918);"),
        ("zz", (), "“zz” is no token of this model; give another text, or an id."),
        ("<|image|>x", ((5, "<|image|>x"),), "Token 5 is excluded already."),
    ],
)
def test_a_text_that_is_no_token_is_explained_and_stays_as_typed(panel, text, tokens, words):
    row = panel.row("extra_excluded")
    add(panel, text)
    row.field.take(text, tokens)
    assert words in shown(row.problem)
    assert row.field.line.text() == text
    assert panel.chat == {}


def test_an_answer_to_what_is_no_longer_typed_is_not_taken(panel):
    row = panel.row("extra_excluded")
    add(panel, " cat")
    row.field.line.setText(" dog")
    row.field.take(" cat", ((1918, " cat"),))
    row.field.explain(" cat", "No.")
    assert (panel.chat, shown(row.problem), row.field.line.text()) == ({}, "", " dog")
    row.field.explain(" dog", "No.")
    assert shown(row.problem) == "No."


def test_chips_get_the_words_of_their_ids_from_the_tokenizer_once_per_model(panel):
    field = panel.row("extra_excluded").field
    _, ids = asked_of(panel)
    add(panel, "17, 3, 18")
    assert ids == [(17, 18)], "3 is known"
    field.name(((17, " cat"),))
    labels = ["17 ·cat  ×", "3 <|im_start|>  ×", "18  ×"]
    assert [chip.text() for chip in field.chips.items] == labels
    add(panel, "19")
    assert ids == [(17, 18), (19,)]
    panel.model.apply(Loaded(2, replace(MODEL, name="other")))
    assert ids == [(17, 18), (19,), (17, 18, 19)]
    assert field.chips.items[0].text() == "17  ×"


def test_special_tokens_are_offered_unless_excluded(panel):
    line = panel.row("extra_excluded").field.line
    model = line.completer().model()
    assert model.stringList() == ["0 <|end|>", "3 <|im_start|>"]
    add(panel, "3 <|im_start|>")
    assert panel.settings.params.extra_excluded == (3,)
    assert model.stringList() == ["0 <|end|>"]
    line.setFocus()
    QTest.keyClick(line, Qt.Key.Key_Down)
    assert line.completer().completionCount() == 1
    line.completer().popup().hide()


def test_ids_of_another_model_are_told(make_panel):
    panel = make_panel(SpeculationSettings({"extra_excluded": [9_000]}))
    assert "Token id 9000 does not exist here" in shown(panel.row("extra_excluded").notes)


def test_text_of_a_token_is_shown_so_that_it_can_be_read():
    assert token_label(7, {}) == "7"
    assert token_label(7, {7: "a\n"}) == "7 a⏎"
    long = token_label(7, {7: "<|additional_special_token_12|>"})
    assert long.startswith("7 <|addition")
    assert long.endswith("_token_12|>")
    assert len(long) < 30


def test_a_hidden_pane_costs_nothing_and_is_right_when_shown(panel):
    panel.pane.hide()
    row = panel.row("draft_length")
    panel.settings.set("draft_length", 7)
    assert row.field.text() == "auto"
    panel.pane.show()
    assert row.field.text() == "7"


def test_another_chat_shows_its_own_values(panel):
    panel.type("draft_length", "5")
    panel.type("ngram_max", "lots")
    panel.settings.use_chat({"ngram_max": 6})
    assert panel.row("draft_length").field.text() == "auto"
    assert panel.row("ngram_max").field.text() == "6"
    assert shown(panel.row("ngram_max").problem) == ""


def test_everything_is_within_the_keyboards_reach_and_has_a_name(panel):
    panel.type("draft_length", "5")
    controls = [
        w
        for w in panel.pane.findChildren(QWidget)
        if isinstance(w, QAbstractButton | QLineEdit) and w.isVisible()
    ]
    assert len(controls) > len(FLAGS)
    for control in controls:
        assert control.focusPolicy() & Qt.FocusPolicy.TabFocus
        assert control.accessibleName()
    panel.pane.activateWindow()
    first = panel.row("enabled").field
    first.setFocus()
    seen = [first]
    while True:
        QTest.keyClick(seen[-1], Qt.Key.Key_Tab)
        now = QApplication.focusWidget()
        if now is first or now is None:
            break
        assert now not in seen
        seen.append(now)
    assert set(seen) == set(controls)
    fields = [panel.row(name).field for name in FLAGS if name != "extra_excluded"]
    assert [w for w in seen if w in fields] == fields


def test_nothing_is_cut_off_at_the_docks_width(panel):
    panel.type("draft_length", "5")
    for name in FLAGS:
        row = panel.row(name)
        assert row.width() <= WIDTH
        for item in row.foot.items:
            if item.isVisible():
                assert item.geometry().right() < row.foot.width()
                assert item.geometry().bottom() < row.foot.height()
                assert item.width() >= min(item.sizeHint().width(), row.foot.width())
        assert row.words.height() >= row.words.heightForWidth(row.words.width())
