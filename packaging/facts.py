"""What a bundle is measured by."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Facts:
    """Installed packages, our resources, the folders where it was built, and the version."""

    packages: Path
    resources: Path
    built_in: tuple[Path, ...]
    version: str
