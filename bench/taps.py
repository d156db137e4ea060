"""Counts the taps that a person needs for the decisions of a round: `python -m bench.taps`.

One person plays with three Novices. A Novice also chooses for the person, with the same random
numbers on every version of the code. `presses` returns the controls of the person's page that carry
a choice out with the fewest taps: one for a button, and for a select one to open it and one for
each option.
"""

from __future__ import annotations

import argparse
import statistics
from collections import Counter
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any, NamedTuple

from bench.contestants import contestant
from bench.rounds import play_round, shuffled
from bot.art.emojis import Emojis
from bot.records import PersonalSettings
from bot.table.auto_pass import automatic_move
from bot.table.personal import first_notes
from bot.table.state import Game
from bot.text import speech
from bot.text.cards import Speaker
from cogs.pages.hand.choices import Draft
from cogs.pages.hand.exchange_choices import read_gifts, write_gifts
from cogs.pages.hand.page import hand_page
from cogs.pages.hand.play_choices import write_choice
from cogs.pages.verbs import Verb
from engine import (
    MAHJONGS,
    Action,
    AnswerGrand,
    Bomb,
    CallTichu,
    GiveTrick,
    Match,
    Options,
    Pass,
    PassCards,
    Play,
    Seat,
    Waive,
    card_text,
    indices,
    new_match,
    only_course,
)
from tests.bot.states import HOST, chairs, state

_PERSON = 0
_WORDS = Speaker(speech("en"), Emojis.plain())


class Press(NamedTuple):
    """A press of a button, or a choice in a select."""

    verb: str
    """The verb of the control."""
    args: str = ""
    """The arguments of a button; those of a select do not matter."""
    values: tuple[str, ...] = ()
    """The options chosen in a select; none for a button."""

    @property
    def taps(self) -> int:
        """The number of taps."""
        return 1 + len(self.values)


class Taps(Counter[str]):
    """Number of taps of a person in one round, by their purpose."""

    def note(self, match: Match, seat: Seat, action: Action, _: float) -> None:
        """Count the taps for this action, which the seat takes in this position."""
        if seat != _PERSON or isinstance(action, Waive):
            return
        table = state(match, chairs=chairs(computers=(1, 2, 3)))
        notes = first_notes(table.chairs, {HOST: PersonalSettings()})
        game = table.with_notes(auto_pass_always=notes.auto_pass_always)
        if automatic_move(game) is None and not only_course(match):
            for purpose, press in purposes(game, action, presses(game, action)):
                self[purpose] += press.taps


def purposes(game: Game, action: Action, pressed: tuple[Press, ...]) -> Iterator[tuple[str, Press]]:
    """Yield each of the presses that make this action, with its purpose."""
    leads = game.situation(action.seat).upcoming.top is None
    for number, press in enumerate(pressed):
        if isinstance(action, Play) and number and press.verb == Verb.WISH:
            yield "wish", press
        elif isinstance(action, Play):
            verbs = [each.verb for each in pressed]
            how = "cards" if Verb.CARDS in verbs else "select" if pressed[0].values else "button"
            yield f"{'lead' if leads else 'follow'} by {how}", press
        else:
            yield _NAMES[type(action)], press


_NAMES: Mapping[type[object], str] = {
    AnswerGrand: "Grand Tichu",
    PassCards: "exchange",
    CallTichu: "Tichu",
    Pass: "pass",
    GiveTrick: "Dragon",
    Bomb: "bomb",
}


def presses(game: Game, action: Action) -> tuple[Press, ...]:
    """Return the presses that take this action from its person's page, with the fewest taps.

    Cards of the same rank count as equal, unless the hand has a bomb.
    """
    match action:
        case AnswerGrand(call=True):
            return Press(Verb.GRAND_ASK), Press(Verb.GRAND, "yes")
        case AnswerGrand():
            return (Press(Verb.GRAND, "no"),)
        case PassCards():
            return _presses_of_exchange(game, action)
        case CallTichu():
            return Press(Verb.TICHU), Press(Verb.TICHU_YES)
        case Pass():
            return (Press(Verb.PASS),)
        case GiveTrick():
            return (Press(Verb.GIFT, str(action.receiver)),)
        case Play() | Bomb():
            return min(_ways_to_play(game, action), key=lambda way: sum(each.taps for each in way))
    raise ValueError("not an action of a person")


def _presses_of_exchange(game: Game, action: PassCards) -> tuple[Press, ...]:
    """Return the presses for these gifts: cards until a button offers the rest, then **Give**."""
    gifts = game.situation(action.seat).current.gifts
    wanted = dict(action.gifts)
    picked: dict[Seat, int] = {}
    picks: list[Press] = []
    for gift in gifts:  # in the game for four, each receiver gets one card
        for verb, args, _ in _controls(game, action.seat, Draft(picks=picked or None)):
            suggested = read_gifts(gifts, args) if verb == Verb.GIVE else {}
            if _ranks_of_gifts(suggested) == _ranks_of_gifts(wanted):
                return *picks, Press(Verb.GIVE, args)
        picked = {**picked, gift.receiver: wanted[gift.receiver]}
        picks.append(Press(Verb.PICK, write_gifts(gifts, picked)))
    return *picks, Press(Verb.GIVE, write_gifts(gifts, wanted))


def _ranks_of_gifts(gifts: Mapping[Seat, int]) -> dict[Seat, Counter[str]]:
    return {receiver: _ranks(cards) for receiver, cards in gifts.items()}


def _ways_to_play(game: Game, action: Play | Bomb) -> Iterator[tuple[Press, ...]]:
    """Yield the ways to make a play, with its wish."""
    equal_choices = _equal_choices(game, action)
    wish = f">{getattr(action, 'wish', None) or 'none'}"
    for verb, args, options in _controls(game, action.seat):
        # A button has a play in its arguments, a select in its options. A button of a bomb has the
        # play to beat before a comma, and one of the Mah Jong has its wish at the end.
        button_choice = args.split(",")[-1].removesuffix(wish)
        offered = set(options) if options else {button_choice}
        for choice in offered & equal_choices:
            first = Press(verb, args, (choice,) if options else ())
            has_this_wish = args != button_choice
            if verb == Verb.PLAY and action.cards & MAHJONGS:
                yield first, Press(Verb.WISH, choice + wish)
            elif verb in (Verb.PLAY, Verb.BOMB) or (verb == Verb.WISH and has_this_wish):
                yield (first,)

        # one of several bombs, chosen in the select of the next page
        if verb == Verb.BOMBS:
            bomb = f"{action.cards:x}"
            if bomb in {f"{each.cards:x}" for each in game.situation(action.seat).current.bombs}:
                yield Press(verb, args), Press(Verb.BOMB, args, (bomb,))

    # cards chosen one by one
    if isinstance(action, Play):
        cards = tuple(card_text(card) for card in indices(action.cards))
        choice = write_choice(action.cards, action.phoenix or ())
        wish_press = (Press(Verb.WISH, choice + wish),) if action.cards & MAHJONGS else ()
        yield Press(Verb.CARDS, values=cards), Press(Verb.PLAY, choice), *wish_press


def _equal_choices(game: Game, play: Play | Bomb) -> set[str]:
    """Return the texts in controls for this play, and for all that differ in suits only.

    If the hand has a bomb, suits matter, so there is only the play itself.
    """
    phoenix = play.phoenix if isinstance(play, Play) else None
    choices = {write_choice(play.cards, phoenix or ())}
    if not game.round.hands[play.seat].bombs():
        choices |= {
            write_choice(other.cards, other.phoenix or ())
            for other in game.situation(play.seat).upcoming.actions
            if isinstance(other, Play)
            and other.phoenix == phoenix
            and _ranks(other.cards) == _ranks(play.cards)
        }
    return choices


def _ranks(cards: int) -> Counter[str]:
    """Count these cards by rank; a special card is a rank of its own."""
    return Counter(
        text if text.isalpha() and len(text) > 2 else text[1:]  # “MAHJONG”, or “J10” without suit
        for text in map(card_text, indices(cards))
    )


def _controls(
    game: Game, seat: Seat, draft: Draft | None = None
) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yield verb, arguments and options of each control on a page."""
    for part in _parts(hand_page(game, seat, _WORDS, draft).to_components()):
        verb, args = str(part["custom_id"]).split(":")[-2:]
        yield verb, args, tuple(option["value"] for option in part.get("options", ()))


def _parts(parts: Any) -> Iterator[Mapping[str, Any]]:
    for part in parts:
        if "custom_id" in part:
            yield part
        yield from _parts(part.get("components", ()))


def count_taps(seed: int, person: str = "novice") -> Taps:
    """Count the taps in the round with this seed; the player `person` chooses for the person."""
    rng, taps = Random(seed), Taps()
    match = new_match(Options(), first_dealer=seed % 4)
    players = [contestant(person), *[contestant("novice")] * 3]
    play_round(match, players, shuffled(match, rng), rng, taps.note)
    return taps


def main() -> None:
    """Print the taps per round: median, mean and largest number, and the mean by purpose."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=50, help="rounds to play (default: 50)")
    parser.add_argument("--person", default="novice", help="player that chooses for the person")
    arguments = parser.parse_args()
    taps_by_round = [count_taps(seed, arguments.person) for seed in range(arguments.rounds)]
    totals = [taps.total() for taps in taps_by_round]
    print(
        f"median {statistics.median(totals):g}, mean {statistics.mean(totals):.1f}, "
        f"largest {max(totals)}"
    )
    for purpose, taps in sum(taps_by_round, Counter[str]()).most_common():
        print(f"{purpose:16}{taps / arguments.rounds:6.2f}")


if __name__ == "__main__":
    main()
