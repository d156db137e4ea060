"""The application: settings, start-up, live tables, storage, clock, texts and art."""

from typing import Final

__version__: Final = "1.0.0"
"""Version of the program; docs/versions.md says what it promises."""
