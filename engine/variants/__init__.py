"""The games of the rule book, one object for each (O1)."""

from __future__ import annotations

from ..options import CHOICES
from ..types import Gifts
from .base import Gift, Variant
from .grandseigneur import GrandSeigneur
from .nanjing import Nanjing
from .tientsin import Tientsin
from .trichu import Trichu

VARIANTS: dict[str, Variant] = {
    variant.name: variant for variant in (Nanjing(), Trichu(), Tientsin(), GrandSeigneur())
}
CHOICES.update({name: variant.choices for name, variant in VARIANTS.items()})

__all__ = ["VARIANTS", "Gift", "Gifts", "Variant"]
