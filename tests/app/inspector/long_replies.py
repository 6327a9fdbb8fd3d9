"""Replies of any length in the scripted worker's shapes, made without a worker."""

from dataclasses import replace

from app.models.reply import Reply
from engine import GenerationRequest, Message, Started, Stepped
from tests.fakes.scripted_worker import reply_events, steps_of, tokens_of


def started_reply() -> Reply:
    """A reply that has begun."""
    request = GenerationRequest(messages=(Message("user", "hi"),))
    reply = Reply(request)
    reply.apply(next(e for e in reply_events(1, request, []) if isinstance(e, Started)))
    return reply


def grow(reply: Reply, num_steps: int) -> None:
    """More steps, in the shapes of the scripted worker."""
    shapes = steps_of(tokens_of("word " * 60))[:9]
    for _ in range(num_steps):
        index = len(reply.log)
        record = shapes[index % len(shapes)]
        reply.apply(Stepped(1, replace(record, index=index, time=0.4 + 0.03 * index)))
