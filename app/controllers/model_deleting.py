"""Deletes a model from the disk: out of the hub's cache, or into the system's trash."""

from pathlib import Path

from PySide6.QtCore import QFile


def delete_snapshot(snapshot: Path) -> str:
    """Take one snapshot out of a cache, with what no other one needs; a sentence if it stays.

    It is done as the hub's own programs do it, who share the cache.
    """
    from huggingface_hub import scan_cache_dir
    from huggingface_hub.errors import CacheNotFound

    name = snapshot.parents[1].name
    try:
        cache = scan_cache_dir(snapshot.parents[2])
        here = [
            revision
            for repository in cache.repos
            for revision in repository.revisions
            if Path(revision.snapshot_path).resolve() == snapshot.resolve()
        ]
        if not here:
            return (
                f"{name} cannot be deleted: the hub's cache is damaged there; delete the folder "
                f"{snapshot.parents[1]} yourself."
            )
        cache.delete_revisions(here[0].commit_hash).execute()
    except (OSError, CacheNotFound, ValueError) as error:
        return f"{name} cannot be deleted: {error}."
    if snapshot.exists():
        return f"{name} cannot be deleted: {snapshot} is not yours to change."
    return ""


def move_to_trash(folder: Path) -> str:
    """Move a folder to the system's trash; a sentence if it stays."""
    if not folder.exists():
        return ""
    if QFile(str(folder)).moveToTrash() and not folder.exists():
        return ""
    return f"{folder.name} could not be moved to the trash; move {folder} there yourself."
