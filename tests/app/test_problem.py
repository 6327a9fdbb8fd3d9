"""A problem's sentence, its fold of details, and the report that is copied."""

from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication

from app.models.report import model_words, report_text
from app.theme import Theme
from app.views.problem import ProblemView
from engine import VERSION
from tests.fakes.scripted_worker import INFO

SENTENCE = "The weights of big-4bit are damaged; download the model again."
DETAILS = "ValueError: shape\n  expected (3, 4)"


@pytest.fixture
def view(qtbot):
    view = ProblemView(Theme("light", QGuiApplication.instance()))
    qtbot.addWidget(view)
    view.show()
    return view


def test_the_sentence_stands_alone_until_details_are_asked_for(view):
    view.show_problem(SENTENCE, DETAILS, "the report")
    assert view.sentence.text() == view.accessibleName() == SENTENCE
    assert view.details.isHidden()
    view.fold.click()
    assert view.details.isVisible()
    assert view.details.toPlainText() == DETAILS
    assert view.details.accessibleName()
    view.fold.click()
    assert view.details.isHidden()


def test_what_is_not_there_has_no_button(view):
    view.show_problem(SENTENCE)
    assert view.fold.isHidden()
    assert view.copy.isHidden()


def test_the_report_is_copied_and_said_to_be(view):
    view.show_problem(SENTENCE, DETAILS, "the report")
    view.copy.click()
    assert QGuiApplication.clipboard().text() == "the report"
    assert view.copy.text() == "Copied"
    view.show_problem("Another.", "", "its report")
    assert view.copy.text() == "Copy report"


def test_markup_in_a_sentence_is_text(view):
    view.show_problem("<b>bold</b> &amp; <img src=x>")
    assert view.sentence.text() == "<b>bold</b> &amp; <img src=x>"
    assert view.sentence.textFormat().name == "PlainText"


def test_a_report_has_versions_machine_model_and_details():
    report = report_text(SENTENCE, DETAILS, model_words("demo", INFO))
    for part in (f"Draftscope {VERSION}", "Python 3.", "mlx ", SENTENCE, DETAILS, "8-bit"):
        assert part in report
    assert "recurrent and attention" in report


def test_a_report_does_not_name_the_person(monkeypatch):
    monkeypatch.setattr(Path, "home", lambda: Path("/home/somebody"))
    report = report_text("No folder at /home/somebody/models/x.", "in /home/somebody/y", "x")
    assert "somebody" not in report
    assert "~/models/x" in report


def test_a_report_without_model_or_details_has_no_empty_parts():
    report = report_text(SENTENCE, "")
    assert "Model:" not in report
    assert report.endswith(f"\n\n{SENTENCE}\n")
