"""What the hub says, read field by field; one sentence where it says nothing."""

import pytest

from app.fetching.found import FetchError, FoundModel
from app.fetching.hub import Hub
from tests.app.fetching.conftest import REPO, WEIGHTS
from tests.fakes.hub_server import COMMIT, HubServer, Trick

GB = 10**9


@pytest.fixture
def hub(server: HubServer) -> Hub:
    return Hub(server.url + "/", token=lambda: "secret")


def row(repo: str, *tags: str, **more: object) -> dict[str, object]:
    return {"id": repo, "tags": list(tags)} | more


def test_a_search_finds_mlx_models_first(hub: Hub, server: HubServer) -> None:
    server.rows = [
        row("big/Qwen-plain", "safetensors", downloads=9),
        row("small/Qwen-mlx", "mlx", "safetensors", downloads=3),
        row("other/Llama", "mlx"),
        row("big/Qwen-gguf", "gguf"),
    ]
    assert [each.repo for each in hub.search("  qwen ")] == ["small/Qwen-mlx", "big/Qwen-plain"]
    assert [each.repo for each in hub.search("qwen", limit=1)] == ["small/Qwen-mlx"]
    assert [each.repo for each in hub.search(f"{server.url}/other/Llama/tree/main")] == [
        "other/Llama"
    ]
    assert hub.search("no such thing") == ()
    assert all(headers["authorization"] == "Bearer secret" for _, headers in server.asked)


def test_a_row_is_read_field_by_field(hub: Hub, server: HubServer) -> None:
    server.rows = [
        row(
            "a/Four-4bit",
            "mlx",
            "license:apache-2.0",
            downloads=12,
            likes=3,
            gated="auto",
            lastModified="2026-01-02T03:04:05.000Z",
            safetensors={"parameters": {"U32": 500_000_000, "BF16": 125_000_000}},
        ),
    ]
    assert hub.search("") == (
        FoundModel(
            repo="a/Four-4bit",
            num_downloads=12,
            num_likes=3,
            changed=1767323045.0,
            num_parameters=4 * GB,
            total_bytes=2_250_000_000,
            license="apache-2.0",
            is_gated=True,
            tags=("mlx", "license:apache-2.0"),
        ),
    )


@pytest.mark.parametrize(
    ("counts", "parameters", "size"),
    [
        ({"BF16": GB}, GB, 2 * GB),
        ({"F32": 10, "I8": 5}, 15, 45),
        ({"U32": 100}, None, 400),
        ({}, None, None),
        (None, None, None),
        ({"BF16": "many"}, None, None),
    ],
)
def test_parameters_and_size_are_those_of_the_weights(
    hub: Hub, server: HubServer, counts: object, parameters: int | None, size: int | None
) -> None:
    server.rows = [row("a/b", "mlx", safetensors={"parameters": counts})]
    (found,) = hub.search("a/b")
    assert (found.num_parameters, found.total_bytes) == (parameters, size)


def test_rows_that_make_no_sense_are_left_out(hub: Hub, server: HubServer) -> None:
    server.tricks["search"] = [
        Trick(body=b'[1, {"id": 5}, {"id": "../x"}, {"id": "a/b", "tags": 7, "likes": "x"}]')
    ]
    (found,) = hub.search("")
    assert (found.repo, found.tags, found.num_likes, found.license) == ("a/b", (), None, "")


def test_a_model_has_its_needed_files_and_their_sizes(hub: Hub, server: HubServer) -> None:
    server.files["README.md"] = b"hello"
    server.about = {"gated": "manual", "cardData": {"license": "mit"}}
    model = hub.model(REPO)
    assert (model.repo, model.commit, model.license, model.is_gated) == (REPO, COMMIT, "mit", True)
    assert [file.name for file in model.files] == [
        "config.json",
        "tokenizer.json",
        "tokenizer_config.json",
        WEIGHTS,
    ]
    assert model.total_bytes == sum(map(len, server.files.values())) - len(b"hello")
    assert (model.files[-1].git_sha1, model.files[0].sha256) == (None, None)


@pytest.mark.parametrize("status", [400, 401, 403, 404, 429, 500])
def test_every_refusal_is_one_sentence(hub: Hub, server: HubServer, status: int) -> None:
    server.tricks["search"] = server.tricks["listing"] = [Trick(status)]
    for ask in (lambda: hub.search("x"), lambda: hub.model(REPO)):
        with pytest.raises(FetchError) as caught:
            ask()
        sentence = caught.value.sentence
        assert sentence.endswith(".")
        assert not any(word in sentence.lower() for word in ("http", "client", "error", "url"))


def test_a_hub_that_says_nothing_is_given_up(
    hub: Hub, server: HubServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.fetching.connection.ANSWER_SECONDS", 0.2)
    server.tricks["search"] = [Trick(is_mute=True)]
    with pytest.raises(FetchError) as caught:
        hub.search("x")
    assert caught.value.fault == "stalled"


@pytest.mark.parametrize("architecture", ["GPT2LMHeadModel", "ChatGLMModel", "PlamoForCausalLM"])
def test_what_may_write_is_not_refused(hub: Hub, server: HubServer, architecture: str) -> None:
    server.about = {"config": {"model_type": "x", "architectures": [architecture]}}
    assert hub.model(REPO).files
