"""What holds for all tests: how Hypothesis runs (see `tests.campaign`)."""

from __future__ import annotations

import signal

from tests.campaign import load_profile

load_profile()

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # So a shell starts what it runs in the background, and every process below inherits it: the
    # programs that tests start and end with Ctrl-C would never end.
    signal.signal(signal.SIGINT, signal.default_int_handler)
