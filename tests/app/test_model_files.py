"""A file of model weights, given where a chat, a trace or text is expected."""

from pathlib import Path

import pytest

from app.controllers.attachment_files import read_attachment
from app.models.attaching import AttachmentError
from app.models.model_file import model_file_refusal


@pytest.mark.parametrize("name", ["tiny.gguf", "TINY.GGUF", "weights.npz", "old.pth"])
def test_weights_of_others_name_what_is_read(name: str) -> None:
    assert "Draftscope reads MLX models in safetensors" in model_file_refusal(name)


def test_weights_of_ours_name_the_place_for_them() -> None:
    assert "add its folder under Models" in model_file_refusal("model-00001-of-2.safetensors")
    assert model_file_refusal("notes.txt") == ""


def test_a_model_cannot_be_attached(tmp_path: Path) -> None:
    path = tmp_path / "tiny.gguf"
    path.write_bytes(b"GGUF\x03\x00\x00\x00 and more")
    with pytest.raises(AttachmentError, match=r"tiny\.gguf is a \.gguf model"):
        read_attachment(path, lambda _done, _all: None, lambda: False)
