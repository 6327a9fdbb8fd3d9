"""What a reader may do with a damaged file: take it as sound, or say a sentence."""


class UnsoundError(Exception):
    """A reader did something that it must not."""


def said(*sentences: str | None) -> str:
    """What was said; an error where it is no sentence for a person."""
    spoken = [sentence for sentence in sentences if sentence]
    for sentence in spoken:
        is_short = len(sentence) < 2_000 and "\n" not in sentence
        if not (is_short and sentence.endswith((".", "”")) and "Traceback" not in sentence):
            raise UnsoundError(f"no sentence: {sentence[:400]!r}")
    return "a sentence" if spoken else "sound"
