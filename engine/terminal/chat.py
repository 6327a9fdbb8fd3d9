"""`chat`: one prompt, one reply, as streaming text or as one JSON object."""

import dataclasses
import sys

from engine import GenerationRequest, RequestError
from engine.terminal import output
from engine.terminal.arguments import Arguments
from engine.terminal.session import Reply, Session
from engine.terminal.tasks import conversation

_ENDINGS = {
    "eos": "the model ended it",
    "stop_string": "a stop string came",
    "max_tokens": "the token limit was reached",
    "context_full": "the context is full",
    "cancelled": "it was cancelled",
    "failed": "it failed",
}


def run(arguments: Arguments) -> int:
    """Answer the prompt; returns the exit code."""
    request = _request(arguments)
    with Session() as session:
        session.load(arguments.model)
        on_text = None if arguments.json else output.text
        reply = session.reply(request, trace=arguments.trace, on_text=on_text)
    if arguments.json:
        output.json_object(_as_json(reply))
    else:
        output.text("\n")
        output.note(_summary(reply))
    return 0


def _request(arguments: Arguments) -> GenerationRequest:
    prompt = _stdin() if arguments.prompt == "-" else arguments.prompt
    return GenerationRequest(
        messages=conversation(prompt, arguments.system),
        sampling=arguments.sampling(),
        speculation=arguments.speculation(),
        max_tokens=arguments.max_tokens,
    )


def _stdin() -> str:
    if sys.stdin is None:
        raise RequestError("There is no stdin to read the prompt from; give it as --prompt TEXT.")
    try:
        return sys.stdin.read()
    except (OSError, ValueError) as error:
        raise RequestError(f"The prompt on stdin cannot be read: {error}.") from error


def _as_json(reply: Reply) -> dict[str, object]:
    return {
        "text": reply.text,
        "ids": reply.ids,
        "prompt_ids": reply.started.prompt_ids,
        "origins": reply.origins,
        "reason": reply.finished.reason,
        "stats": dataclasses.asdict(reply.finished.stats),
        "config": dataclasses.asdict(reply.started.config),
        "health": dataclasses.asdict(reply.finished.health),
        "speculation": _speculation(reply),
    }


def _speculation(reply: Reply) -> dict[str, str]:
    """Whether drafts were on, paused or off at the end of the reply, and why."""
    config = reply.started.config
    if reply.changes:
        last = reply.changes[-1]
        return {"state": "on" if last.active else "paused", "reason": last.reason}
    return {"state": "on" if config.enabled else "off", "reason": config.reason}


def _summary(reply: Reply) -> str:
    stats, state = reply.finished.stats, _speculation(reply)
    speculation = f"speculation {state['state']} ({state['reason']})"
    return (
        f"[{stats.emitted} tokens in {stats.forwards} forward passes, "
        f"{output.number(stats.decode_tps)} tokens/s, "
        f"acceptance {output.number(stats.acceptance, 2)}, {speculation}; "
        f"{_ENDINGS[reply.finished.reason]}]"
    )
