"""A file that holds a model's weights: neither a chat, nor a trace, nor text to ask about."""

from pathlib import PurePath

_READ, _NOT_READ = ".safetensors", (".gguf", ".npz", ".pt", ".pth")


def model_file_refusal(name: str) -> str:
    """Why a file of this name is not opened, and what to do; empty for any other file."""
    suffix = PurePath(name).suffix.lower()
    if suffix == _READ:
        return f"{name} holds a model's weights; add its folder under Models."
    if suffix in _NOT_READ:
        return f"{name} is a {suffix} model; Draftscope reads MLX models in safetensors."
    return ""
