"""Reruns one after the other: what is asked, stopping, failures, busyness, closing."""

from dataclasses import replace

import pytest

from app.controllers.compare import CompareController
from app.models.chat_settings import ChatSettings
from app.models.comparison import Comparison
from app.models.rerun import asked_of
from app.models.variants import offered_variants
from engine import Failed, SamplingParams
from tests.fakes.scripted_worker import reply_events, saying, steps_of, tokens_of

TEXT = "The same words as ever. " * 6
BASE = ("again, as it was", "speculation off")


class Bench:
    """A desk with a comparison on it."""

    def __init__(self, desk):
        self.desk, session = desk, desk.session
        self.comparison = Comparison(session.window)
        self.controller = CompareController(
            desk.controller, self.comparison, session.model, session.failures, session.window
        )

    def ways(self, reply, *labels):
        info = self.desk.session.model.info
        offered = offered_variants(asked_of(reply, reply.config, info), reply.config, info)
        return [each for label in labels for each in offered if each.label == label]

    def start(self, reply, *labels):
        self.desk.do(lambda: self.controller.start(reply, self.ways(reply, *labels)))

    def finish(self):
        self.desk.wait(self.desk.until(lambda: not self.comparison.is_running))
        self.desk.settle()

    @property
    def states(self):
        return [row.state for row in self.comparison.rows]


def test_variants_run_in_order_with_the_same_seed_and_without_reuse(make_desk):
    desk = make_desk(saying(TEXT))
    bench = Bench(desk)
    desk.chats.current.set_settings(ChatSettings(sampling=SamplingParams(temperature=0.6, seed=41)))
    reply = desk.ask("Say it")
    running = []
    desk.controller.running_changed.connect(running.append)
    bench.start(reply, *BASE, "replay off (discard)", "draft length 2")
    bench.finish()
    first, *others = desk.worker.requests
    assert len(others) == 4
    assert [request.speculation.enabled for request in others] == [True, False, True, True]
    assert [request.speculation.replay for request in others] == [True, True, False, True]
    assert [request.speculation.draft_length for request in others] == [None, None, None, 2]
    for request in others:
        assert request == replace(first, speculation=request.speculation, reuse=False)
        assert request.sampling.seed == 41
        assert request.num_alternatives > 0
    assert [owner is bench.comparison for owner in running] == [True, False] * 4
    assert bench.states == ["done"] * 5
    rows = bench.comparison.rows
    assert [row.label for row in rows[1:3]] == list(BASE)
    assert rows[0].reply is reply
    assert all(row.ids.verdict == "equal" for row in rows[1:])
    assert bench.comparison.yardstick is rows[2]
    assert bench.comparison.numbers(rows[2]).forwards == len(tokens_of(TEXT))


def test_the_first_row_is_never_run(make_desk):
    desk = make_desk(saying(TEXT))
    bench = Bench(desk)
    reply = desk.ask()
    bench.start(reply, "speculation off")
    bench.finish()
    assert len(desk.worker.requests) == 2
    assert desk.chats.current.exchanges[0].reply is reply


def test_stop_cancels_the_running_row_and_leaves_the_rest(make_desk):
    desk = make_desk(saying("ab " * 600), pace=0.0)
    bench = Bench(desk)
    reply = desk.ask()
    desk.worker._pace = 0.005
    bench.start(reply, *BASE, "draft length 5")
    rows = bench.comparison.rows
    desk.wait(desk.until(lambda: rows[1].reply.log.num_tokens > 3))
    desk.do(bench.controller.stop)
    bench.finish()
    assert bench.states == ["done", "cancelled", "not run", "not run"]
    assert rows[1].ids.verdict == "as far as both go"
    assert rows[1].ids.num_equal == rows[1].reply.log.num_tokens
    assert len(desk.worker.requests) == 2
    assert not desk.controller.is_busy


def test_stopping_the_reply_anywhere_else_stops_the_comparison(make_desk):
    desk = make_desk(saying("ab " * 600))
    bench = Bench(desk)
    reply = desk.ask()
    desk.worker._pace = 0.005
    bench.start(reply, *BASE)
    desk.wait(desk.until(lambda: bench.comparison.rows[1].reply.log.num_tokens > 3))
    desk.do(desk.controller.stop)
    bench.finish()
    assert bench.states == ["done", "cancelled", "not run"]


def test_stop_before_the_first_row_runs_nothing(make_desk):
    desk = make_desk(saying(TEXT))
    bench = Bench(desk)
    reply = desk.ask()

    def start_and_stop():
        bench.controller.start(reply, bench.ways(reply, *BASE))
        bench.controller.stop()

    desk.do(start_and_stop)
    bench.finish()
    assert bench.states == ["done", "not run", "not run"]
    assert len(desk.worker.requests) == 1


def test_a_failure_ends_in_its_row_and_the_others_run(make_desk):
    def script(job, request):
        records = steps_of(tokens_of(TEXT), plain=not request.speculation.enabled)
        if request.speculation.draft_length == 10:
            yield from list(reply_events(job, request, records))[:6]
            yield Failed(job, "The model ran out of memory; ask for less.")
        else:
            yield from reply_events(job, request, records)

    desk = make_desk(script)
    bench = Bench(desk)
    reply = desk.ask()
    bench.start(reply, "draft length 10", "speculation off")
    bench.finish()
    assert bench.states == ["done", "failed", "done"]
    row = bench.comparison.rows[1]
    assert row.failure == "The model ran out of memory; ask for less."
    assert row.ids.verdict == "as far as both go"


def test_a_request_the_engine_refuses_fails_in_its_row(make_desk):
    desk = make_desk(saying(TEXT))
    bench = Bench(desk)
    reply = desk.ask()
    desk.worker.close()
    bench.start(reply, *BASE)
    bench.finish()
    assert bench.states == ["done", "failed", "failed"]
    assert "closed" in bench.comparison.rows[1].failure


def test_nothing_starts_while_a_reply_is_written_and_the_reason_goes_with_it(make_desk):
    desk = make_desk(saying("ab " * 40))
    bench = Bench(desk)
    reply = desk.ask()
    desk.worker._pace = 0.003
    desk.do(lambda: desk.controller.send("again"))
    desk.wait(desk.until(lambda: desk.controller.is_busy))
    bench.start(reply, *BASE)
    assert "being written" in bench.comparison.refusal
    assert bench.comparison.rows == []
    desk.wait(desk.until(lambda: not desk.controller.is_busy))
    assert bench.comparison.refusal == ""
    assert len(desk.worker.requests) == 2


@pytest.mark.parametrize(
    ("is_sent_first", "states"), [(True, []), (False, ["done", "not run", "not run"])]
)
def test_a_message_sent_in_the_same_moment_goes_first(make_desk, is_sent_first, states):
    desk = make_desk(saying(TEXT))
    bench = Bench(desk)
    reply = desk.ask()
    refusals = []
    bench.comparison.changed.connect(lambda: refusals.append(bench.comparison.refusal))
    deeds = [
        lambda: desk.controller.send("another"),
        lambda: bench.controller.start(reply, bench.ways(reply, *BASE)),
    ]

    def both():
        for deed in deeds if is_sent_first else reversed(deeds):
            deed()

    desk.do(both)
    bench.finish()
    desk.wait(desk.until(lambda: not desk.controller.is_busy))
    assert bench.states == states
    assert any("being written" in refusal for refusal in refusals)
    assert len(desk.worker.requests) == 2


def test_a_comparison_cannot_be_started_twice(make_desk):
    desk = make_desk(saying(TEXT))
    bench = Bench(desk)
    reply = desk.ask()

    def twice():
        bench.controller.start(reply, bench.ways(reply, *BASE))
        bench.controller.start(reply, bench.ways(reply, "draft length 2"))

    desk.do(twice)
    bench.finish()
    assert [row.label for row in bench.comparison.reruns] == list(BASE)


def test_another_model_and_an_empty_choice_are_refused_in_a_sentence(make_desk):
    desk = make_desk(saying(TEXT))
    bench = Bench(desk)
    reply = desk.ask()
    bench.start(reply)
    assert bench.comparison.refusal == "Choose at least one way to run the reply again."
    reply.started = replace(reply.started, model="zebra")
    bench.start(reply, *BASE)
    assert "zebra" in bench.comparison.refusal
    assert len(desk.worker.requests) == 1


def test_closing_the_window_in_the_middle_is_safe(make_desk):
    desk = make_desk(saying("ab " * 200))
    bench = Bench(desk)
    reply = desk.ask()
    desk.worker._pace = 0.005
    bench.start(reply, *BASE)
    desk.wait(desk.until(lambda: bench.comparison.rows[1].reply.log.num_tokens > 3))
    reported = []
    desk.session.failures.reported.connect(reported.append)
    desk.wait(desk.session.failures.stop_all())
    assert bench.states == ["done", "cancelled", "not run"]
    assert reported == []
