"""A hub that trips or cannot be named is a sentence, and the next thing asked is answered."""

import logging

from PySide6.QtGui import QDesktopServices

from app.fetching.found import FetchError
from tests.app.library.test_hub_asking import at_rest


def test_a_hub_that_trips_is_a_refusal_and_the_next_is_answered(make_queue, qtbot, caplog):
    queue = make_queue()
    queue.hub.refusals = {each: RecursionError("a mistake") for each in ("a/b", "odd")}
    with caplog.at_level(logging.CRITICAL):
        for text in ("odd", "odd 2", "odd"):
            queue.controller.asker.search(text)
            at_rest(qtbot, queue)
        for _ in range(3):
            queue.controller.asker.look("a/b")
            at_rest(qtbot, queue)
    assert queue.search.stage == "failed"
    assert queue.search.sizes["a/b"].fault == "server"
    queue.controller.asker.search("fine")
    at_rest(qtbot, queue)
    assert queue.search.stage == "found"


def test_an_address_that_cannot_be_used_is_said_for_a_page_too(make_queue, monkeypatch):
    queue = make_queue()
    opened = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url) or True)

    def refuse(_hub):
        raise FetchError("offline", "The hub's address is not usable; check HF_ENDPOINT.")

    monkeypatch.setattr(type(queue.hub), "endpoint", property(refuse))
    queue.controller.asker.show_page("a/b")
    assert queue.said == ["The hub's address is not usable; check HF_ENDPOINT."]
    assert opened == []


def test_only_what_was_asked_for_just_now_fails_without_a_network(make_queue, tmp_path):
    queue = make_queue()
    first = queue.controller.request("a/first", False)
    second = queue.controller.request("a/second", False)
    assert queue.fetcher.patient == []
    queue.fetcher.end(tmp_path)
    queue.drain()
    assert queue.fetcher.patient == [second]
    queue.controller.close()
    again = make_queue()
    assert again.fetcher.patient == [second]
    again.controller.pause(second)
    again.fetcher.stop()
    again.drain()
    again.controller.resume(second)
    assert again.fetcher.running == [second]
    assert again.fetcher.patient == [second]
    assert first != second
