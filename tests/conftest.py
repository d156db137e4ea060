"""What holds for all tests: how Hypothesis runs (see `tests.campaign`), and what is never freed."""

from __future__ import annotations

import gc
import signal

from tests.campaign import load_profile

_OBJECTS = 20_000
"""New objects after which the garbage collector looks for circles among them; usually 700."""

load_profile()

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # So a shell starts what it runs in the background, and every process below inherits it: the
    # programs that tests start and end with Ctrl-C would never end.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_finish() -> None:
    """Keep the garbage collector from looking at modules and tests, which stay until the end.

    It also looks less often than in a bot that runs for months: that is a tenth of the tests' time.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(_OBJECTS)
