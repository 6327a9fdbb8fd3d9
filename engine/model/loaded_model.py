"""A model in memory, ready to run, and what is known of it."""

from dataclasses import dataclass, field, replace
from typing import Any

from mlx.nn.layers.base import Module
from mlx_lm.models.cache import make_prompt_cache

from engine.model.cost_table import CostTable
from engine.model.local.rollback import LocalRollback
from engine.model.prefix import PrefixStore
from engine.model.prompt import ChatTemplate
from engine.model.words import Words
from engine.model_info import ModelInfo, Probe


@dataclass(slots=True)
class LoadedModel:
    """A model in memory and all that generation needs to know of it.

    Belongs to the thread that loaded it. `excluded_ids` never appear in a draft; `stop_ids` end a
    reply. `width_seconds` is what a forward took by its width when the model was loaded, `costs`
    the same for pacing, refreshed by every real step. `probe` says how exact blocks are here;
    `local` rolls recurrent layers back. `prefixes` are the caches kept of earlier replies,
    `words` the texts of its ids.
    """

    model: Module
    tokenizer: Any
    info: ModelInfo
    stop_ids: frozenset[int]
    excluded_ids: frozenset[int]
    context_length: int
    template: ChatTemplate
    width_seconds: dict[int, float] = field(default_factory=dict)
    costs: CostTable = field(default_factory=CostTable)
    probe: Probe | None = None
    local: LocalRollback | None = None
    prefixes: PrefixStore = field(default_factory=PrefixStore)
    words: Words = field(init=False)

    def __post_init__(self) -> None:
        self.words = Words(self.tokenizer)

    def make_caches(self) -> list[Any]:
        """Fresh, empty caches, one entry a layer."""
        caches: list[Any] = make_prompt_cache(self.model)
        return caches

    def check_local(self) -> None:
        """Find out whether recurrent layers can be rolled back locally; runs short forwards."""
        found = LocalRollback.of(self.model, self.make_caches())
        refusal = found if isinstance(found, str) else None
        self.local = None if isinstance(found, str) else found
        self.info = replace(self.info, local_refusal=refusal)
