"""Quicker copies of the payloads in a SimCord world.

SimCord copies every payload and every tree of components several times with `copy.deepcopy`, which
takes seven times as long as it must: it looks for circles and for objects with copies of their
own. Payloads are JSON: lists, dictionaries and what cannot change. `marshal` copies these, and
refuses whatever else comes along: that is copied piece by piece.
"""

from __future__ import annotations

import copy
import marshal
from types import SimpleNamespace
from typing import Any

import pytest

_UNCHANGING = {str, int, float, bool, type(None)}


def copied(payload: Any) -> Any:
    """A copy that shares no list and no dictionary with the payload."""
    try:
        return marshal.loads(marshal.dumps(payload))
    except ValueError:
        return _piecewise(payload)


def _piecewise(payload: Any) -> Any:
    kind = type(payload)
    if kind is dict:
        return {name: _piecewise(value) for name, value in payload.items()}
    if kind is list:
        return [_piecewise(value) for value in payload]
    return payload if kind in _UNCHANGING else copy.deepcopy(payload)


def copy_quickly(patch: pytest.MonkeyPatch) -> None:
    """Let SimCord copy payloads so."""
    patch.setattr("simcord.components.deepcopy", copied)
    for module in ("simcord.gateway", "simcord.http.router"):
        patch.setattr(f"{module}.copy", SimpleNamespace(deepcopy=copied))
