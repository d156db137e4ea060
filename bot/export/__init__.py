"""Finished rounds as files that people take with them; docs/replay.md describes every format."""
