"""A model that was left by a bad end is named; one that is in use, in any way, stays on disk."""

from dataclasses import replace

import pytest

from app.main.marker import Marker
from tests.app.test_model_room import own_cache, settled

__all__ = ["own_cache"]


@pytest.mark.parametrize(("start", "is_said"), [("demo", True), ("/models/big", False)])
def test_a_bad_end_is_said_where_another_model_is_loaded(make_desk, tmp_path, start, is_said):
    desk = make_desk(is_loaded=False)
    session, said = desk.session, desk.window.middle.saying
    session.marker = session.loader.marker = Marker(tmp_path / "mark")
    session.marker.put("/models/big")
    session._arguments = replace(
        session._arguments, model=start, names_model=True, loads_model=True
    )
    desk.wait(session._begin(None))
    settled(desk)
    assert session.model.stage == "ready"
    assert ("while big was in use" in said.sentence) == is_said
    assert said.action.isVisible() == is_said


def test_what_is_in_use_in_any_way_may_not_be_deleted(make_desk):
    desk = make_desk(is_loaded=False)
    room, model = desk.session.room, desk.session.model
    assert room.shelf.in_use() == ""
    model.begin("/models/a")
    assert room.shelf.in_use() == "/models/a"
    desk.wait(desk.controller.load("/models/a"))
    assert room.shelf.in_use() == "/models/a"
    desk.do(desk.session.loader._rest)
    settled(desk)
    assert (model.stage, model.is_resting) == ("none", True)
    assert room.shelf.in_use() == "/models/a"
    desk.wait(desk.session.loader.unload())
    assert room.shelf.in_use() == ""
