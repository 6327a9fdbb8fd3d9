"""What is asked of the hub: the last search, each model once, and a key that is kept."""

from threading import Event

from app.fetching.found import FetchError, RemoteModel

OFFLINE = FetchError("offline", "There is no way to the hub.")
GATED = FetchError("gated", "Accept its terms on its page first.")


def at_rest(qtbot, queue):
    asker = queue.controller.asker
    qtbot.waitUntil(lambda: not asker._timer.isActive() and not asker._quiet.isActive())


def test_typing_fast_asks_once(make_queue, qtbot):
    queue = make_queue()
    for text in ("q", "qw", "qwe", " qwen  3 "):
        queue.controller.asker.search(text)
    assert (queue.search.stage, queue.search.text) == ("searching", "qwen 3")
    at_rest(qtbot, queue)
    assert queue.hub.texts() == ["qwen 3"]
    assert [each.repo for each in queue.search.results] == ["maker/qwen 3"]
    queue.controller.asker.search("qwen 3")
    at_rest(qtbot, queue)
    assert queue.hub.texts() == []


def test_an_answer_that_comes_too_late_is_dropped(make_queue, qtbot):
    queue = make_queue()
    queue.hub.held["slow"] = Event()
    queue.controller.asker.search("slow")
    qtbot.waitUntil(lambda: queue.hub.asked.qsize() == 1)
    queue.controller.asker.search("fast")
    qtbot.waitUntil(lambda: queue.search.stage == "found")
    queue.hub.held["slow"].set()
    at_rest(qtbot, queue)
    assert [each.repo for each in queue.search.results] == ["maker/fast"]


def test_an_emptied_field_looks_for_nothing(make_queue, qtbot):
    queue = make_queue()
    queue.controller.asker.search("model")
    queue.controller.asker.search("  ")
    at_rest(qtbot, queue)
    assert queue.search.stage == "idle"
    assert queue.hub.texts() == []


def test_a_refused_search_can_be_tried_again(make_queue, qtbot):
    queue = make_queue()
    queue.hub.refusals["model"] = OFFLINE
    queue.controller.asker.search("model")
    at_rest(qtbot, queue)
    assert (queue.search.stage, queue.search.error) == ("failed", OFFLINE)
    queue.hub.refusals.clear()
    queue.controller.asker.search("model")
    at_rest(qtbot, queue)
    assert queue.search.stage == "found"


def test_a_model_is_looked_at_once_and_again_after_a_refusal(make_queue, qtbot):
    queue = make_queue()
    queue.hub.refusals["m/gated"] = GATED
    looked = []
    queue.search.looked_at.connect(looked.append)
    for _ in range(3):
        queue.controller.asker.look("m/a")
        queue.controller.asker.look("m/gated")
    at_rest(qtbot, queue)
    queue.controller.asker.look("m/a")
    at_rest(qtbot, queue)
    assert sorted(looked) == ["m/a", "m/gated"]
    assert queue.search.sizes["m/a"].total_bytes == 1000
    assert queue.search.sizes["m/gated"] is GATED
    queue.hub.refusals.clear()
    queue.controller.asker.set_token("key")
    at_rest(qtbot, queue)
    qtbot.waitUntil(lambda: isinstance(queue.search.sizes["m/gated"], RemoteModel))
    at_rest(qtbot, queue)
    assert queue.kept == ["key"]


def test_a_look_that_failed_can_be_asked_again(make_queue, qtbot):
    queue = make_queue()
    queue.hub.refusals["m/a"] = OFFLINE
    told = []
    queue.search.looked_at.connect(lambda repo: told.append(queue.search.sizes.get(repo)))
    queue.controller.asker.look("m/a")
    at_rest(qtbot, queue)
    assert told == [OFFLINE]
    queue.hub.refusals.clear()
    queue.controller.asker.look("m/a")
    assert told == [OFFLINE, None], "while it is asked again nothing is known"
    at_rest(qtbot, queue)
    assert told[-1].total_bytes == 1000
    queue.controller.asker.look("m/a")
    at_rest(qtbot, queue)
    assert len(told) == 3, "what is known is not asked for"


def test_a_key_is_kept_forgotten_or_said_not_to_be(make_queue, qtbot):
    queue = make_queue()
    for text in ("key", "", "odd"):
        queue.controller.asker.set_token(text)
        at_rest(qtbot, queue)
    assert queue.said == ["The key is kept.", "The key is forgotten.", "The key could not be kept."]


def test_closing_does_not_wait_for_the_hub(make_queue, qtbot):
    queue = make_queue()
    held = queue.hub.held["slow"] = Event()
    queue.controller.asker.search("slow")
    qtbot.waitUntil(lambda: queue.hub.asked.qsize() == 1)
    queue.controller.asker.look("m/a")
    queue.controller.close()
    held.set()
    queue.controller.asker.search("more")
    queue.controller.asker.look("m/more")
    assert queue.search.stage in ("searching", "idle")
    assert queue.search.results == ()
