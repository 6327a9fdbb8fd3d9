"""Models, downloads and finds as tests of the library's views make them."""

from dataclasses import replace

from app.fetching.found import FoundModel
from app.models.downloads import Download, Downloads
from app.models.hub_search import HubSearch
from app.models.library import Library, LibraryModel, ModelHabits
from app.models.model_state import ModelState
from app.views.library.intents import LibraryIntents
from app.views.library.parts import LibraryParts
from engine import LayerGroup, LoadProgress, ModelSurvey, SamplingParams

GB = 1_000_000_000
_ATTENTION = LayerGroup("attention", 8, 4_096, None, 0)
_RECURRENT = LayerGroup("recurrent", 24, 0, None, 1_200_000)
SAMPLING = SamplingParams(temperature=0.7, top_p=0.8, top_k=20)


def hybrid(number: int = 0, **changes) -> LibraryModel:
    """A hybrid model of the hub's cache that fits."""
    name = changes.pop("name", f"mlx-community/Qwen3.5-9B-MLX-4bit-{number}")
    survey = ModelSurvey(
        path=f"/home/someone/.cache/hub/models--{name.replace('/', '--')}/snapshots/1a2b3c4d",
        name=name,
        family="Qwen3.5",
        num_parameters=9_000_000_000,
        bits=4,
        dtype="bfloat16",
        file_bytes=6 * GB,
        weights_bytes=6 * GB,
        context_length=262_144,
        layers=(_ATTENTION, _RECURRENT),
        cache_families=("recurrent", "attention"),
        is_recurrent=True,
        rollback="local",
        has_chat_template=True,
        sampling=SAMPLING,
    )
    model = LibraryModel(f"/models/{name}", "hub", replace(survey, **changes.pop("survey", {})))
    return replace(model, **changes)


def attention(number: int = 0, **changes) -> LibraryModel:
    """A model with attention only, in a folder of the person's."""
    survey = {
        "family": "Llama",
        "num_parameters": 3_200_000_000,
        "file_bytes": 1_800_000_000,
        "weights_bytes": 1_800_000_000,
        "context_length": 131_072,
        "layers": (LayerGroup("attention", 28, 4_096, None, 0),),
        "cache_families": ("attention",),
        "is_recurrent": False,
        "rollback": "trim",
        "sampling": None,
        **changes.pop("survey", {}),
    }
    name = changes.pop("name", f"Llama-3.2-3B-Instruct-{number}")
    return hybrid(name=name, origin="folder", survey=survey, **changes)


def faulty(name: str = "Broken-7B") -> LibraryModel:
    """A folder that cannot be used."""
    survey = ModelSurvey(
        path=f"/models/{name}",
        name=name,
        fault="Its weights file model.safetensors ends in the middle: fetch it again.",
        fault_details="header says 4,100,000,000 bytes, the file has 1,024",
    )
    return LibraryModel(f"/models/{name}", "folder", survey)


def demo() -> LibraryModel:
    """The embedded model."""
    return attention(
        name="demo",
        target="demo",
        survey={"family": "demonstration model", "num_parameters": 3_000_000, "bits": None},
    )


def parts_of(*models: LibraryModel, free: int | None = 20 * GB) -> LibraryParts:
    """A library with these models, nothing loaded, nothing fetched."""
    parts = LibraryParts(Library(), Downloads(), HubSearch(), ModelState(), LibraryIntents())
    parts.library.set_models(models)
    parts.library.set_free_bytes(free)
    return parts


def focus_of(sheet):
    """Where the keyboard is, or will be once the sheet is in front."""
    return sheet.window().focusWidget()


def used(model: LibraryModel, when: float) -> LibraryModel:
    """The same, used at that time."""
    return replace(model, habits=ModelHabits(used=when))


def put_to_use(parts: LibraryParts, target: str) -> None:
    """As if it were loaded."""
    parts.model.begin(target)
    parts.model.stage = "ready"
    parts.model.changed.emit()


def progress(parts: LibraryParts, fraction: float) -> None:
    """Loading has come that far."""
    parts.model.apply(LoadProgress(0, "reading weights", fraction))


def download(id: int, repo: str, **changes) -> Download:
    """One that is being fetched."""
    usual = Download(
        id,
        repo,
        "fetching",
        position=float(id),
        done_bytes=1_200_000_000,
        total_bytes=4_300_000_000,
        bytes_per_second=35e6,
        seconds_left=118.0,
        loads=True,
    )
    return replace(usual, **changes)


def found(number: int, **changes) -> FoundModel:
    """A model that a search found."""
    usual = FoundModel(
        repo=f"mlx-community/Some-Model-{number}B-4bit",
        num_downloads=12_345 * (number + 1),
        num_likes=17,
        changed=1_700_000_000.0,
        num_parameters=number * 1_000_000_000 or None,
        total_bytes=number * 600_000_000 or None,
        license="apache-2.0",
        is_gated=False,
        tags=("mlx",),
    )
    return replace(usual, **changes)
