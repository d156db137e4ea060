"""Faster copies and traversals of payloads in a SimCord world.

SimCord copies every payload and every component tree several times with `copy.deepcopy`, which is
seven times slower than necessary because it looks for cycles and custom copies. Payloads are JSON:
lists, dictionaries and immutable values. `marshal` copies these and refuses anything else, which is
copied piece by piece. Each message is traversed five times by nested generators; a list takes a
third of the time. Each message is also checked three times on its way; a valid one is not checked
again. Each message is searched four times for the files that it shows, which most do not.
"""

from __future__ import annotations

import copy
import marshal
from types import SimpleNamespace
from typing import Any

import pytest
from simcord import components

_UNCHANGING = {str, int, float, bool, type(None)}


def copied(payload: Any) -> Any:
    """Return a copy that shares no list and no dictionary with the payload."""
    try:
        return marshal.loads(marshal.dumps(payload))
    except ValueError:
        return _piecewise(payload)


def _piecewise(payload: Any) -> Any:
    kind = type(payload)
    if kind is dict:
        return {name: copied(value) for name, value in payload.items()}
    if kind is list:
        return [copied(value) for value in payload]
    return payload if kind in _UNCHANGING else copy.deepcopy(payload)


def walked(tree: Any) -> list[dict[str, Any]]:
    """Return every component of a message, a parent before its children."""
    found: list[dict[str, Any]] = []
    ahead = [tree] if isinstance(tree, dict) else list(tree)
    ahead.reverse()
    while ahead:
        component = ahead.pop()
        if not isinstance(component, dict):
            continue
        found.append(component)
        for key in ("component", "accessory"):
            if isinstance(child := component.get(key), dict):
                ahead.append(child)
        if isinstance(children := component.get("components"), list):
            ahead += children[::-1]
    return found


_checked = components.validate_components
_PLAIN = 2
"""Version of `marshal` that writes equal values equally."""
_MOST = 1000
_good: dict[tuple[bytes, int], bytes] = {}
"""Checked components by their original form and flags, both written by `marshal`."""


def checked(found: Any, *, flags: int = 0) -> list[dict[str, Any]]:
    """Return components as SimCord completes them; raise its error if Discord would refuse them."""
    try:
        given = marshal.dumps(found, _PLAIN), int(flags)
    except ValueError:
        return _checked(found, flags=flags)
    good = _good.get(given)
    if good is None:
        if len(_good) > _MOST:
            _good.clear()
        good = _good[given] = marshal.dumps(_checked(found, flags=flags), _PLAIN)
        _good[good, given[1]] = good
    completed: list[dict[str, Any]] = marshal.loads(good)
    return completed


_resolved = components.resolve_attachment_references
_FILE = b"attachment://"


def resolved(found: Any, attachments: Any) -> Any:
    """Return a copy of components with URLs in place of file names."""
    try:
        written = marshal.dumps(found)
    except ValueError:
        return _resolved(found, attachments)
    return _resolved(found, attachments) if _FILE in written else marshal.loads(written)


def copy_quickly(patch: pytest.MonkeyPatch) -> None:
    """Let SimCord copy payloads in this way."""
    patch.setattr("simcord.components.deepcopy", copied)
    patch.setattr("simcord.components.walk_components", walked)
    patch.setattr("simcord.components.validate_components", checked)
    for module in ("simcord.http._helpers", "simcord.backend.ops.channels"):
        patch.setattr(f"{module}.resolve_attachment_references", resolved)
    for module in ("simcord.gateway", "simcord.http.router"):
        patch.setattr(f"{module}.copy", SimpleNamespace(deepcopy=copied))
