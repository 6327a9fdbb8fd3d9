"""An odd address of the hub in the environment keeps no model from loading."""

import os
import subprocess
import sys

import pytest

from engine.model.preflight import _in_hub_cache


@pytest.mark.parametrize("address", ["http://[::1", "http://["])
def test_a_model_loads_whatever_the_address(address: str) -> None:
    code = (
        "from engine import EngineWorker, Loaded, Failed\n"
        "worker = EngineWorker()\n"
        "worker.load('demo')\n"
        "while not isinstance(event := worker.events.get(timeout=60), (Loaded, Failed)): pass\n"
        "worker.close(); print(type(event).__name__)"
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"HF_ENDPOINT": address},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert run.stdout.split()[-1:] == ["Loaded"], run.stderr


def test_a_ref_that_is_a_pipe_or_too_long_is_none(tmp_path, monkeypatch) -> None:
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    for name in ("pipe", "long"):
        (tmp_path / f"models--a--{name}" / "refs").mkdir(parents=True)
    os.mkfifo(tmp_path / "models--a--pipe" / "refs" / "main")
    (tmp_path / "models--a--long" / "refs" / "main").write_text("x" * 5_000)
    assert _in_hub_cache("a/pipe") is None
    assert _in_hub_cache("a/long") is None
