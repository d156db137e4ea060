"""What holds for all tests: how Hypothesis runs (see `tests.campaign`), and what is never freed."""

from __future__ import annotations

import gc
import signal

from tests.campaign import load_profile

load_profile()

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # So a shell starts what it runs in the background, and every process below inherits it: the
    # programs that tests start and end with Ctrl-C would never end.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_finish() -> None:
    """Keep the garbage collector from looking at modules and tests, which stay until the end."""
    gc.collect()
    gc.freeze()
