"""Memory that the system must keep in place for the GPU: raised if asked for, and given back."""

import mlx.core as mx


class WiredLimit:
    """Off Apple's GPU there is none; it holds for the whole process, so it is left as it was."""

    def __init__(self) -> None:
        self._earlier: int | None = None

    def raise_to_recommended(self) -> None:
        """As much as the system recommends a process to use."""
        if self._earlier is not None or not mx.metal.is_available():
            return
        recommended = mx.device_info().get("max_recommended_working_set_size")
        if isinstance(recommended, int):
            self._earlier = mx.set_wired_limit(recommended)

    def give_back(self) -> None:
        """As it was before; nothing if it was never raised."""
        if self._earlier is not None:
            mx.set_wired_limit(self._earlier)
            self._earlier = None
