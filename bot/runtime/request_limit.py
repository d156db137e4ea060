"""The longest time that a request to Discord may take.

discord.py leaves that to aiohttp: five minutes. Requests of a table are sent one after another, so
a single one that gets no answer would keep its messages back for as long.
"""

from __future__ import annotations

from typing import Any, Final

import aiohttp
from discord.http import HTTPClient

LONGEST_REQUEST_S: Final = 30.0
"""Seconds until a request fails with a `TimeoutError`; it is then sent again."""


def limit_requests(http: HTTPClient) -> None:
    """Limit all requests from now on; the client has logged in. discord.py has no setting for it.

    Connections to the gateway are not meant: they have limits of their own.
    """
    session: Any = getattr(http, "_HTTPClient__session", None)
    if isinstance(getattr(session, "_timeout", None), aiohttp.ClientTimeout):  # not if simulated
        session._timeout = aiohttp.ClientTimeout(total=LONGEST_REQUEST_S)
