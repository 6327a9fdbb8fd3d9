"""The surface is what `__all__` says, and costs no import of MLX."""

import json
import subprocess
import sys

import engine


def names_after(statement: str) -> set[str]:
    """Top-level modules present after a statement in a fresh interpreter."""
    script = f"{statement}; import sys, json; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60
    )
    return {name.partition(".")[0] for name in json.loads(done.stdout)}


def test_all_names_exist_are_sorted_and_are_everything_public() -> None:
    public = {name for name, value in vars(engine).items() if is_surface(name, value)}
    assert public == set(engine.__all__)
    assert len(engine.__all__) == len(set(engine.__all__))


def is_surface(name: str, value: object) -> bool:
    return not name.startswith("_") and type(value).__name__ != "module"


def test_the_surface_and_a_worker_without_jobs_import_neither_mlx_nor_qt() -> None:
    loaded = names_after("import engine; engine.EngineWorker().close()")
    assert not loaded & {"mlx", "mlx_lm", "transformers", "numpy", "PySide6", "asyncio"}


def test_the_terminal_front_imports_no_mlx_before_it_loads_a_model() -> None:
    assert not names_after("import engine.__main__") & {"mlx", "mlx_lm", "transformers", "PySide6"}
