"""From a name to a model ready to run: checked, its weights in memory, its limits known."""

import importlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import mlx.core as mx
from mlx.nn.layers.base import Module
from mlx_lm.utils import _get_classes, load_model

from engine.errors import ModelConfigError, WeightsError
from engine.model.cost import NoNumbersError, width_seconds
from engine.model.cost_table import CostTable
from engine.model.describe import describe
from engine.model.faults import Translated
from engine.model.loaded_model import LoadedModel
from engine.model.misfit import misfit_sentence, unknown_kind_sentence, whole_weights
from engine.model.model_folder import ModelFolder
from engine.model.preflight import preflight, resolve
from engine.model.probe import ProbeCancelled, known_or_measured
from engine.model.prompt import ChatTemplate
from engine.model.special_ids import (
    collect_excluded_ids,
    collect_start_ids,
    collect_stop_ids,
)
from engine.model.tokenizer import chat_renderer, load_tokenizer
from engine.model.view import readable_path
from engine.model.weights import read_weights
from engine.model_info import Probe


class LoadCancelled(Exception):  # noqa: N818 (an outcome, not an error)
    """Loading was cancelled; nothing of the model is left."""


def load(
    name: str,
    *,
    on_progress: Callable[[str, float], None],
    is_cancelled: Callable[[], bool],
    on_weights: Callable[[int, int], None] = lambda _done, _total: None,
) -> LoadedModel:
    """Load the model `name`: `demo`, a folder, or a repository in the local hub cache.

    `on_progress` hears a stage and a fraction 0..1, and `on_weights` before it, while weights are
    read, how many of their bytes are here. Raises a `ModelError` for a folder that cannot
    be used, `LoadCancelled` when `is_cancelled` said so. On a CPU the weights become float32.
    """

    def report(stage: str, fraction: float) -> None:
        if is_cancelled():
            raise LoadCancelled
        on_progress(stage, fraction)

    report("checking the folder", 0.0)
    folder = preflight(resolve(name))
    defaults = _family_defaults(folder)
    report("reading the tokenizer", 0.05)
    tokenizer = load_tokenizer(folder)
    template = _chat_template(tokenizer, defaults)
    report("reading the weights", 0.1)
    _settle_fusing()
    with whole_weights(folder):
        model = _build(folder)
        for done, total in read_weights(model, folder):
            on_weights(done, total)
            report("reading the weights", 0.1 + 0.8 * (done / max(total, 1)))
        report("comparing blocks with single tokens", 0.9)
        loaded = _assemble(name, folder, model, tokenizer, template, defaults)
        loaded.probe = _probe(loaded, folder, is_cancelled)
    loaded.width_seconds = width_seconds(loaded.probe)
    loaded.costs = CostTable(loaded.width_seconds)
    loaded.check_local()
    report("ready", 1.0)
    return loaded


def _family_classes(folder: ModelFolder) -> tuple[Any, Any]:
    """mlx-lm's model and configuration classes for this kind of model."""
    with Translated(ModelConfigError, unknown_kind_sentence(folder)):
        model_class, args_class = _get_classes(folder.config)
    return model_class, args_class


def _family_defaults(folder: ModelFolder) -> Mapping[str, Any]:
    """What mlx-lm says of this family's tokenizers where the folder itself does not."""
    model_class, _ = _family_classes(folder)
    module = importlib.import_module(model_class.__module__)
    defaults: Mapping[str, Any] = vars(module).get("TOKENIZER_DEFAULTS", {})
    return defaults


def _chat_template(tokenizer: Any, defaults: Mapping[str, Any]) -> ChatTemplate:
    """The tokenizer's own, or mlx-lm's for this family, which knows the switch for thinking."""
    renderer = chat_renderer(tokenizer, defaults.get("chat_template_type"))
    return ChatTemplate(tokenizer, renderer, renderer_switches=renderer is not None)


def _settle_fusing() -> None:
    """On a CPU MLX fuses operations with g++ where there is one; where that fails, do without."""
    if mx.default_device().type != mx.DeviceType.cpu:
        return
    try:
        mx.eval(mx.compile(lambda x: mx.exp(x) * x + 1)(mx.ones(4)))
    except RuntimeError:
        mx.disable_compile()


def _build(folder: ModelFolder) -> Module:
    """The model with its weights laid out, not yet read."""

    def classes(config: Mapping[str, Any]) -> tuple[Any, Any]:
        model_class, args_class = _family_classes(folder)
        return _Checked(model_class, folder), _Checked(args_class.from_dict, folder)

    with Translated(WeightsError, misfit_sentence(folder)), readable_path(folder) as path:
        model, _ = load_model(path, lazy=True, get_model_classes=classes)
    if mx.default_device().type == mx.DeviceType.cpu:
        model.set_dtype(mx.float32)
    built: Module = model
    return built


class _Checked:
    """A class of mlx-lm whose construction fails with a sentence about config.json."""

    def __init__(self, make: Callable[[Any], Any], folder: ModelFolder) -> None:
        self._make = make
        self._sentence = f"The config.json of {folder.name} does not describe a model."

    def __call__(self, config: Any) -> Any:
        with Translated(ModelConfigError, self._sentence):
            return self._make(config)

    from_dict = __call__


def _probe(loaded: LoadedModel, folder: ModelFolder, is_cancelled: Callable[[], bool]) -> Probe:
    """The first forwards: weights of a wrong type or without numbers show here."""
    try:
        with Translated(WeightsError, misfit_sentence(folder)):
            return known_or_measured(loaded, is_cancelled)
    except NoNumbersError as error:
        raise WeightsError(
            f"The weights of {folder.name} give no numbers (NaN); they or its config.json are "
            "damaged, so download the model again.",
        ) from error
    except ProbeCancelled as error:
        raise LoadCancelled from error


def _assemble(
    name: str,
    folder: ModelFolder,
    model: Module,
    tokenizer: Any,
    template: ChatTemplate,
    defaults: Mapping[str, Any],
) -> LoadedModel:
    own = {"eos_token_id": defaults.get("eos_token_ids")}
    configs = (folder.config, folder.generation, own)
    stop_ids = collect_stop_ids(tokenizer, configs)
    keep = stop_ids | collect_start_ids(tokenizer, configs)
    excluded_ids = collect_excluded_ids(
        tokenizer, (*configs, *folder.processors), folder.tokenizer_configs, keep
    )
    info = describe(name, folder, model, tokenizer, excluded_ids)
    return LoadedModel(
        model=model,
        tokenizer=tokenizer,
        info=replace(info, has_thinking_switch=template.has_thinking_switch),
        stop_ids=stop_ids,
        excluded_ids=excluded_ids,
        context_length=folder.context_length(),
        template=template,
    )
