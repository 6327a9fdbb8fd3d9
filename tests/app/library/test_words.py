"""Figures in words, and whether a model fits."""

import math

import pytest

from app.models import model_words as words
from app.models.fit import Fit, fit
from engine import LayerGroup, MemoryNeed, ModelSurvey

GB = 1_000_000_000


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (None, "unknown"),
        (math.nan, "unknown"),
        (-1, "unknown"),
        (0, "0 bytes"),
        (999, "999 bytes"),
        (999.6, "1 kB"),
        (12_345, "12 kB"),
        (999_700_000, "1 GB"),
        (4.34e9, "4.3 GB"),
        (9.96e9, "10 GB"),
        (27e9, "27 GB"),
        (3e18, "3000 PB"),
        (10**400, "unknown"),
        (-(10**400), "unknown"),
        (math.inf, "unknown"),
    ],
)
def test_bytes(number, text):
    assert words.bytes_words(number) == text
    assert words.speed_words(number) == (text if text == "unknown" else f"{text}/s")


@pytest.mark.parametrize(
    ("number", "text"),
    [(None, "unknown"), (0, "unknown"), (596e6, "596 M"), (1.24e9, "1.2 B"), (27e9, "27 B")],
)
def test_parameters(number, text):
    assert words.parameters_words(number) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (None, "unknown"),
        (math.inf, "unknown"),
        (2, "under 5 s"),
        (41, "40 s"),
        (59, "1 min"),
        (200, "3 min"),
        (3599, "1 h"),
        (7_800, "2 h 10 min"),
        (40_000, "11 h"),
        (400_000, "5 days"),
    ],
)
def test_durations(seconds, text):
    assert words.duration_words(seconds) == text
    left = "unknown time left" if text == "unknown" else f"{text} left"
    assert words.left_words(seconds) == left


def test_progress():
    assert words.progress_words(1.2e9, 4.3e9) == "1.2 of 4.3 GB"
    assert words.progress_words(12e6, 4.3e9) == "12 MB of 4.3 GB"
    assert words.progress_words(12e6, None) == "12 MB"
    assert words.progress_words(None, 4e9) == "unknown"


def test_whether_it_fits():
    layers = (LayerGroup("attention", 10, 10_000, None, 0),)
    survey = ModelSurvey("/m", "m", weights_bytes=2 * GB, context_length=10_000, layers=layers)
    verdicts = {
        free: fit(survey, None, free).verdict for free in (2 * GB, 3 * GB, 7 * GB // 2, 5 * GB)
    }
    assert list(verdicts.values()) == ["does not fit", "tight", "tight", "fits"]
    assert fit(survey, 10, 3 * GB).verdict == "fits"
    assert fit(survey, None, None).verdict == "unknown"
    assert fit(ModelSurvey("/m", "m"), None, GB).verdict == "unknown"


def test_verdicts_in_words():
    need = MemoryNeed(8192, 4 * GB, GB, 0)
    assert words.fit_words(Fit("fits", need, 12 * GB)) == (
        "fits",
        "It takes about 5 GB with 8,192 tokens of context, and 12 GB is free.",
    )
    for verdict, free in (("tight", 6 * GB), ("does not fit", 3 * GB), ("unknown", None)):
        short, sentence = words.fit_words(Fit(verdict, need, free))
        assert short == verdict
        assert sentence.endswith(".")
        assert "5 GB" in sentence
    assert "smaller model" in words.fit_words(Fit("does not fit", need, 3 * GB))[1]
    assert "less context" in words.fit_words(Fit("does not fit", need, 9 * GB // 2))[1]
    assert words.fit_words(Fit("unknown", None, GB))[1].endswith("before it is loaded.")
