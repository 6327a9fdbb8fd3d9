"""What is asked twice at once is asked once; a reply that cannot go on stays as it was."""

import pytest

from engine import Failed
from tests.fakes.scripted_worker import reply_events, saying, steps_of, tokens_of


def quiet(desk):
    """Wait until nothing is asked any more."""
    desk.settle()
    desk.wait(desk.until(lambda: not desk.controller.is_busy))


def test_a_second_question_in_the_same_turn_is_not_asked(make_desk):
    desk = make_desk(saying("An answer."))
    desk.do(lambda: [desk.controller.send(words) for words in ("one", "two")])
    quiet(desk)
    assert [each.prompt for each in desk.chats.current.exchanges] == ["one"]
    assert len(desk.worker.requests) == 1
    desk.do(lambda: desk.controller.send("three"))
    quiet(desk)
    assert len(desk.worker.requests) == 2


def test_trying_again_twice_writes_one_reply(make_desk):
    desk = make_desk(saying("An answer."))
    exchange = desk.chats.current.ask("one")
    exchange.reply.apply(Failed(0, "No."))
    desk.do(lambda: [desk.controller.retry(exchange) for _ in range(2)])
    quiet(desk)
    assert len(desk.worker.requests) == 1
    assert exchange.reply.text == "An answer."


@pytest.mark.parametrize("num_events", [0, 3])
def test_a_reply_that_cannot_go_on_is_as_it_was(make_desk, num_events):
    desk = make_desk()
    tokens = tokens_of("Some words that were stopped")

    def script(job, request):
        events = reply_events(job, request, steps_of(tokens), "max_tokens")
        if len(desk.worker.requests) == 1:
            yield from events
            return
        for _ in range(num_events):
            yield next(events)
        yield Failed(job, "The context is full.", kind="context_full")

    desk.worker._script = script
    reply = desk.ask()
    before = (reply.text, reply.phase, reply.stop, reply.final, reply.finished, reply.request)
    said, ended = [], []
    desk.session.failures.reported.connect(said.append)
    desk.controller.answered.connect(lambda *_: ended.append(True))
    desk.wait(desk.controller.go_on(desk.chats.current, desk.chats.current.exchanges[0]))
    after = (reply.text, reply.phase, reply.stop, reply.final, reply.finished, reply.request)
    assert len(desk.worker.requests) == 2
    assert after == before
    assert reply.failure is None
    assert said == ["The context is full."]
    assert not ended
