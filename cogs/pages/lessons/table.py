"""The table in a lesson, in words and pictures: players, recent events, current trick.

It shows what the reader may know, by `engine.view`, like every hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.lessons import NAMES, READER, Scene
from bot.text.cards import Speaker
from bot.text.labels import seat_sign
from cogs.pages.controls import Part, line, text
from cogs.pages.hand.card_order import in_order
from cogs.pages.hand.status import ARROW, waited_for
from cogs.pages.names import ordinal
from engine import (
    PLAY_PHASES,
    Call,
    Called,
    CallsOpened,
    CardsPassed,
    DragonGiven,
    Event,
    LeadGiven,
    Match,
    Passed,
    Played,
    RoundEnded,
    Seat,
    TrickTaken,
    View,
    WentOut,
    view,
)

_NO_BREAK_SPACE = "\u00a0"
"""A space without a line break."""


def table_parts(scene: Scene, words: Speaker) -> list[Part]:
    """Return the table and the reader's hands; empty without cards."""
    if scene.match is None:
        return []
    seen = view(scene.match, READER)
    between = " " if seat_sign(seen, READER) else " · "  # signs separate the players well enough
    lines = [f"-# {between.join(_players(scene.match, seen, words))}"]
    if news := " · ".join(_news(scene, words)):
        lines.append(f"-# {news}")
    lines += _middle(scene.match, seen, words)
    hands = [_hand(scene.match, seen, seat, words) for seat, _ in seen.hands]
    return [text("\n".join(lines)), line(), text("\n".join(hands))]


def lesson_name(match: Match, seat: Seat, words: Speaker) -> str:
    """Return the name of a player in a lesson; “you” for the reader."""
    if seat == READER:
        return words.say("you")
    if seat >= match.variant.chair_count(match.options):
        return words.say("The Table")
    return NAMES[seat]


def _players(match: Match, seen: View, words: Speaker) -> Iterator[str]:
    """Return every player in turn order, the reader first.

    Each has the team, name, number of cards, and call.
    """
    asked = waited_for(seen)
    for seat in (READER, *seen.seating.after(READER)[:-1]):
        public = seen.seats[seat]
        cards = str(public.cards) if public.place is None else words.art.icon("out")
        parts = [seat_sign(seen, seat) + lesson_name(match, seat, words), cards]
        if public.call is not None:
            parts.append(words.call(public.call))
        player = _NO_BREAK_SPACE.join(parts)
        yield f"**{ARROW}{_NO_BREAK_SPACE}{player}**" if seat in asked else player


def _middle(match: Match, seen: View, words: Speaker) -> Iterator[str]:
    """Return the play to beat, the wish, and the points of the trick."""
    say = words.say
    if seen.top is not None:
        name = lesson_name(match, seen.top_seat, words)
        yield f"**{say.labelled(name, words.combination(seen.top))}**\n## {words.laid(seen.top)}"
    small = []
    if seen.wish is not None and seen.phase in PLAY_PHASES:
        wish = say("Wish: {rank}", rank=words.rank(seen.wish))
        small.append(f"{words.art.icon('wish')} **{wish}**")
    if seen.trick_points:
        small.append(say("trick worth {points}", points=say.number(seen.trick_points)))
    if small:
        yield "-# " + " · ".join(small)


def _hand(match: Match, seen: View, seat: Seat, words: Speaker) -> str:
    """Return a hand that the reader sees, with the name of its player."""
    hand, own = dict(seen.hands)[seat], seat == READER
    if not hand.size:
        name = lesson_name(match, seat, words)
        return words.say("You're out.") if own else words.say("{name} is out.", name=name)
    heading = words.say("Your hand") if own else lesson_name(match, seat, words)
    cards = " ".join(words.card(card) for card in in_order(hand.cards, words.sorting))
    return f"-# {heading}\n## {cards}"


def _news(scene: Scene, words: Speaker) -> Iterator[str]:
    """Return the events since the reader's last choice, without their own moves."""
    if scene.match is None:
        return
    for event in scene.events:
        yield from _event_text(scene.match, event, words)


def _event_text(match: Match, event: Event, words: Speaker) -> Iterator[str]:
    """Return one event in words, unless the reader caused it."""
    say = words.say

    def name(seat: Seat) -> str:
        return lesson_name(match, seat, words)

    match event:
        case Played(seat=seat, combination=combination, wish=wish) if seat != READER:
            yield say.labelled(name(seat), words.combination(combination))
            if wish is not None:
                yield say("wishes {rank}", rank=words.rank(wish))
        case Passed(seat=seat) if seat != READER:
            yield say("{name} passes", name=name(seat))
        case Called(seat=seat, call=Call.GRAND) if seat != READER:
            yield say("{name} calls **Grand Tichu!**", name=name(seat))
        case Called(seat=seat) if seat != READER:
            yield say("{name} calls **Tichu!**", name=name(seat))
        case CallsOpened(callers=()):
            yield say("No Grand Tichu")
        case CardsPassed(leader=leader):
            yield from _received(match, words)
            yield say("You lead") if leader == READER else say("{name} leads", name=name(leader))
        case TrickTaken(seat=seat, points=points):
            worth = f" ({say.signed(points)})" if points else ""
            taken = say("{name} takes the trick", name=name(seat))
            yield (say("You take the trick") if seat == READER else taken) + worth
        case DragonGiven(seat=seat, receiver=receiver) if seat != READER:
            yield (
                say("{name} gives you the Dragon trick", name=name(seat))
                if receiver == READER
                else say("{name} takes the trick", name=name(receiver))
            )
        case LeadGiven(leader=leader):
            yield say("You lead") if leader == READER else say("{name} leads", name=name(leader))
        case WentOut(seat=seat, place=place):
            nth = ordinal(place, words)
            if seat == READER:
                yield say("You're out {place}", place=nth)
            else:
                yield say("{name} is out {place}", name=name(seat), place=nth)
        case RoundEnded(result=result):
            yield say("Round over")
            yield from _scores(match, result.score, words)


def _received(match: Match, words: Speaker) -> Iterator[str]:
    """Return the cards that the reader got in the exchange, each with its giver."""
    for giver, cards in view(match, READER).received:
        yield words.say(
            "{name} gives you {cards}",
            name=lesson_name(match, giver, words),
            cards=words.cards(cards),
        )


def _scores(match: Match, score: Sequence[int], words: Speaker) -> Iterator[str]:
    """Return the points of a round, by the names of their players."""
    round_ = match.round
    assert round_ is not None
    for column, points in enumerate(score):
        seats = [
            seat
            for seat in range(match.variant.chair_count(match.options))
            if match.variant.column(round_, seat) == column
        ]
        names = " & ".join(lesson_name(match, seat, words) for seat in seats)
        yield f"{names} {words.say.signed(points)}"
