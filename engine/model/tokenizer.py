"""The tokenizer of a model folder: offline, never running the folder's own code."""

import importlib
from collections.abc import Callable
from typing import Any

import mlx_lm.tokenizer_utils  # noqa: F401 (registers mlx-lm's own tokenizer classes)
import transformers
from huggingface_hub.errors import StrictDataclassError
from transformers import AutoTokenizer

from engine.errors import ModelConfigError, TokenizerError
from engine.model.faults import Translated
from engine.model.files import shortened
from engine.model.model_folder import ModelFolder
from engine.model.view import readable_path

_CHAT_TEMPLATES = ("deepseek_v32", "muse_spark")


def load_tokenizer(folder: ModelFolder) -> Any:
    """A transformers tokenizer whose `decode` leaves the text alone, or `TokenizerError`."""
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    name = folder.name
    unreadable = Translated(TokenizerError, f"The tokenizer of {name} cannot be read.")
    with unreadable, readable_path(folder) as path:
        try:
            tokenizer = AutoTokenizer.from_pretrained(
                str(path), local_files_only=True, trust_remote_code=False
            )
        except StrictDataclassError as error:  # it reads config.json too, and checks its types
            raise ModelConfigError(
                f"The config.json of {name} does not describe a model.", str(error)
            ) from error
        tokenizer.clean_up_tokenization_spaces = False  # it would rewrite code: "a , b" to "a, b"
        ids = tokenizer.encode("a", add_special_tokens=False)
        is_usable = len(tokenizer) > 1 and bool(ids) and tokenizer.decode(ids) != ""
    if not is_usable:
        raise TokenizerError(f"The tokenizer of {name} is damaged: it knows no text.")
    return tokenizer


def chat_renderer(tokenizer: Any, default: str | None) -> Callable[..., str] | None:
    """mlx-lm's own chat template for a family that has one in Python, None for all others."""
    asked = tokenizer.init_kwargs.get("chat_template_type")
    name = asked or (default if tokenizer.chat_template is None else None)
    if name is None:
        return None
    if name not in _CHAT_TEMPLATES:
        raise TokenizerError(
            f"The tokenizer asks for an unknown chat template, {shortened(str(name))!r}."
        )
    render: Callable[..., str] = importlib.import_module(
        f"mlx_lm.chat_templates.{name}"
    ).apply_chat_template
    return render
