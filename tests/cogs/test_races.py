"""A hundred clicks at the same instant: each answered once and politely, only legal things done."""

from __future__ import annotations

import random
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from simcord import InteractionResult

from engine.state import WINDOWS, Phase
from tests.cogs.forged_clicks import forge, forge_anything
from tests.cogs.table_play import HandPlayer, World, play_on, verb, with_verb
from tests.simcord_clicks import Person, fire_all, text

Clicking = Coroutine[Any, Any, InteractionResult]


def _reached(world: World, phases: tuple[Phase, ...]) -> Callable[[], bool]:
    return lambda: world.table().phase in phases


def valid(player: HandPlayer, rng: random.Random) -> Clicking:
    """Something that stands on the screen."""
    control = rng.choice(player.controls() or [player.world.newest_with("hand")[1]])
    member, message = player.person.member, player.hand
    if control not in player.controls():
        message = player.world.newest_with("hand")[0]
    if not control.is_select:
        return member.click(message, custom_id=control.custom_id)
    count = rng.randint(1, control.most)
    values = [option.value for option in rng.sample(control.options, count)]
    return member.select(message, values, custom_id=control.custom_id)
