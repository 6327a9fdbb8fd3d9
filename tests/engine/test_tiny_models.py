"""The tiny models are worth testing with: real caches, varied output, a block equals a chain."""

import mlx.core as mx
import pytest
from mlx.utils import tree_flatten
from mlx_lm.models.cache import make_prompt_cache

from engine import Finished, GenerationRequest, Message, SpeculationParams
from engine.generate import generate
from tests.fakes.tiny_configs import VOCABULARY, WINDOW
from tests.fakes.tiny_models import ARCHITECTURES, make_tiny, tiny_loaded
from tests.fakes.toy_tokenizer import ALPHABET, toy_tokenizer

PROMPT = tuple((7 * i + 3 * i * i) % VOCABULARY for i in range(2 * WINDOW + 3))
TOLERANCE = 1e-3

every_architecture = pytest.mark.parametrize("name", sorted(ARCHITECTURES))


def forward(model, caches, tokens):
    """Logits (num_tokens, vocabulary) of `tokens` behind what the caches hold."""
    logits = model(mx.array([list(tokens)]), cache=caches)[0]
    mx.eval(logits)
    return logits


@pytest.mark.tiny_model
@every_architecture
@pytest.mark.parametrize("width", [2, 5, 9])
def test_block_agrees_with_chain(name, width):
    model = make_tiny(name)
    chained, blocked = make_prompt_cache(model), make_prompt_cache(model)
    chain = mx.concatenate([forward(model, chained, [token]) for token in PROMPT])
    starts = range(0, len(PROMPT), width)
    block = mx.concatenate([forward(model, blocked, PROMPT[at : at + width]) for at in starts])
    difference = mx.abs(block - chain).max() / mx.abs(chain).max()
    assert difference.item() <= TOLERANCE


@pytest.mark.tiny_model
@every_architecture
def test_greedy_reply_is_varied_and_decided(name):
    model = make_tiny(name)
    assert {value.dtype for _, value in tree_flatten(model.parameters())} == {mx.float32}
    caches = make_prompt_cache(model)
    logits = forward(model, caches, PROMPT)[-1]
    reply, gaps = [], []
    for _ in range(40):
        best = mx.sort(logits)[-2:]
        gaps.append((best[1] - best[0]).item())
        reply.append(mx.argmax(logits).item())
        logits = forward(model, caches, reply[-1:])[-1]
    assert len(set(reply)) >= 5
    assert sorted(gaps)[len(gaps) // 2] > 0.05


def test_same_seed_gives_the_same_weights():
    first, again, other = (make_tiny("gpt_oss", seed) for seed in (0, 0, 1))
    pairs = zip(tree_flatten(first.parameters()), tree_flatten(again.parameters()), strict=True)
    assert all(mx.array_equal(left[1], right[1]).item() for left, right in pairs)
    assert not mx.array_equal(first.lm_head.weight, other.lm_head.weight).item()


def test_caches_cover_every_family():
    classes = set()
    for name in ARCHITECTURES:
        for entry in make_prompt_cache(ARCHITECTURES[name]()):
            classes.add(type(entry).__name__)
    wanted = {"KVCache", "RotatingKVCache", "ArraysCache", "CacheList", "ChunkedKVCache"}
    assert classes >= wanted
    assert len(ARCHITECTURES) >= 18


def test_toy_tokenizer_is_one_character_an_id():
    tokenizer = toy_tokenizer()
    ids = list(range(len(ALPHABET)))
    assert tokenizer.decode(ids) == ALPHABET
    assert tokenizer.encode(ALPHABET, add_special_tokens=False) == ids
    assert len(ALPHABET) == VOCABULARY


@pytest.mark.tiny_model
@pytest.mark.parametrize("name", ["llama", "gpt_oss", "qwen3_5", "falcon_h1"])
def test_a_tiny_model_is_a_loaded_model(name):
    model = tiny_loaded(name)
    request = GenerationRequest(
        messages=(Message("user", "one two one two one"),),
        speculation=SpeculationParams(enabled=False),
        max_tokens=6,
    )
    events = list(generate(model, request, job=1, is_cancelled=lambda: False))
    assert isinstance(events[-1], Finished)
    assert model.info.cache_families
