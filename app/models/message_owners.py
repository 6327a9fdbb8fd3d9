"""Whose text the messages of a prompt are, in the conversation that is on screen."""

from app.models.exchange import Exchange
from engine import Message


def owners(
    exchanges: list[Exchange], exchange: Exchange, messages: tuple[Message, ...]
) -> dict[int, tuple[Exchange, bool]]:
    """Of each message that is on screen: its exchange, and whether it is the reply there.

    Texts decide, from the last message back: an exchange that was not answered was left out of the
    prompt, and one that was answered again since reads differently.
    """
    found: dict[int, tuple[Exchange, bool]] = {}
    number = len(messages) - 1
    if number >= 0 and messages[number].content == exchange.prompt:
        found[number] = exchange, False
        number -= 1
    for earlier in reversed(exchanges[: exchanges.index(exchange)]):
        pair = [message.content for message in messages[max(number - 1, 0) : number + 1]]
        if number < 1 or pair[0] != earlier.prompt or not earlier.reply.pieces:
            continue
        if reply_offset(earlier, pair[1]) is not None:
            found[number] = earlier, True
        found[number - 1] = earlier, False
        number -= 2
    return found


def reply_offset(exchange: Exchange, content: str) -> int | None:
    """Where, in the text of its reply, a message begins; None where it is not from there.

    What was thought before an answer is not told to later turns.
    """
    text, start = exchange.reply.text, exchange.reply.answer_start
    if text[start:] == content:
        return start
    return 0 if text == content else None
