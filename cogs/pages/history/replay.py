"""Private replay page of a finished round, position by position.

Hands are hidden or open.

The ids of its buttons contain the round, the place among the positions, and the kind of view.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import discord

from bot.errors import Reason, Refused
from bot.history.replay import Replay
from bot.ids import Revision, UserId
from bot.table.state import Game
from bot.text.cards import Speaker
from cogs.pages.controls import Controls, Page, Part, length, line, number, option, row, text
from cogs.pages.history.event_text import last_moves
from cogs.pages.names import seat_name, shared_by
from cogs.pages.table.page import in_turn_order, middle, open_cards, seat_line, totals
from cogs.pages.table.score_lines import hierarchy, scores, story
from cogs.pages.verbs import Verb
from engine import CardSet, NotationError, Round, Seat, View, indices, points_of, sort_key

MOST_CHARACTERS = 3900
"""Largest number of characters in a message (Discord allows 4,000)."""
FORMATS = ("txt", "json", "tch")
"""Formats to save a round in; the last is only for Nanjing."""


@dataclass(frozen=True, slots=True)
class ReplayQuery:
    """A position in a round of a match."""

    number: int
    """The number of the round; 0 is the last one that is over."""
    place: int = 0
    """The place among the positions of the round, from 0."""
    opened: bool = False
    """True if all hands are open."""

    def written(self, button: str) -> str:
        """Return the text for a button id; `button` makes it unique.

        `read_replay_query` parses it.
        """
        return f"{self.number}.{self.place}.{'open' if self.opened else 'public'}.{button}"


def read_replay_query(text: str) -> ReplayQuery:
    """Parse the id of a button; raise `NotationError` for a forged one."""
    parts = text.split(".")
    if len(parts) != 4 or parts[2] not in ("open", "public"):
        raise NotationError("not a position of a round")
    return ReplayQuery(number(parts[0]), number(parts[1]), parts[2] == "open")


@dataclass(frozen=True, slots=True)
class FileChoice:
    """A file to save: its format, and one round or all."""

    form: str
    whole_match: bool

    def written(self) -> str:
        """Return the text for the select; `read_file_choice` parses it."""
        return f"{self.form}.{'match' if self.whole_match else 'round'}"


def read_file_choice(text: str) -> FileChoice:
    """Parse the chosen value of the select; raise `Refused` for a forged one."""
    form, _, which = text.partition(".")
    if form not in FORMATS or which not in ("round", "match"):
        raise Refused(Reason.UNKNOWN_BUTTON)
    return FileChoice(form, which == "match")


def replay_page(
    replay: Replay, query: ReplayQuery, words: Speaker, by: UserId | None = None
) -> Page:
    """Return one position with the buttons to all others.

    A place that is too large shows the last position. With `by`, the user who shared it, the page
    is public, and its button opens the position for the user who clicks it.
    """
    last = len(replay.played.positions) - 1
    query = ReplayQuery(query.number, min(query.place, last), query.opened)
    for pictures, moves in ((True, 6), (False, 6), (False, 2), (False, 0)):
        blocks = list(_blocks(replay, query, words, pictures=pictures, moves=moves))
        if sum(map(length, blocks)) <= MOST_CHARACTERS:
            break
    parts: list[Part] = [text(blocks[0])]
    for block in blocks[1:]:
        parts += [line(), text(block)]
    if by is None:
        return Page(*parts, *_controls(replay, query, words))
    step = Controls(replay.table.id, Revision(0)).button(
        Verb.REPLAY, words.say("Open for me"), query.written("open")
    )
    return Page(*parts, shared_by(by, words), row(step))


def _blocks(
    replay: Replay, query: ReplayQuery, words: Speaker, *, pictures: bool, moves: int
) -> Iterator[str]:
    """Return the texts of the page; without `pictures`, cards are in words."""
    state, positions = replay.at(query.place), replay.played.positions
    seen = state.views.public
    yield _head(replay, query, seen, words)
    seats = []
    for seat in in_turn_order(seen):
        seats.append(seat_line(state, seen, seat, words) + _gathered(state.round, seat, words))
        hand = state.round.hands[seat].cards
        if query.opened and hand:
            seats.append(words.cards(hand) if pictures else _plain(hand, words))
    yield "\n".join(seats)
    if query.opened:
        if not seen.past and any(state.round.opening.received):
            yield "\n".join(_exchange(state, state.round, words))
    else:
        yield from open_cards(state, seen, words)
    over = query.place == len(positions) - 1
    yield _end(replay, state, words) if over else middle(state, seen, words, played=False)
    recent = " · ".join(last_moves(state, positions[: query.place + 1], moves, words))
    small = filter(None, (recent, _proven(replay, words)))
    yield "\n".join(f"-# {sentence}" for sentence in small)


def _head(replay: Replay, query: ReplayQuery, seen: View, words: Speaker) -> str:
    say = words.say
    head = say(
        "### Replay · round {round} of table {table}", round=query.number, table=replay.table.id
    )
    over = query.place == len(replay.played.positions) - 1
    trick = len(seen.past) + (0 if over else 1)
    where = [
        say(
            "Move {number}/{all}",
            number=say.number(query.place + 1),
            all=say.number(len(replay.played.positions)),
        ),
        say("trick {number}", number=say.number(trick)),
        say("hands shown") if query.opened else say("hands hidden"),
        say("dealer: {name}", name=seat_name(replay.at(query.place), seen.dealer, words)),
        words.variant(replay.table.options.variant),
    ]
    lines = [head, "-# " + " · ".join(where)]
    if seen.totals:
        lines.append(totals(replay.at(query.place), seen, words))
    return "\n".join(lines)


def _gathered(round_: Round, seat: Seat, words: Speaker) -> str:
    """Return the card points in the tricks that a seat has gathered."""
    if not round_.piles[seat]:
        return ""
    points = points_of(round_.piles[seat])
    return " · " + words.say.many("{n} point won", "{n} points won", points)


def _plain(cards: CardSet, words: Speaker) -> str:
    return " ".join(words.plain_card(card) for card in sorted(indices(cards), key=sort_key))


def _exchange(state: Game, round_: Round, words: Speaker) -> Iterator[str]:
    """Return the cards passed in the exchange, by giver and receiver."""
    # Translators: who handed over what in the exchange
    yield words.say("Passed:")
    for giver, gifts in enumerate(round_.opening.given):
        if gifts:
            given = (
                f"{seat_name(state, seat, words)} {_plain(cards, words)}" for seat, cards in gifts
            )
            yield f"-# **{seat_name(state, giver, words)}** → {', '.join(given)}"


def _end(replay: Replay, state: Game, words: Speaker) -> str:
    """Return the result of the round."""
    if not state.match.variant.scored:
        return hierarchy(state, words)
    result = replay.played.result
    return "\n".join(
        part for part in (story(state, result, words), scores(state, result, words)) if part
    )


def _proven(replay: Replay, words: Speaker) -> str:
    """Return the result of the check that the cards were dealt from the secret."""
    say, found = words.say, replay.proof
    if found.deal is None:
        return say("This deal has no secret, so there's nothing to check.")
    if found.as_dealt:
        return "✅ " + say("Deal verified.")
    return "❌ " + say("This deal doesn't match the secret.")


def _controls(replay: Replay, query: ReplayQuery, words: Speaker) -> Iterator[Part]:
    say, controls, played = words.say, Controls(replay.table.id, Revision(0)), replay.played
    last = len(played.positions) - 1

    def go(emoji: str, label: str, button: str, place: int) -> Part:
        """Return the button to another place; it is disabled if that is already shown."""
        there = ReplayQuery(query.number, place, query.opened).written(button)
        here = place == query.place
        return controls.button(Verb.REPLAY, label, there, emoji=emoji, disabled=here)

    yield row(
        go("⏮️", say("First"), "first", 0),
        go("◀️", say("Previous"), "back", max(query.place - 1, 0)),
        go("▶️", say("Next"), "on", min(query.place + 1, last)),
        go("⏭️", say("Last"), "last", last),
    )
    turned = ReplayQuery(query.number, query.place, not query.opened).written("turn")
    yield row(
        go("⏪", say("Previous trick"), "trick-back", played.trick_before(query.place)),
        go("⏩", say("Next trick"), "trick-on", played.trick_after(query.place)),
        controls.button(
            Verb.REPLAY,
            say("Hide hands") if query.opened else say("Show hands"),
            turned,
            style=discord.ButtonStyle.primary,
        ),
    )
    yield row(
        controls.button(Verb.MATCH, say("Rounds"), "0"),
        controls.button(Verb.PROOF, say("Fair deal"), str(query.number)),
        controls.button(Verb.SHARE_REPLAY, say("Share"), query.written("share"), emoji="📣"),
    )
    names = {
        "txt": (say("Round as text"), say("Match as text")),
        "json": (say("Round as JSON"), say("Match as JSON")),
        "tch": (
            say("Round as BrettspielWelt log"),
            say("Match as BrettspielWelt log"),
        ),
    }
    formats = FORMATS if replay.table.options.game.classic else FORMATS[:-1]
    files = [
        option(label, FileChoice(form, whole_match).written())
        for form in formats
        for label, whole_match in zip(names[form], (False, True), strict=True)
    ]
    yield controls.select(Verb.SAVE, say("Save as a file"), files, str(query.number))
