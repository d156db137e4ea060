"""Taps that a person needs for a round: only those that decide something, on the pages as they are.

One person plays with three Novices. A Novice also chooses for the person, with the same random
numbers on every version of the code, and the page tells what its choice costs: one tap for a
button, two for an option of a select (open and choose), and for free cards one to open the select,
one for each card and one for the play. Run with `python -m bench.taps`.
"""

from __future__ import annotations

import argparse
import statistics
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from random import Random
from typing import Any

import engine
from bench.contestants import contestant
from bench.rounds import play_round, shuffled
from bot.art.emojis import Emojis
from bot.records import PersonalSettings
from bot.table.auto_pass import auto_pass_seat
from bot.table.personal import first_notes
from bot.table.state import Game
from bot.text import speech
from bot.text.cards import Speaker
from cogs.pages.hand.exchange_choices import read_gifts
from cogs.pages.hand.page import hand_page
from cogs.pages.hand.play_choices import write_choice
from cogs.pages.verbs import Verb
from engine import (
    MAHJONGS,
    Action,
    AnswerGrand,
    CallTichu,
    Match,
    Options,
    Pass,
    PassCards,
    Play,
    Seat,
    Waive,
    new_match,
)
from tests.bot.states import HOST, chairs, state

_PERSON = 0
_WORDS = Speaker(speech("en"), Emojis.plain())
_only_course: Callable[[Match], object] = getattr(engine, "only_course", lambda match: ())
"""The rest of a round without choices; versions before had none."""


class Taps(Counter[str]):
    """Number of taps of a person in one round, by their purpose."""

    def __init__(self, *, until_next_trick: bool) -> None:
        super().__init__()
        self._until_next_trick = until_next_trick
        """True if one tap passes for the rest of a trick that cannot be beaten."""
        self._passing: tuple[object, ...] = ()
        """The trick for which the person passes already."""
        self._over = False

    def note(self, match: Match, seat: Seat, action: Action, _: float) -> None:
        """Count the taps for this action, which the seat takes in this position."""
        if self._over or seat != _PERSON or isinstance(action, Waive):
            return
        game = _game(match)
        if _only_course(match):
            self._over = True
        elif isinstance(action, AnswerGrand):
            self["Grand Tichu"] += 2 if action.call else 1
        elif isinstance(action, PassCards):
            self["exchange"] += _taps_of_exchange(game, action)
        elif isinstance(action, CallTichu):
            self["Tichu"] += 2
        elif isinstance(action, Pass):
            self._pass(game, match)
        elif isinstance(action, Play):
            self["plays"] += _taps_of_play(game, action)
        else:
            self["bombs and gifts"] += 1

    def _pass(self, game: Game, match: Match) -> None:
        assert match.round is not None
        trick = (len(match.round.past), match.round.number)
        if auto_pass_seat(game) == _PERSON or self._passing == trick:
            return
        self["passes"] += 1
        nothing = not engine.legal_plays(match, _PERSON)
        if self._until_next_trick and nothing and not match.round.hands[_PERSON].bombs():
            self._passing = trick


def _game(match: Match) -> Game:
    """Return the table of the person with this match and default settings."""
    table = state(match, chairs=chairs(computers=(1, 2, 3)))
    notes = first_notes(table.chairs, {HOST: PersonalSettings()})
    return table.with_notes(auto_pass_always=notes.auto_pass_always)


def _taps_of_exchange(game: Game, action: PassCards) -> int:
    """Return the taps for these gifts: one for each card or for all together, and one to give.

    Of cards of one rank it does not matter which one is given.
    """
    gifts = game.situation(_PERSON).now.gifts
    wanted = {receiver: _ranks(cards) for receiver, cards in action.gifts}
    for part in _controls(hand_page(game, _PERSON, _WORDS).to_components()):
        verb, args = str(part["custom_id"]).split(":")[-2:]
        if verb == Verb.PICK:
            picked = read_gifts(gifts, args)
            if {receiver: _ranks(cards) for receiver, cards in picked.items()} == wanted:
                return 2
    return len(action.gifts) + 1


def _taps_of_play(game: Game, play: Play) -> int:
    """Return the taps for this play on the person's page, with its wish."""
    wish = 1 if play.cards & MAHJONGS else 0
    fewest = 2 + play.cards.bit_count()
    choices = _same(game, play)
    for part in _controls(hand_page(game, _PERSON, _WORDS).to_components()):
        verb, args = str(part["custom_id"]).split(":")[-2:]
        if verb == Verb.PLAY and args in choices:
            fewest = min(fewest, 1)
        elif verb == Verb.PLAY and any(
            each["value"] in choices for each in part.get("options", ())
        ):
            fewest = min(fewest, 2)
    return fewest + wish


def _same(game: Game, play: Play) -> set[str]:
    """Return the arguments of this play and of all that differ in suits only.

    Where the hand has a bomb, suits matter, and there is no other.
    """
    same = {write_choice(play.cards, play.phoenix or ())}
    if not game.round.hands[_PERSON].bombs():
        same |= {
            write_choice(other.cards, other.phoenix or ())
            for other in game.situation(_PERSON).live.actions
            if isinstance(other, Play)
            and other.phoenix == play.phoenix
            and _ranks(other.cards) == _ranks(play.cards)
        }
    return same


def _ranks(cards: int) -> Counter[str]:
    """Return the ranks of these cards; a special card is a rank of its own."""
    return Counter(
        text if text.isalpha() and len(text) > 2 else text[1:]
        for text in map(engine.card_text, engine.indices(cards))
    )


def _controls(parts: Any) -> Iterator[Mapping[str, Any]]:
    for part in parts:
        if "custom_id" in part:
            yield part
        yield from _controls(part.get("components", ()))


def count_taps(seed: int, *, until_next_trick: bool) -> Taps:
    """Return the taps in the round with this seed."""
    rng, taps = Random(seed), Taps(until_next_trick=until_next_trick)
    match = new_match(Options(), first_dealer=seed % 4)
    watch = partial(Taps.note, taps)
    play_round(match, [contestant("novice")] * 4, shuffled(match, rng), rng, watch)
    return taps


def main() -> None:
    """Print the taps of seeded rounds: median, mean by purpose, largest."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=50, help="rounds to play (default: 50)")
    rounds = parser.parse_args().rounds
    for until_next_trick in (False, True):
        counted = [count_taps(seed, until_next_trick=until_next_trick) for seed in range(rounds)]
        totals = [sum(taps.values()) for taps in counted]
        purposes = sorted({purpose for taps in counted for purpose in taps})
        means = ", ".join(
            f"{purpose} {statistics.mean(taps[purpose] for taps in counted):.1f}"
            for purpose in purposes
        )
        how = "one tap for each pass" if not until_next_trick else "with Pass until next trick"
        print(
            f"{how}: median {statistics.median(totals):g}, mean {statistics.mean(totals):.1f}, "
            f"largest {max(totals)} ({means})"
        )


if __name__ == "__main__":
    main()
