"""Long tooltips come in lines, and what belongs together stays together."""

from app.views.tooltip import wrapped


def test_a_sentence_is_broken_and_a_figure_is_not():
    words = (
        "A step with a draft took 387\u00a0ms for 5.5 tokens; plain decoding takes 50\u00a0ms " * 3
    )
    shown = wrapped(words)
    assert shown.replace("\n", " ") == words.strip()
    assert 1 < max(len(line) for line in shown.split("\n")) <= 64
    assert "\u00a0\n" not in shown
    assert shown.count("387\u00a0ms") == 3


def test_what_is_short_stays_as_it_is():
    assert wrapped("Speculation off. as set for the next reply") == (
        "Speculation off. as set for the next reply"
    )
    assert wrapped("") == ""
