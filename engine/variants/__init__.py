"""The games of the rule book, one object for each (O1)."""

from __future__ import annotations

from engine.options import CHOICES
from engine.types import Gifts
from engine.variants.base import Gift, Variant
from engine.variants.grandseigneur import GrandSeigneur
from engine.variants.nanjing import Nanjing
from engine.variants.tientsin import Tientsin
from engine.variants.trichu import Trichu

VARIANTS: dict[str, Variant] = {
    variant.name: variant for variant in (Nanjing(), Trichu(), Tientsin(), GrandSeigneur())
}
CHOICES.update({name: variant.choices for name, variant in VARIANTS.items()})

__all__ = ["VARIANTS", "Gift", "Gifts", "Variant"]
