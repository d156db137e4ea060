"""Renewal of a shown hand: whenever its page differs, at once if the player can act."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache, cached_property, partial
from itertools import pairwise, product
from random import Random

import pytest

from bench.walks import random_options, walks
from bot.art.emojis import Emojis
from bot.pictures.hand.contents import hand_scene
from bot.pictures.hand.scene import HandScene
from bot.table.state import Game
from bot.text import speech
from bot.text.cards import Speaker
from cogs.pages.hand.card_order import in_display_order
from cogs.pages.hand.page import hand_fingerprint, hand_page
from cogs.pages.verbs import Verb
from engine import VARIANTS
from tests.bot.states import PEOPLE, chairs, state
from tests.bot.text.pages import parts
from tests.campaign import SOAK
from tests.engine.positions import after as played
from tests.engine.positions import table

TO = Speaker(speech("en"), Emojis.plain())
_ID = re.compile(r"\b([bs]:\d+:)\d+")
_CONTROL = re.compile(r'"custom_id": "([^"]*)"')


def text_of(game: Game, chair: int) -> str:
    """Return all texts of that page."""
    return "\n".join(
        part["content"] for part in parts(hand_page(game, chair, TO)) if "content" in part
    )


def random_games(variant: str, seed: int, steps: int) -> Iterator[Game]:
    """Yield the states of a random game, each with its own revision."""
    chance = Random(seed)
    options = random_options(chance, variant)
    seats = VARIANTS[variant].chair_count(options)
    matches = (found.match for found in walks(chance, options) if found.match.round is not None)
    for revision, match in zip(range(1, steps), matches, strict=False):
        yield state(match, chairs=chairs(PEOPLE[:seats]), revision=revision)


class Shown:
    """The page of a chair at one step of a random game, made once on demand."""

    def __init__(self, game: Game, chair: int) -> None:
        self.game = game
        self.chair = chair
        self.fingerprint = hand_fingerprint(game, chair)

    def __repr__(self) -> str:
        return f"chair {self.chair} at {self.game}"

    @cached_property
    def written(self) -> str:
        """Return the page as sent, without the revision of its controls."""
        return _ID.sub(r"\1", json.dumps(hand_page(self.game, self.chair, TO).to_components()))

    @cached_property
    def picture(self) -> HandScene | None:
        """Return the scene of the picture on that page."""
        return hand_scene(self.game, self.chair, TO, partial(in_display_order, sorting=TO.sorting))

    @property
    def drawn(self) -> bool:
        """Return whether the table is in that picture."""
        return self.picture is not None and self.picture.table is not None

    @cached_property
    def controls(self) -> set[str]:
        """Return the controls of that page, except Hold and the rules."""
        found = set(_CONTROL.findall(self.written))
        beside = (f":{Verb.WAIT}:", f":{Verb.EXPLAIN}:{self.game.options.variant}.bombs")
        return {custom_id for custom_id in found if not any(part in custom_id for part in beside)}


@cache
def steps(chairs_: int = 4) -> list[tuple[Shown, Shown]]:
    """Return pairs of consecutive states of the page of each chair in random games."""
    found: list[tuple[Shown, Shown]] = []
    for variant, seed in product(VARIANTS, range(2 if SOAK else 1)):
        games = list(random_games(variant, seed, 120))
        for chair in range(min(len(games[0].chairs), chairs_)):
            found += pairwise([Shown(game, chair) for game in games])
    return found


@pytest.mark.slow
def test_different_page_has_a_different_fingerprint() -> None:
    unnoticed = [
        (before, after_)
        for before, after_ in steps()
        if before.fingerprint == after_.fingerprint and before.written != after_.written
    ]
    assert unnoticed == []


@pytest.mark.slow
def test_different_picture_has_a_different_fingerprint() -> None:
    unnoticed = [
        (before, after_)
        for before, after_ in steps()
        if before.fingerprint == after_.fingerprint and before.picture != after_.picture
    ]
    assert unnoticed == []


@pytest.mark.slow
def test_table_in_the_picture_comes_and_goes_at_once() -> None:
    late = [
        (before, after_)
        for before, after_ in steps()
        if before.fingerprint.may_do == after_.fingerprint.may_do and before.drawn != after_.drawn
    ]
    assert late == []


@pytest.mark.slow
def test_new_actions_are_shown_at_once() -> None:
    """Except Hold, which appears in every bomb window for nearly everybody."""
    late = [
        (before, after_)
        for before, after_ in steps()
        if before.fingerprint.may_do == after_.fingerprint.may_do
        and before.controls != after_.controls
    ]
    assert late == []


def test_moves_of_others_are_not_urgent() -> None:
    """Plays, passes and windows of others change only the status lines."""
    lead = table("LEAD A", hands={"A": "S8 S9", "B": "J9 J2", "D": "J3 J4 J5"})
    before, after_ = state(lead), state(played(lead, "A play:S8"), revision=1)
    assert hand_fingerprint(before, 3).may_do == hand_fingerprint(after_, 3).may_do
    assert hand_fingerprint(before, 3) != hand_fingerprint(after_, 3)
    assert hand_fingerprint(before, 1).may_do != hand_fingerprint(after_, 1).may_do, (
        "Ben may choose already"
    )


def test_window_is_urgent_for_players_who_may_hold_it() -> None:
    """Hold is shown at once after a play; a pass or the window's end is not urgent."""
    lead = table("LEAD A", hands={"A": "S8 S9", "B": "J9 J2", "C": "+4", "D": "J3 J4 J5 J6"})
    window = played(lead, "A play:S8")
    turn = played(window, "clock close")
    passed = played(turn, "B pass")
    found = [hand_fingerprint(state(match), 3).may_do for match in (lead, window, turn, passed)]
    assert found[0] != found[1] == found[2] == found[3]


def test_wish_is_urgent_for_players_it_binds() -> None:
    lead = table("LEAD A", hands={"A": "MAHJONG S9", "B": "J9 J2 J3", "D": "J4 J5 J6"})
    free, bound = (state(played(lead, f"A play:MAHJONG{wish}")) for wish in ("", " wish=9"))
    assert hand_fingerprint(free, 1).may_do != hand_fingerprint(bound, 1).may_do
    assert hand_fingerprint(free, 3).may_do == hand_fingerprint(bound, 3).may_do


def test_fulfilled_wish_is_removed() -> None:
    turn = table("TURN B", trick="A MAHJONG wish=9", wish="9", hands={"B": "S9 P9", "D": "+3"})
    before, after_ = state(turn), state(played(turn, "B play:S9"), revision=1)
    for chair in range(4):
        assert hand_fingerprint(before, chair) != hand_fingerprint(after_, chair)
        texts = (text_of(before, chair), text_of(after_, chair))
        assert ["💭" in text for text in texts] == [True, False]


def test_lost_call_is_marked() -> None:
    calls = {"B": "tichu", "C": "grand"}
    turn = table("TURN A", trick="D S8", hands={"A": "S9", "B": "J9 J2"}, calls=calls)
    before, after_ = state(turn), state(played(turn, "A play:S9"))
    assert text_of(before, 3).count("✗") == 0
    assert text_of(after_, 3).count("✗") == 2
    assert hand_fingerprint(before, 3) != hand_fingerprint(after_, 3)
