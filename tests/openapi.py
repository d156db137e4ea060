"""Validation of request bodies against Discord's description of its HTTP API.

`discord_openapi.json.xz` is discord/discord-api-spec's `specs/openapi.json` (OpenAPI 3.1, MIT).
"""

from __future__ import annotations

import json
import lzma
import re
from collections.abc import Hashable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError, best_match
from jsonschema.validators import extend

FILE = Path(__file__).with_name("discord_openapi.json.xz")
_SCHEMAS = "#/components/schemas/"
_BY_TYPE = "x-by-type"
"""Keyword with the alternatives of a schema by their `type`."""
_BITS = {"allow", "deny", "permissions"}
"""Permission sets: strings in the documentation, integers in some places of the file."""


class Operation(NamedTuple):
    """One route and method of the API."""

    method: str
    path: re.Pattern[str]
    literals: int
    """Number of literal path parts; the best match has the most."""
    body: Draft202012Validator | None
    """Validator of its JSON body, if it has one."""


def complaint(method: str, path: str, body: Any) -> str | None:
    """Return the violation of Discord's description by a request, or `None`."""
    fitting = [one for one in operations() if one.method == method and one.path.fullmatch(path)]
    if not fitting:
        return "is no route of Discord's API"
    validator = max(fitting, key=lambda one: one.literals).body
    if validator is None or body is None:
        return None
    error = best_match(error for error in validator.iter_errors(body) if not _about_bits(error))
    if error is None:
        return None
    while error.context:
        error = max(error.context, key=lambda inner: len(inner.absolute_path))
    return f"{'/'.join(map(str, error.absolute_path))}: {error.message[:300]}"


def _by_type(
    validator: Any, alternatives: dict[Any, Any], instance: Any, _: Any
) -> Iterator[ValidationError]:
    """Validate against the alternative of the instance's `type`, if it has one."""
    kind = instance.get("type") if isinstance(instance, dict) else None
    if isinstance(kind, Hashable) and kind in alternatives:
        yield from validator.descend(instance, alternatives[kind])


_Validator = extend(Draft202012Validator, {_BY_TYPE: _by_type})  # type: ignore[no-untyped-call]


def _about_bits(error: ValidationError) -> bool:
    return bool(error.absolute_path) and error.absolute_path[-1] in _BITS


@cache
def operations() -> tuple[Operation, ...]:
    """Return every operation of the API."""
    spec = json.loads(lzma.decompress(FILE.read_bytes()))
    schemas = spec["components"]["schemas"]
    schemas["SnowflakeType"]["type"] = ["string", "integer"]  # Discord accepts both
    _tell_apart_by_type(spec, schemas)
    return tuple(_operations(_resolved(spec, schemas)))


def _resolved(node: Any, schemas: dict[str, Any]) -> Any:
    """Put the schemas in the place of references to them, which would be looked up each time."""
    for key, child in node.items() if isinstance(node, dict) else enumerate(node):
        if isinstance(child, dict) and str(child.get("$ref")).startswith(_SCHEMAS):
            node[key] = schemas[child["$ref"].removeprefix(_SCHEMAS)]
        elif isinstance(child, dict | list):
            _resolved(child, schemas)
    return node


def _operations(spec: dict[str, Any]) -> Iterator[Operation]:
    for path, methods in spec["paths"].items():
        pattern = re.compile(re.sub(r"\{[^}]+\}", "[^/]+", path))
        literals = sum("{" not in part for part in path.split("/"))
        for method in methods.keys() & {"get", "post", "put", "patch", "delete"}:
            contents = methods[method].get("requestBody", {}).get("content", {})
            validator = None
            if "application/json" in contents:
                validator = _Validator(contents["application/json"]["schema"])
            yield Operation(method.upper(), pattern, literals, validator)


def _tell_apart_by_type(node: Any, schemas: dict[str, Any]) -> None:
    """Choose among alternatives by their `type` where possible, which is faster and clearer.

    Without that, each component of a page is checked against every kind of component.
    """
    children = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
    for child in children:
        _tell_apart_by_type(child, schemas)
    for key in ("oneOf", "anyOf"):
        alternatives = node.get(key) if isinstance(node, dict) else None
        if not isinstance(alternatives, list) or len(alternatives) < 2:
            continue
        if all("const" in one for one in alternatives):
            node["enum"] = [one["const"] for one in node.pop(key)]
            continue
        names = [str(one.get("$ref")).rpartition("/")[2] for one in alternatives]
        kinds = [
            schemas.get(name, {}).get("properties", {}).get("type", {}).get("enum", [])
            for name in names
        ]
        every = [kind for some in kinds for kind in some]
        if not all(kinds) or len(every) != len(set(every)):
            continue
        del node[key]
        node["type"], node["required"] = "object", ["type"]
        node["properties"] = {"type": {"enum": every}}
        node[_BY_TYPE] = {
            kind: one for some, one in zip(kinds, alternatives, strict=True) for kind in some
        }
