"""A model folder under a path that the libraries can read: mlx-lm takes it for a pattern."""

import contextlib
import glob
import json
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from engine.model.model_folder import ModelFolder

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@contextlib.contextmanager
def readable_path(folder: ModelFolder) -> Iterator[Path]:
    """The folder itself; where its name has brackets or config.json a mark, links to its files.

    Files opened through the links stay open when the links go.
    """
    has_mark = (folder.path / "config.json").read_bytes().startswith(_BYTE_ORDER_MARK)
    if not has_mark and glob.escape(str(folder.path)) == str(folder.path):
        yield folder.path
        return
    with TemporaryDirectory(prefix="draftscope-") as name:
        view = Path(name)
        for file in folder.path.iterdir():
            if file.name != "config.json":
                (view / file.name).symlink_to(file.absolute())
        (view / "config.json").write_text(json.dumps(folder.config), encoding="utf-8")
        yield view
