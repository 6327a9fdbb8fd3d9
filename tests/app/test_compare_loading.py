"""A trace opened without a model: the comparison offers to load the one that wrote it."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

LOCAL = Path(__file__).parents[1] / "traces" / "local.jsonl"


def test_compare_loads_the_model_that_a_trace_needs(make_desk):
    desk = make_desk(is_loaded=False)
    desk.wait(desk.session.open(LOCAL))
    desk.do(lambda: desk.window.show_pane("compare"))
    pane, model = desk.window.compare, desk.session.model
    assert model.info is None
    assert pane.obstacle.button.isVisible()

    async def loading() -> None:
        QTest.mouseClick(pane.obstacle.button, Qt.MouseButton.LeftButton)
        await desk.until(lambda: model.stage == "ready")

    desk.wait(loading())
    assert model.name == "demo"
    # The scripted worker has another model whatever is asked for: it alone is in the way now.
    assert "is loaded; load Demo model" in pane.hint.text()
