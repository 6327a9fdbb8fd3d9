"""Makes resources/icon.icns and resources/icon.png from resources/icon.svg: run it after a change.

`python packaging/icon.py [FOLDER]`; the pictures of every size go to FOLDER when one is named.
"""

import os
import struct
import sys
from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice, Qt
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

HERE = Path(__file__).resolve().parent
RESOURCES = HERE.parent / "resources"
SMALL = 32  # up to here a drawing with fewer parts is used
# The container's four letters for a PNG of so many pixels; @2x pictures have letters of their own.
KINDS = (
    (b"icp4", 16),
    (b"ic11", 32),
    (b"icp5", 32),
    (b"ic12", 64),
    (b"ic07", 128),
    (b"ic13", 256),
    (b"ic08", 256),
    (b"ic14", 512),
    (b"ic09", 512),
    (b"ic10", 1024),
)


def picture(renderer: QSvgRenderer, size: int) -> bytes:
    """The drawing as a PNG of `size` by `size` pixels."""
    image = QImage(size, size, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    renderer.render(painter)
    painter.end()
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")
    return bytes(buffer.data().data())


def icns(pictures: dict[int, bytes]) -> bytes:
    """An Apple icon: a header with its length, then kind, length and PNG of each."""
    parts = [
        kind + struct.pack(">I", 8 + len(pictures[size])) + pictures[size] for kind, size in KINDS
    ]
    return b"icns" + struct.pack(">I", 8 + sum(map(len, parts))) + b"".join(parts)


def main(arguments: list[str]) -> int:
    """Write both files, and every size where a folder was named."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    application = QGuiApplication([])
    large = QSvgRenderer(str(RESOURCES / "icon.svg"))
    small = QSvgRenderer(str(HERE / "icon-small.svg"))
    if not (large.isValid() and small.isValid()):
        sys.stderr.write("draftscope: a drawing of the icon is damaged; look at its text.\n")
        return 1
    sizes = sorted({size for _, size in KINDS})
    pictures = {size: picture(small if size <= SMALL else large, size) for size in sizes}
    (RESOURCES / "icon.icns").write_bytes(icns(pictures))
    (RESOURCES / "icon.png").write_bytes(pictures[256])
    for folder in map(Path, arguments):
        folder.mkdir(parents=True, exist_ok=True)
        for size, data in pictures.items():
            (folder / f"icon-{size}.png").write_bytes(data)
    application.quit()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
