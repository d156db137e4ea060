"""Private parts of discord.py and aiohttp: a version without one is noticed."""

from __future__ import annotations

from typing import Any

import pytest
from aiohttp import ClientSession
from discord.http import HTTPClient
from discord.shard import Shard
from discord.webhook.async_ import AsyncWebhookAdapter

from bot.runtime.discord_private import log_missing_parts, missing_parts


def test_installed_packages_have_all_private_parts(caplog: pytest.LogCaptureFixture) -> None:
    assert missing_parts() == []
    log_missing_parts()
    assert caplog.messages == []


@pytest.mark.parametrize("owner", [HTTPClient, ClientSession, Shard])
def test_logs_one_line_about_a_missing_attribute(
    owner: type, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def renamed(self: Any) -> None:
        self.public = None

    monkeypatch.setattr(owner, "__init__", renamed)
    log_missing_parts()
    (line,) = caplog.messages
    assert f"{owner.__name__}._" in line


def test_notices_a_missing_method(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(AsyncWebhookAdapter, "edit_webhook_message")
    assert missing_parts() == ["AsyncWebhookAdapter.edit_webhook_message"]
