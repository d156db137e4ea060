"""Quicker copies of the payloads in a SimCord world.

SimCord copies every payload and every tree of components several times with `copy.deepcopy`, which
takes three times as long as it must: it looks for circles and for objects with copies of their
own. Payloads are JSON: lists, dictionaries and what cannot change. Whatever else comes along is
copied as before.
"""

from __future__ import annotations

import copy
from types import SimpleNamespace
from typing import Any

import pytest

_UNCHANGING = {str, int, float, bool, type(None)}


def copied(payload: Any) -> Any:
    """A copy that shares no list and no dictionary with the payload."""
    kind = type(payload)
    if kind is dict:
        return {name: copied(value) for name, value in payload.items()}
    if kind is list:
        return [copied(value) for value in payload]
    return payload if kind in _UNCHANGING else copy.deepcopy(payload)


def copy_quickly(patch: pytest.MonkeyPatch) -> None:
    """Let SimCord copy payloads so."""
    patch.setattr("simcord.components.deepcopy", copied)
    for module in ("simcord.gateway", "simcord.http.router"):
        patch.setattr(f"{module}.copy", SimpleNamespace(deepcopy=copied))
