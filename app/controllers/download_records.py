"""Downloads as they are kept on disk, and back."""

from pathlib import Path

from app.fetching.cache_layout import snapshot_folder
from app.models.downloads import Download, Stage
from app.storage import DownloadRecord, DownloadStage

_KEPT: dict[Stage, DownloadStage] = {"paused": "paused", "failed": "failed", "done": "done"}
_MOST_DETAILS = 4_000


def download_record(download: Download) -> DownloadRecord:
    """As it is kept: one that is under way waits for the next start."""
    has_failed = download.stage == "failed"
    return DownloadRecord(
        id=download.id,
        repo=download.repo,
        commit=download.commit,
        stage=_KEPT.get(download.stage, "waiting"),
        position=download.position,
        total_bytes=download.total_bytes,
        done_bytes=download.done_bytes,
        sentence=download.sentence if has_failed else "",
        loads=download.loads,
        fault=download.fault if has_failed else "",
        details=download.details[:_MOST_DETAILS] if has_failed else "",
    )


def snapshot(cache: Path, record: DownloadRecord) -> str:
    """Where one that is here lies; empty for any other."""
    if not record.commit or not (record.stage == "done" or record.fault == "gone"):
        return ""
    return str(snapshot_folder(cache, record.repo, record.commit))


def download_from(record: DownloadRecord) -> Download:
    """As it was kept."""
    total = max(record.total_bytes, 0)
    return Download(
        id=record.id,
        repo=record.repo,
        stage=record.stage,
        commit=record.commit,
        position=record.position,
        done_bytes=min(max(record.done_bytes, 0), total),
        total_bytes=total,
        sentence=record.sentence,
        fault=record.fault,
        details=record.details,
        loads=record.loads,
    )
