"""What holds for all tests: how Hypothesis runs (see `tests.campaign`), and what is never freed.

Machines in tests are never suspended, except in the tests about that: sleeps are not cut into naps.
A month that passes in a moment would have 43,000 of them.
"""

from __future__ import annotations

import gc
import math
import signal
from collections.abc import Iterator

import pytest

from bot.runtime import clock
from tests.campaign import load_profile

_OBJECTS = 20_000
"""New objects after which the garbage collector looks for circles among them; usually 700."""

load_profile()

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # So a shell starts what it runs in the background, and every process below inherits it: the
    # programs that tests start and end with Ctrl-C would never end.
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True, scope="session")
def whole_sleeps() -> Iterator[None]:
    """Let clocks sleep in one go."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clock, "LONGEST_NAP_S", math.inf)
        yield


def pytest_collection_finish() -> None:
    """Keep the garbage collector from looking at modules and tests, which stay until the end.

    It also looks less often than in a bot that runs for months: that is a tenth of the tests' time.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(_OBJECTS)
