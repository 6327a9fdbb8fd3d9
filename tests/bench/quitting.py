"""How long quitting takes while a model loads: `python -m tests.bench.quitting [SECONDS...]`.

Prints, and judges nothing: for each moment after the start, the seconds from SIGTERM to the end of
the process, and its exit status. Every start has folders of its own, so that a load takes its whole
time.
"""

import os
import signal
import subprocess
import sys
import tempfile
import time

MOMENTS = (1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 7.0, 9.0)
PATIENCE_SECONDS = 60


def seconds_to_quit(moment: float) -> tuple[float, int]:
    """Seconds from the signal to the end, and the exit status."""
    with tempfile.TemporaryDirectory(prefix="quit-") as home:
        places = {f"XDG_{name}_HOME": f"{home}/{name}" for name in ("CACHE", "CONFIG", "STATE")}
        environment = {**os.environ, **places, "HOME": home, "QT_QPA_PLATFORM": "offscreen"}
        environment["DRAFTSCOPE_CACHE"] = f"{home}/probes"
        command = [sys.executable, "-m", "app.main", "--data-dir", f"{home}/data"]
        process = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
        time.sleep(moment)
        began = time.perf_counter()
        process.send_signal(signal.SIGTERM)
        status = process.wait(PATIENCE_SECONDS)
        return time.perf_counter() - began, status


def main() -> None:
    """Try the moments that were named, or the usual ones."""
    for moment in map(float, sys.argv[1:] or MOMENTS):
        seconds, status = seconds_to_quit(moment)
        sys.stdout.write(f"{moment:4.1f} s after the start: {seconds:.2f} s, status {status}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
