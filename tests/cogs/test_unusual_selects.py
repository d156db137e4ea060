"""Selects of people, roles and channels whose data Discord never sends in this form."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import discord
import pytest

from cogs.clicks.click import Click, read_click

ADA = {"username": "ada", "global_name": None}


def click(kind: str, **data: Any) -> Click:
    """Return the parsed use of a select of this kind."""
    types = {"u": 5, "r": 6, "c": 8}
    data |= {"custom_id": f"{kind}:1:0:invite:", "component_type": types[kind]}
    interaction: Any = SimpleNamespace(type=discord.InteractionType.component, data=data)
    read = read_click(interaction)
    assert read is not None
    return read


@pytest.mark.parametrize(
    "data",
    [
        {"values": ["7"]},
        {"values": ["7"], "resolved": None},
        {"values": ["7"], "resolved": {"users": None}},
        {"values": ["7"], "resolved": {"users": {"7": None}}},
        {"values": ["kumquat"], "resolved": {"users": {"kumquat": ADA}}},
        {"values": ["7" * 5000], "resolved": {"users": {"7" * 5000: ADA}}},
        {"values": ["²"], "resolved": {"users": {"²": ADA}}},
        {"values": [7], "resolved": {"users": {"7": ADA}}},
        {"values": 7, "resolved": {"users": {"7": ADA}}},
    ],
)
def test_nobody_is_chosen_without_an_id_and_a_user(data: dict[str, Any]) -> None:
    assert click("u", **data).users == ()


def test_a_user_without_any_name_is_called_by_their_id() -> None:
    (user,) = click("u", values=["7"], resolved={"users": {"7": {}}, "members": None}).users
    assert (user.id, user.display_name, user.sees_channel) == (7, "7", False)


@pytest.mark.parametrize("kind, field", [("r", "roles"), ("c", "channels")])
@pytest.mark.parametrize("found", [None, {}, {"kumquat": {}}, {"7" * 5000: {}}, ["7"]])
def test_no_role_or_channel_is_chosen_without_an_id(kind: str, field: str, found: object) -> None:
    assert click(kind, values=["7"], resolved={field: found}).values == ()
    assert click(kind, values=["7"], resolved=None).values == ()
    assert click(kind, values=["7"], resolved={field: {"7": {}}}).values == ("7",)
