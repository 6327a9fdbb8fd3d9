"""The one place that states Draftscope's version."""

__version__ = "0.1.0"
VERSION = __version__
