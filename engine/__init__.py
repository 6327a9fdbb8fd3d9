"""Draftscope's engine: prompt-lookup decoding on any mlx-lm model, every token accounted for.

This module is the surface: the app, and the terminal front, may use these names and no others.
Importing it does not import MLX; only `EngineWorker`'s own thread does.
"""

from engine.account import (
    EffectiveConfig,
    Health,
    Kept,
    ReplayHealth,
    SpeculationHealth,
    Statistics,
)
from engine.ending import exit_process
from engine.errors import (
    ContextFullError,
    EngineError,
    ModelConfigError,
    ModelError,
    ModelNotFoundError,
    RequestError,
    RollbackError,
    TemplateError,
    TokenizerError,
    TraceError,
    WeightsError,
    WorkerClosedError,
)
from engine.events import (
    Counted,
    Event,
    Failed,
    Finished,
    Loaded,
    LoadProgress,
    Notice,
    PrefillProgress,
    Probed,
    SpeculationChanged,
    Spelled,
    Started,
    Stepped,
    StopReason,
    Unloaded,
)
from engine.exports import (
    EXPORT_KINDS,
    ExportKind,
    chrome_trace,
    csv_rows,
    export_trace,
    write_export,
)
from engine.model.memory import memory_need
from engine.model.preflight import DEMO
from engine.model.survey import survey
from engine.model_info import ModelInfo, Probe, WidthProbe
from engine.model_survey import LayerGroup, LayerKind, MemoryNeed, ModelSurvey
from engine.request import (
    DrafterChoice,
    DrafterName,
    GenerationRequest,
    Message,
    RollbackName,
    SamplingParams,
    SpeculationParams,
)
from engine.speculation.stats import Tally
from engine.step_record import (
    ORIGINS,
    LengthChoice,
    Origin,
    PhaseSeconds,
    StepRecord,
    Strategy,
    TextSpan,
)
from engine.trace import Aside, Trace, TraceWriter, replay_trace, trace_lines, write_trace
from engine.trace_reader import parse_trace, read_trace
from engine.version import VERSION
from engine.whole_file import open_whole
from engine.worker import EngineWorker

__all__ = [
    "DEMO",
    "EXPORT_KINDS",
    "ORIGINS",
    "VERSION",
    "Aside",
    "ContextFullError",
    "Counted",
    "DrafterChoice",
    "DrafterName",
    "EffectiveConfig",
    "EngineError",
    "EngineWorker",
    "Event",
    "ExportKind",
    "Failed",
    "Finished",
    "GenerationRequest",
    "Health",
    "Kept",
    "LayerGroup",
    "LayerKind",
    "LengthChoice",
    "LoadProgress",
    "Loaded",
    "MemoryNeed",
    "Message",
    "ModelConfigError",
    "ModelError",
    "ModelInfo",
    "ModelNotFoundError",
    "ModelSurvey",
    "Notice",
    "Origin",
    "PhaseSeconds",
    "PrefillProgress",
    "Probe",
    "Probed",
    "ReplayHealth",
    "RequestError",
    "RollbackError",
    "RollbackName",
    "SamplingParams",
    "SpeculationChanged",
    "SpeculationHealth",
    "SpeculationParams",
    "Spelled",
    "Started",
    "Statistics",
    "StepRecord",
    "Stepped",
    "StopReason",
    "Strategy",
    "Tally",
    "TemplateError",
    "TextSpan",
    "TokenizerError",
    "Trace",
    "TraceError",
    "TraceWriter",
    "Unloaded",
    "WeightsError",
    "WidthProbe",
    "WorkerClosedError",
    "chrome_trace",
    "csv_rows",
    "exit_process",
    "export_trace",
    "memory_need",
    "open_whole",
    "parse_trace",
    "read_trace",
    "replay_trace",
    "survey",
    "trace_lines",
    "write_export",
    "write_trace",
]
