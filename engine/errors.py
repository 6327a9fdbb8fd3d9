"""Every way the engine says no, as one tree of exceptions.

    EngineError
    ├── RequestError        the request cannot be run as asked; nothing was changed
    │   └── ContextFullError        the prompt is longer than the context
    ├── ModelError          the model folder cannot be used
    │   ├── ModelNotFoundError      nothing there under that name
    │   ├── ModelConfigError        config.json missing, damaged, or of an unknown kind
    │   ├── WeightsError            weights missing, truncated, or of the wrong shape
    │   ├── TokenizerError          tokenizer missing or damaged
    │   └── TemplateError           the chat template cannot be compiled or refuses the chat
    ├── RollbackError       a cache did not go back to where it was told to
    ├── TraceError          a trace cannot be written or read
    └── WorkerClosedError   the worker was closed; it takes no more jobs

`str(error)` is one sentence for a person: what is wrong and what to do. `details` is for a report,
`kind` a name for what a caller can offer a way out of, empty for all else.
"""


class EngineError(Exception):
    """Base of the tree; `str()` is one sentence a person understands."""

    kind = ""

    def __init__(self, sentence: str, details: str = "") -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.details = details


class RequestError(EngineError):
    """The request cannot be run as asked; nothing was changed."""


class ContextFullError(RequestError):
    """The prompt has `prompt_tokens` and leaves no room in a context of `context_length`."""

    kind = "context_full"

    def __init__(self, sentence: str, prompt_tokens: int, context_length: int) -> None:
        super().__init__(sentence)
        self.prompt_tokens = prompt_tokens
        self.context_length = context_length


class ModelError(EngineError):
    """The model folder cannot be used."""


class ModelNotFoundError(ModelError):
    """Nothing is there under that name."""


class ModelConfigError(ModelError):
    """config.json is missing, damaged, or names a kind of model that cannot be run."""


class WeightsError(ModelError):
    """The weights are missing, truncated, or do not fit the configuration."""


class TokenizerError(ModelError):
    """The tokenizer is missing or damaged."""


class TemplateError(ModelError):
    """The chat template cannot be compiled, or refuses this conversation."""


class RollbackError(EngineError):
    """A cache did not go back to where it was told to."""


class TraceError(EngineError):
    """A trace cannot be written or read."""


class WorkerClosedError(EngineError):
    """The worker was closed; it takes no more jobs."""
