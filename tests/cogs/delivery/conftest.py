"""A world on a bad day."""

from __future__ import annotations

import pytest

from tests.cogs.conftest import errors as errors
from tests.cogs.conftest import world as world
from tests.cogs.delivery.lossy import LossyDiscord


@pytest.fixture
def lossy(monkeypatch: pytest.MonkeyPatch) -> LossyDiscord:
    """Discord loses as many answers as a test wants."""
    return LossyDiscord(monkeypatch)
