"""The terminal front: `python -m engine chat | bench | verify | probe | export`.

Exit codes: 0 done, 1 verify found a difference, 2 not possible as asked, 130 interrupted.
"""

import signal
import sys

try:
    from engine import EngineError, exit_process
    from engine.terminal import bench, chat, export, output, probe, verify
    from engine.terminal.arguments import parse
except KeyboardInterrupt:
    sys.exit(128 + signal.SIGINT)

COMMANDS = {
    "chat": chat.run,
    "bench": bench.run,
    "verify": verify.run,
    "probe": probe.run,
    "export": export.run,
}
BROKEN_PIPE = 128 + signal.SIGPIPE
INTERRUPTED = 128 + signal.SIGINT


def main(argv: list[str] | None = None) -> int:
    """Run one command line; returns the exit code, and says in one line why it is not 0."""
    output.prepare()
    try:
        arguments = parse(argv)
        return COMMANDS[arguments.command](arguments)
    except EngineError as error:
        output.error(error.sentence)
        return 2
    except KeyboardInterrupt:
        output.note("Stopped.")
        return INTERRUPTED
    except BrokenPipeError:
        output.abandon_stdout()
        return BROKEN_PIPE
    except OSError as error:
        output.abandon_stdout()
        output.error(f"The result cannot be written: {error.strerror or error}.")
        return 2


if __name__ == "__main__":
    exit_process(main())
