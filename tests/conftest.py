"""What holds for all tests: how Hypothesis runs (see `tests.campaign`)."""

from __future__ import annotations

from tests.campaign import load_profile

load_profile()
