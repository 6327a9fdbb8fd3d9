"""`probe`: how exact blocks of tokens are on this model and machine, and what they cost, by width.

Measured anew at every call; what later loads of the model use is replaced by it.
"""

from dataclasses import asdict

from engine import ModelInfo, Probe, WidthProbe
from engine.terminal import output
from engine.terminal.arguments import Arguments
from engine.terminal.session import Session

HEAD = ("width", "bit-equal", "largest difference (logits)", "same argmax", "cost", "ms")


def run(arguments: Arguments) -> int:
    """Probe and print what was found; returns the exit code."""
    with Session() as session:
        info = session.load(arguments.model)
        probe = session.probe()
    if arguments.json:
        output.json_object(as_json(info, probe))
    else:
        plain = _plain_seconds(probe)
        output.lines(output.table(HEAD, [_cells(each, plain) for each in probe.widths]))
        output.lines(["", _compared(info, probe), guard_sentence(probe), cost_sentence(probe)])
    return 0


def as_json(info: ModelInfo, probe: Probe) -> dict[str, object]:
    """The probe as plain values."""
    plain = _plain_seconds(probe)
    widths = [asdict(each) | {"relative_cost": each.seconds / plain} for each in probe.widths]
    return {
        "model": info.name,
        "device": probe.device,
        "dtype": info.dtype,
        "mlx_version": probe.mlx_version,
        "num_positions": probe.num_positions,
        "guard_margin": _margin(probe),
        "widths": widths,
    }


def guard_sentence(probe: Probe) -> str:
    """What the guard makes of the differences."""
    margin = _margin(probe)
    if margin == 0.0:
        return (
            "Blocks gave the logits of single tokens bit for bit, so the guard has nothing to do."
        )
    return (
        f"The guard lets no block choose a token that leads by {margin:.3g} logits or less, twice "
        "the largest difference of its width or a narrower one."
    )


def cost_sentence(probe: Probe) -> str:
    """Which widths can pay, and from how many accepted drafts on."""
    plain = _plain_seconds(probe)
    paying = [each for each in probe.widths if each.width > 1 and each.seconds < each.width * plain]
    if not paying:
        return "No width pays here: a block takes as long as its tokens one by one."
    best = min(paying, key=lambda each: each.seconds / each.width)
    share = best.width * plain / best.seconds
    needed = f"{max(0.0, best.seconds / plain - 1.0):.1f} accepted of {best.width - 1} drafts"
    widths = ", ".join(str(each.width) for each in paying)
    return (
        f"Widths that can pay: {widths}; at best {share:.1f} times the speed of single tokens, at "
        f"width {best.width}, which breaks even at {needed}."
    )


def _cells(each: WidthProbe, plain_seconds: float) -> tuple[str, ...]:
    return (
        str(each.width),
        "yes" if each.is_bit_equal else "no",
        "0" if each.is_bit_equal else f"{each.largest_difference:.2g}",
        f"{each.argmax_agreement:.0%}",
        f"{each.seconds / plain_seconds:.2f}",
        f"{each.seconds * 1000:.1f}",
    )


def _compared(info: ModelInfo, probe: Probe) -> str:
    return (
        f"{info.name}: {info.dtype} on the {probe.device}, MLX {probe.mlx_version}; "
        f"{probe.num_positions} positions compared, cost in single tokens. "
        "A slow or busy machine measures fewer widths; those between take the next one's margin."
    )


def _plain_seconds(probe: Probe) -> float:
    return next(each.seconds for each in probe.widths if each.width == 1)


def _margin(probe: Probe) -> float:
    return 2.0 * max(each.largest_difference for each in probe.widths)
