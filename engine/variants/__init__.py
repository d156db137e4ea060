"""The games of the rule book; each is one object that carries all its differences (O1)."""

from __future__ import annotations

from engine.variants.base import Variant
from engine.variants.nanjing import Nanjing

VARIANTS: dict[str, Variant] = {variant.name: variant for variant in (Nanjing(),)}

__all__ = ["VARIANTS", "Variant"]
