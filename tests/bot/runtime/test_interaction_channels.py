"""Channels of interactions that Discord names by id alone; see also `tests/cogs`."""

from __future__ import annotations

from typing import Any

import pytest

from bot.runtime.interaction_channels import with_channel


@pytest.mark.parametrize("data", [{"channel": {"id": "1", "type": 0}, "channel_id": "1"}, {}])
def test_complete_or_unknown_data_stays_unchanged(data: dict[str, Any]) -> None:
    assert with_channel(data) is data


@pytest.mark.parametrize("given", [{}, {"channel": None}, {"channel": {}}])
@pytest.mark.parametrize("where, kind", [({}, 1), ({"guild_id": "7"}, 11)])
def test_builds_a_channel_from_its_id(
    given: dict[str, Any], where: dict[str, Any], kind: int
) -> None:
    data = {**given, **where, "channel_id": "5", "token": "t"}
    before = dict(data)
    completed = with_channel(data)
    assert (completed["channel"]["id"], completed["channel"]["type"]) == ("5", kind)
    assert completed["token"] == "t"
    assert data == before
