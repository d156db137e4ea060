"""Validation against Discord's description of its API: finds faults and accepts the rest."""

from __future__ import annotations

from typing import Any

import pytest

from cogs.pages.controls import Page, text
from tests.openapi import complaint

CREATE = "POST", "/channels/1/messages"
V2 = 1 << 15
PAGE = Page(text("words")).to_components()


@pytest.mark.parametrize(
    "body",
    [
        {"content": "words", "nonce": "n", "enforce_nonce": True},
        {"flags": V2, "components": PAGE, "allowed_mentions": {"parse": []}},
    ],
)
def test_accepts_a_valid_request(body: dict[str, Any]) -> None:
    assert complaint(*CREATE, body) is None


@pytest.mark.parametrize(
    "body, where",
    [
        ({"content": 5}, "content"),
        ({"flags": V2, "components": [{"type": 10, "content": 5}]}, "components/0/content"),
        ({"flags": V2, "components": [{"type": 99}]}, "components/0"),
        ({"allowed_mentions": {"parse": ["nobody"]}}, "allowed_mentions/parse/0"),
    ],
)
def test_names_the_place_of_a_fault(body: dict[str, Any], where: str) -> None:
    found = complaint(*CREATE, body)
    assert found is not None
    assert found.startswith(where)


def test_reports_an_unknown_route() -> None:
    assert complaint("GET", "/nonsense", None) == "is no route of Discord's API"
    assert complaint("POST", "/channels/1/nonsense", {}) == "is no route of Discord's API"


def test_prefers_the_route_with_the_most_literals() -> None:
    answer = {"type": 4, "data": {"content": "words"}}
    assert complaint("POST", "/interactions/1/token/callback", answer) is None
    assert complaint("PATCH", "/webhooks/1/token/messages/@original", {"content": "words"}) is None
