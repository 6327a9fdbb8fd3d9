"""A stopped reply that goes on is the reply that was never stopped: ids, text and counts."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from engine.errors import ContextFullError, RequestError
from engine.events import Event, Finished, Started, Stepped
from engine.generate import generate, prepare
from engine.model.loaded_model import LoadedModel
from engine.reference import reference
from engine.request import GenerationRequest, Message, SamplingParams, SpeculationParams
from engine.step_record import TextSpan
from engine.terminal.tasks import TASKS
from tests.fakes.counting_model import counting_loaded
from tests.fakes.scripted_drafter import ScriptedDrafter
from tests.fakes.talk import after
from tests.fakes.tiny_models import tiny_loaded

PLAIN = SpeculationParams(enabled=False)
NUM_TOKENS = 32
GREEDY, SAMPLED = SamplingParams(), SamplingParams(temperature=0.7, seed=11)
PENALISED = replace(SAMPLED, repetition_penalty=1.3, frequency_penalty=0.2, penalty_window=9)
LAWS = {"greedy": GREEDY, "sampled": SAMPLED, "penalised": PENALISED}
QUESTION = (Message("user", TASKS["partial"].prompt),)
QUESTIONED = GenerationRequest(QUESTION, speculation=PLAIN, max_tokens=NUM_TOKENS, reuse=False)
PROMPT = (5, 17, 3, 42, 8, 8, 23, 11, 30, 2, 9)


def never() -> bool:
    return False


class Told:
    """A reply by its events."""

    def __init__(self, events: list[Event]) -> None:
        self.started = next(event for event in events if isinstance(event, Started))
        self.steps = [event.record for event in events if isinstance(event, Stepped)]
        last = events[-1]
        assert isinstance(last, Finished)
        self.finished = last
        self.ids = tuple(token for step in self.steps for token in step.emitted)
        self.spans = [span for step in self.steps for span in step.spans]

    @property
    def text(self) -> str:
        """What is shown in the end, the earlier part included."""
        shown = "".join(span.text for span in (*self.spans, *self.finished.tail))
        return self.started.reply_text + shown


def told(
    model: LoadedModel,
    request: GenerationRequest,
    is_cancelled: Callable[[], bool] = never,
    truth: tuple[int, ...] | None = None,
) -> Told:
    """A reply; with `truth` it is drafted from that, sometimes wrongly."""
    drafter = None
    if truth is not None:
        asked = len(request.prompt_ids or ())
        drafter = ScriptedDrafter(truth, asked, [1, 0, 3], model.info.vocabulary_size)
    reply, _ = prepare(model, request, job=1, drafter=drafter)
    return Told(list(reply.run(is_cancelled)))


def assert_same(whole: Told, begun: Told, rest: Told) -> None:
    assert (*begun.ids, *rest.ids) == whole.ids
    assert rest.text == whole.text
    assert rest.started.prompt_ids == (*begun.started.prompt_ids, *begun.ids)
    assert rest.started.reply_length == len(begun.ids)
    assert rest.steps[0].position == len(rest.started.prompt_ids)
    position = 0
    for span in (*rest.spans, *rest.finished.tail):
        assert span.first == position
        assert span.num_tokens >= 1
        position += span.num_tokens
    assert position == len(rest.ids)


@pytest.fixture(scope="module")
def wholes(demo: LoadedModel) -> dict[str, Told]:
    """The demo model's reply under each law, never stopped, from scratch and without drafts."""
    return {law: told(demo, replace(QUESTIONED, sampling=LAWS[law])) for law in LAWS}


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("is_drafting", [False, True], ids=["plain", "drafts"])
def test_the_demo_model_goes_on_exactly(
    demo: LoadedModel, wholes: dict[str, Told], law: str, is_drafting: bool
) -> None:
    whole, num_first = wholes[law], 9
    speculation = SpeculationParams(draft_length=5) if is_drafting else PLAIN
    asked = replace(QUESTIONED, sampling=LAWS[law], speculation=speculation, reuse=True)
    begun = told(demo, replace(asked, max_tokens=num_first))
    assert begun.started.reply_length == 0
    goes_on = replace(asked, reply_ids=begun.ids, max_tokens=len(whole.ids) - num_first)
    rest = told(demo, goes_on)
    assert_same(whole, begun, rest)
    stats = rest.finished.stats
    assert (stats.drafted > 0) == is_drafting
    if law != "penalised":  # whose text hardly repeats itself
        assert (stats.accepted > 0) == is_drafting
    assert rest.started.reused >= len(rest.started.prompt_ids) - 2


@pytest.mark.tiny_model
@pytest.mark.parametrize("name", ["llama", "gemma3_text", "qwen3_5", "falcon_h1"])
@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("reuse", [False, True], ids=["anew", "reused"])
def test_tiny_models_go_on_exactly_wherever_they_stop(name: str, law: str, reuse: bool) -> None:
    model = tiny_loaded(name)
    plain = GenerationRequest(
        prompt_ids=PROMPT, sampling=LAWS[law], speculation=PLAIN, max_tokens=30, reuse=False
    )
    whole = told(model, plain)
    for speculation in (PLAIN, SpeculationParams(draft_length=3)):
        truth = whole.ids if speculation.enabled else None
        asked = replace(plain, speculation=speculation, reuse=reuse)
        for looks in (5, 9):
            begun = told(model, replace(asked, max_tokens=None), after(looks), truth)
            assert begun.finished.reason == "cancelled"
            assert 0 < len(begun.ids) < 28
            goes_on = replace(asked, reply_ids=begun.ids, max_tokens=30 - len(begun.ids))
            rest = told(model, goes_on, truth=truth)
            assert_same(whole, begun, rest)
            assert (rest.finished.stats.drafted > 0) == speculation.enabled
            assert (rest.finished.stats.accepted > 0) == speculation.enabled


@pytest.mark.parametrize("recurrent", [False, True], ids=["attention", "recurrent"])
def test_what_is_kept_of_a_stopped_reply_is_taken_and_so_is_its_prompt(recurrent: bool) -> None:
    model = counting_loaded(recurrent=recurrent)
    request = GenerationRequest(prompt_ids=tuple(range(20)) * 3, speculation=PLAIN)
    begun = told(model, request, after(90))
    rest = told(model, replace(request, reply_ids=begun.ids), after(8))
    text = (*request.prompt_ids, *begun.ids)
    assert len(begun.ids) > 70
    assert len(text) - 2 <= rest.started.reused <= len(text) - 1
    # Another reply takes the place of this one, as it would had that never stopped.
    again = told(model, replace(request, max_tokens=3))
    assert again.started.reused == len(request.prompt_ids) - 1
    assert again.finished.kept is not None
    assert again.finished.kept.num_conversations == 1


def test_another_reply_begins_where_one_that_was_continued_from_scratch_did() -> None:
    model = counting_loaded(recurrent=True)
    request = GenerationRequest(prompt_ids=tuple(range(20)) * 3, speculation=PLAIN, max_tokens=3)
    told(model, replace(request, reply_ids=tuple(range(25))))
    assert told(model, request).started.reused == len(request.prompt_ids) - 1


def test_the_new_tokens_alone_are_limited(demo: LoadedModel) -> None:
    request = GenerationRequest(QUESTION, speculation=PLAIN, max_tokens=4)
    begun = told(demo, request)
    rest = told(demo, replace(request, reply_ids=begun.ids))
    assert len(begun.ids) == len(rest.ids) == 4
    assert rest.finished.reason == "max_tokens"
    assert rest.finished.stats.prompt_tokens == len(begun.started.prompt_ids) + 4


def test_a_stop_string_that_was_begun_is_found(demo: LoadedModel, wholes: dict[str, Told]) -> None:
    whole = wholes["greedy"]
    spans = [span for span in whole.spans if span.num_tokens == 1 and len(span.text) > 1]
    at = next(i for i in range(8, len(spans)) if spans[i].first == spans[i - 1].first + 1)
    stop = spans[at - 1].text + spans[at].text
    num_first = spans[at].first
    end = whole.text.index(stop)
    asked = replace(QUESTIONED, stop=(stop,), reply_ids=whole.ids[:num_first])
    rest = told(demo, asked)
    assert rest.started.reply_text == whole.text[:end]
    assert (rest.finished.reason, rest.text) == ("stop_string", whole.text[:end])
    later = told(demo, replace(asked, reply_ids=whole.ids[: num_first + 3], max_tokens=1))
    assert later.started.reply_text.startswith(whole.text[: end + len(stop)])


def test_stopped_again_before_its_first_token_it_shows_what_it_had(demo: LoadedModel) -> None:
    ids = tuple(demo.tokenizer.encode("a😀", add_special_tokens=False))[:-1]
    request = GenerationRequest(QUESTION, reply_ids=ids, speculation=PLAIN, max_tokens=1)
    again = told(demo, request, lambda: True)
    assert (again.ids, again.started.reply_text) == ((), "a")
    assert again.finished.tail == (TextSpan(0, 0, "\ufffd"),)


def test_mlx_lms_own_loop_goes_on_as_well(demo: LoadedModel, wholes: dict[str, Told]) -> None:
    whole = wholes["greedy"]
    goes_on = replace(QUESTIONED, reply_ids=whole.ids[:7], max_tokens=len(whole.ids) - 7)
    rest = Told(list(reference(demo, goes_on, job=1, is_cancelled=never)))
    assert rest.ids == whole.ids[7:]
    assert (rest.text, rest.started.reply_length) == (whole.text, 7)


def test_ready_ids_and_a_begun_reply_are_joined() -> None:
    model = counting_loaded(recurrent=True)
    request = GenerationRequest(prompt_ids=PROMPT[:4], reply_ids=(7, 8), max_tokens=3)
    started = told(model, replace(request, prompt_ids=(1, 2, 3))).started
    assert (started.prompt_ids, started.reply_length) == ((1, 2, 3, 7, 8), 2)


def refusal(model: LoadedModel, request: GenerationRequest) -> RequestError:
    with pytest.raises(RequestError) as caught:
        list(generate(model, request, job=1, is_cancelled=never))
    return caught.value


def test_a_reply_that_has_its_end_or_foreign_ids_is_refused() -> None:
    model = replace(tiny_loaded("llama"), stop_ids=frozenset({4}))
    request = GenerationRequest((Message("user", "abc"),), reply_ids=(3, 4))
    assert "come to its own end" in refusal(model, request).sentence
    # The reply's ids are another model's; this one's tokenizer is not to blame.
    size = model.info.vocabulary_size
    foreign = refusal(model, replace(request, reply_ids=(3, size)))
    assert foreign.sentence.startswith(f"Token id {size} does not exist")


def test_a_full_context_says_how_full() -> None:
    model = counting_loaded(recurrent=False)
    error = refusal(model, GenerationRequest(prompt_ids=(1,) * 512))
    assert isinstance(error, ContextFullError)
    assert (error.prompt_tokens, error.context_length, error.kind) == (512, 512, "context_full")
    assert error.sentence == (
        "The prompt is 512 tokens long and the context holds 512; shorten it or start a new chat."
    )
    request = GenerationRequest(prompt_ids=(1,) * 10, reply_ids=(2,) * 10, context_limit=20)
    error = refusal(model, request)
    assert isinstance(error, ContextFullError)
    assert (error.prompt_tokens, error.context_length) == (20, 20)
    assert error.sentence.startswith("The prompt and the reply so far are 20 tokens long")
    narrow = SpeculationParams(draft_length=512)
    other = refusal(model, GenerationRequest(prompt_ids=(1,), speculation=narrow))
    assert (type(other), other.kind) == (RequestError, "")
