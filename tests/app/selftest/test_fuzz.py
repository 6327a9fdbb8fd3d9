"""Damaged files of every kind: each is read as sound, or ends in a sentence."""

import pytest

from tests.bench.fuzz import fuzz
from tests.bench.readers import cases

NUM = 40


@pytest.mark.parametrize("kind", ["traces", "settings", "stores", "models", "gguf"])
def test_damage_ends_in_a_sentence(tmp_path, qapp, kind):
    case = cases(tmp_path / "seed")[kind]
    tally = fuzz(kind, case, NUM, tmp_path)
    assert tally.failures == []
    assert sum(tally.ends.values()) == NUM
    # Damage that no reader notices would try nothing.
    assert tally.ends["a sentence"] > 0
