"""The table in a lesson, in words and pictures: players, recent events, current trick.

It shows what the reader may know, by `engine.view`, like every hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.lessons import NAMES, READER, Scene
from bot.text.cards import Speaker
from bot.text.labels import seat_emoji
from cogs.pages.controls import Part, line, text
from cogs.pages.hand.card_order import in_display_order
from cogs.pages.hand.status import ARROW, awaited_seats
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


def table_blocks(scene: Scene, words: Speaker) -> list[Part]:
    """Return blocks with the table and the reader's hands, or none for a scene without cards."""
    if scene.match is None:
        return []
    reader_view = view(scene.match, READER)
    # Emojis separate players well enough.
    separator = " " if seat_emoji(reader_view, READER) else " · "
    lines = [f"-# {separator.join(_player_texts(scene.match, reader_view, words))}"]
    if events := " · ".join(_event_texts(scene, words)):
        lines.append(f"-# {events}")
    lines += _trick_lines(scene.match, reader_view, words)
    hands = [_hand_text(scene.match, reader_view, seat, words) for seat, _ in reader_view.hands]
    return [text("\n".join(lines)), line(), text("\n".join(hands))]


def lesson_name(match: Match, seat: Seat, words: Speaker) -> str:
    """Return the name of a player in a lesson; “you” for the reader."""
    if seat == READER:
        return words.say("you")
    if seat >= match.variant.chair_count(match.options):
        return words.say("The Table")
    return NAMES[seat]


def _player_texts(match: Match, reader_view: View, words: Speaker) -> Iterator[str]:
    """Yield the text of each player in turn order, the reader first: cards and call."""
    awaited = awaited_seats(reader_view)
    for seat in (READER, *reader_view.seating.after(READER)[:-1]):
        public = reader_view.seats[seat]
        cards = str(public.cards) if public.place is None else words.art.icon("out")
        parts = [seat_emoji(reader_view, seat) + lesson_name(match, seat, words), cards]
        if public.call is not None:
            parts.append(words.call(public.call))
        player = _NO_BREAK_SPACE.join(parts)
        yield f"**{ARROW}{_NO_BREAK_SPACE}{player}**" if seat in awaited else player


def _trick_lines(match: Match, reader_view: View, words: Speaker) -> Iterator[str]:
    """Yield lines with the play to beat, the wish, and the points of the trick."""
    say = words.say
    if (top := reader_view.top) is not None:
        name = lesson_name(match, reader_view.top_seat, words)
        yield f"**{say.labelled(name, words.combination(top))}**\n## {words.combination_cards(top)}"
    facts = []
    if reader_view.wish is not None and reader_view.phase in PLAY_PHASES:
        wish = say("Wish: {rank}", rank=words.rank(reader_view.wish))
        facts.append(f"{words.art.icon('wish')} **{wish}**")
    if reader_view.trick_points:
        facts.append(say("trick worth {points}", points=say.number(reader_view.trick_points)))
    if facts:
        yield "-# " + " · ".join(facts)


def _hand_text(match: Match, reader_view: View, seat: Seat, words: Speaker) -> str:
    """Return a hand that the reader sees, with the name of its player."""
    hand, is_own = dict(reader_view.hands)[seat], seat == READER
    if not hand.size:
        name = lesson_name(match, seat, words)
        return words.say("You're out.") if is_own else words.say("{name} is out.", name=name)
    heading = words.say("Your hand") if is_own else lesson_name(match, seat, words)
    cards = " ".join(words.card(card) for card in in_display_order(hand.cards, words.sorting))
    return f"-# {heading}\n## {cards}"


def _event_texts(scene: Scene, words: Speaker) -> Iterator[str]:
    """Yield the texts of events since the reader's last choice, without their own moves."""
    if scene.match is None:
        return
    for event in scene.events:
        yield from _event_text(scene.match, event, words)


def _event_text(match: Match, event: Event, words: Speaker) -> Iterator[str]:
    """Yield the texts of one event, none if it is the reader's own move."""
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
            yield from _received_texts(match, words)
            yield say("You lead") if leader == READER else say("{name} leads", name=name(leader))
        case TrickTaken(seat=seat, points=points):
            points_text = f" ({say.signed(points)})" if points else ""
            sentence = say("{name} takes the trick", name=name(seat))
            yield (say("You take the trick") if seat == READER else sentence) + points_text
        case DragonGiven(seat=seat, receiver=receiver) if seat != READER:
            yield (
                say("{name} gives you the Dragon trick", name=name(seat))
                if receiver == READER
                else say("{name} takes the trick", name=name(receiver))
            )
        case LeadGiven(leader=leader):
            yield say("You lead") if leader == READER else say("{name} leads", name=name(leader))
        case WentOut(seat=seat, place=place):
            place_text = ordinal(place, words)
            if seat == READER:
                yield say("You're out {place}", place=place_text)
            else:
                yield say("{name} is out {place}", name=name(seat), place=place_text)
        case RoundEnded(result=result):
            yield say("Round over")
            yield from _score_texts(match, result.score, words)


def _received_texts(match: Match, words: Speaker) -> Iterator[str]:
    """Yield a text for each giver with the cards that the reader got in the exchange."""
    for giver, cards in view(match, READER).received:
        yield words.say(
            "{name} gives you {cards}",
            name=lesson_name(match, giver, words),
            cards=words.cards(cards),
        )


def _score_texts(match: Match, score: Sequence[int], words: Speaker) -> Iterator[str]:
    """Yield the points of each column in a round, with the names of its players."""
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
