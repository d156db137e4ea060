"""Temporary errors of requests, and the pauses before retries."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import pytest

from bot.storage import StorageUnavailable
from cogs.delivery.failed_requests import (
    is_invalid,
    is_not_allowed,
    is_temporary,
    log_text,
    pause_s,
)

SAID = "what Discord says"


def refusal(status: int, code: int = 0, after: str = "0") -> discord.HTTPException:
    """Return an error answer of Discord."""
    response: Any = SimpleNamespace(status=status, reason="no", headers={"Retry-After": after})
    return discord.HTTPException(response, {"code": code, "message": SAID})


SOON, LATER, INVALID, NEVER = "soon", "when it is allowed", "our mistake", "never"


@pytest.mark.parametrize(
    "error, passes",
    [
        (refusal(500), SOON),
        (refusal(503), SOON),
        (refusal(429), SOON),
        (aiohttp.ServerDisconnectedError(), SOON),
        (ConnectionResetError(), SOON),
        (TimeoutError(), SOON),
        (StorageUnavailable("full"), SOON),
        (refusal(401), LATER),
        (refusal(403), LATER),
        (refusal(403, 50001), LATER),
        (refusal(403, 50013), LATER),
        (refusal(400, 50083), LATER),
        (refusal(400, 160005), LATER),
        (refusal(400, 50035), INVALID),
        (refusal(400, 50006), INVALID),
        (refusal(400, 30046), NEVER),
        (refusal(404), NEVER),
        (refusal(404, 10003), NEVER),
        (KeyError("a bug"), NEVER),
    ],
)
def test_recognises_temporary_errors(error: Exception, passes: str) -> None:
    kinds = {SOON: is_temporary(error), LATER: is_not_allowed(error), INVALID: is_invalid(error)}
    assert [kind for kind, fits in kinds.items() if fits] == ([] if passes == NEVER else [passes])


def test_pauses_grow_up_to_a_limit() -> None:
    pauses = [pause_s(failures, refusal(503)) for failures in range(1, 8)]
    assert pauses == [1, 2, 4, 8, 15, 15, 15]
    assert pause_s(100_000, ConnectionResetError()) == 15


def test_pauses_are_longer_while_something_is_not_allowed() -> None:
    pauses = [pause_s(failures, refusal(403, 50013)) for failures in range(1, 8)]
    assert pauses == [15, 30, 60, 60, 60, 60, 60]


def test_log_does_not_quote_discord() -> None:
    assert log_text(refusal(400, 50035)) == "HTTPException 400/50035"
    assert log_text(ConnectionResetError("the network is down")) == (
        "ConnectionResetError: the network is down"
    )


def test_log_does_not_quote_an_unhandled_exception() -> None:
    """The text may name cards."""
    assert log_text(ValueError("S2 DRAGON")) == "ValueError"


def test_uses_the_retry_time_of_discord() -> None:
    assert pause_s(1, refusal(429, after="37.5")) == 37.5
    assert pause_s(3, refusal(503, after="1")) == 4
    assert pause_s(1, refusal(503, after="Wed, 21 Oct 2015 07:28:00 GMT")) == 15
