"""Token ids to text spans, one token at a time: no broken characters, and stop strings found."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from engine.errors import TokenizerError
from engine.events import StopReason
from engine.model.faults import Translated
from engine.step_record import TextSpan

_REPLACEMENT = "\ufffd"
_PATIENCE = 8  # tokens without printable text before the window is searched for a safe cut


class _Decoder:
    """Ids to printable pieces: a window of the last printed piece and what came after it.

    The printed piece stays in front so that a decoder which treats the first token differently
    (a stripped leading space) does so on both sides of the comparison.
    """

    __slots__ = ("_known", "_known_text", "_tokenizer", "_window")

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        self._window: list[int] = []
        self._known = 0
        self._known_text = ""

    def copy(self) -> "_Decoder":
        twin = _Decoder(self._tokenizer)
        twin._window = self._window.copy()
        twin._known = self._known
        twin._known_text = self._known_text
        return twin

    def push(self, token: int) -> tuple[int, str] | None:
        """Take a token; the piece (number of tokens, text) that became printable, if any."""
        self._window.append(token)
        text = self._decode(self._window)
        if len(text) > len(self._known_text) and not text.endswith(_REPLACEMENT):
            return self._print(len(self._window), text)
        waiting = len(self._window) - self._known
        return self._settle(text) if waiting % _PATIENCE == 0 else None

    def flush(self) -> tuple[int, str] | None:
        """The rest as it stands, broken characters included."""
        if len(self._window) == self._known:
            return None
        return self._print(len(self._window), self._decode(self._window))

    def _decode(self, ids: list[int]) -> str:
        with Translated(TokenizerError, "The model's tokenizer fails on this reply."):
            return str(self._tokenizer.decode(ids))

    def _settle(self, text: str) -> tuple[int, str] | None:
        """Bytes that are broken for good: print up to a cut that later tokens cannot change."""
        for cut in range(len(self._window) - 1, self._known, -1):
            head = self._decode(self._window[:cut])
            if head + self._decode(self._window[cut:]) == text:
                return self._print(cut, head)
        return None

    def _print(self, cut: int, text: str) -> tuple[int, str]:
        piece = (cut - self._known, text[len(self._known_text) :])
        anchor = min(self._known, cut - 1)
        self._window = self._window[anchor:]
        self._known = cut - anchor
        self._known_text = self._decode(self._window[: self._known])
        return piece


class Detokenizer:
    """What of a reply can be shown so far, as spans; and where the reply has to stop.

    Every token belongs to exactly one span. The spans' texts joined are `tokenizer.decode` of the
    ids before the stop token (for a stop string: up to where it starts). Text that could begin a
    stop string is held back, with whole spans.
    """

    __slots__ = ("_decoder", "_held", "_lead", "_next", "_stop_ids", "_stop_strings", "_stopped")

    def __init__(
        self, tokenizer: Any, stop_ids: frozenset[int], stop_strings: Sequence[str] = ()
    ) -> None:
        self._decoder = _Decoder(tokenizer)
        self._stop_ids = stop_ids
        self._stop_strings = tuple(text for text in stop_strings if text)
        # Index of the next token that gets a span; below 0 for those a continued reply had before.
        self._next = 0
        self._lead = ""  # text of those, held back until a new token comes
        self._held: list[TextSpan] = []
        self._stopped: StopReason | None = None

    def copy(self) -> "Detokenizer":
        """An independent twin at the same place."""
        twin = Detokenizer.__new__(Detokenizer)
        twin._decoder = self._decoder.copy()
        twin._stop_ids = self._stop_ids
        twin._stop_strings = self._stop_strings
        twin._next = self._next
        twin._lead = self._lead
        twin._held = self._held.copy()
        twin._stopped = self._stopped
        return twin

    def resume(self, tokens: Sequence[int]) -> str:
        """Take in, before all else, what a continued reply has; its text but for what is held.

        Spans count from the next token on, and text that was held goes with the first of them.
        """
        shown: list[TextSpan] = []
        for token in tokens:
            self._hold(self._decoder.push(token))
            shown.extend(self._release_safe())
        held = "".join(span.text for span in self._held)
        if any(stop in held for stop in self._stop_strings):
            shown.extend(self._release_all())
        self._next -= len(tokens)
        self._held = [replace(span, first=span.first - len(tokens)) for span in self._held]
        return "".join(span.text for span in shown)

    def scan(self, tokens: Sequence[int]) -> tuple[int, StopReason | None]:
        """How many of `tokens` may be emitted, first stop included, and why; changes nothing."""
        if not self._stop_strings:
            for index, token in enumerate(tokens):
                if token in self._stop_ids:
                    return index + 1, "eos"
            return len(tokens), None
        probe = self.copy()
        for index, token in enumerate(tokens):
            probe._take(token)
            if probe._stopped is not None:
                return index + 1, probe._stopped
        return len(tokens), None

    def feed(self, tokens: Sequence[int]) -> tuple[TextSpan, ...]:
        """Commit emitted tokens; the spans that became printable."""
        ready: list[TextSpan] = []
        for token in tokens:
            ready.extend(self._take(token))
        return self._of_new_tokens(ready)

    def finish(self) -> tuple[TextSpan, ...]:
        """The reply is over: all that was held back, cut where a stop string starts."""
        self._hold(self._decoder.flush())
        self._cut_at_stop_string()
        told = self._of_new_tokens(self._release_all())
        # Stopped again before any new token.
        return (*told, TextSpan(0, 0, self._lead)) if self._lead else told

    def _of_new_tokens(self, spans: Sequence[TextSpan]) -> tuple[TextSpan, ...]:
        told = []
        for span in spans:
            end = span.first + span.num_tokens
            if end <= 0:
                self._lead += span.text
                continue
            first = max(span.first, 0)
            told.append(TextSpan(first, end - first, self._lead + span.text))
            self._lead = ""
        return tuple(told)

    def _take(self, token: int) -> list[TextSpan]:
        if self._stopped is not None:
            self._hold((1, ""))
            return self._release_all()
        if token in self._stop_ids:
            self._hold(self._decoder.flush())
            self._cut_at_stop_string()
            self._hold((1, ""))
            self._stopped = "eos"
            return self._release_all()
        piece = self._decoder.push(token)
        if piece is None:
            return []
        self._hold(piece)
        if self._cut_at_stop_string():
            self._stopped = "stop_string"
            return self._release_all()
        return self._release_safe()

    def _hold(self, piece: tuple[int, str] | None) -> None:
        if piece is not None:
            num_tokens, text = piece
            self._held.append(TextSpan(self._next, num_tokens, text))
            self._next += num_tokens

    def _release_all(self) -> list[TextSpan]:
        ready, self._held = self._held, []
        return ready

    def _release_safe(self) -> list[TextSpan]:
        """Release the spans that end before anything that could still become a stop string."""
        if not self._stop_strings:
            return self._release_all()
        text = "".join(span.text for span in self._held)
        safe = len(text) - max(_overlap(text, stop) for stop in self._stop_strings)
        end = count = 0
        for span in self._held:
            end += len(span.text)
            if end > safe:
                break
            count += 1
        ready, self._held = self._held[:count], self._held[count:]
        return ready

    def _cut_at_stop_string(self) -> bool:
        """Drop held text from the first stop string on; whether there was one."""
        text = "".join(span.text for span in self._held)
        starts = [text.find(stop) for stop in self._stop_strings]
        room = min((start for start in starts if start >= 0), default=-1)
        if room < 0:
            return False
        for index, span in enumerate(self._held):
            self._held[index] = TextSpan(span.first, span.num_tokens, span.text[:room])
            room -= len(self._held[index].text)
        return True


def _overlap(text: str, stop: str) -> int:
    """Length of the longest end of `text` that begins `stop` without being all of it."""
    for length in range(min(len(text), len(stop) - 1), 0, -1):
        if text.endswith(stop[:length]):
            return length
    return 0
