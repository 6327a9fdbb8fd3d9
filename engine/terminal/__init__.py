"""The terminal front: chat, bench, verify and probe, built on the engine's surface alone."""
