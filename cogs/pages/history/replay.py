"""Replay page of a finished round, position by position.

It is a picture or text, with hands hidden or open. The ids of its buttons contain the round, the
place among the positions, the kind of view, and the step.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import discord

from bot.boards.board import Board
from bot.errors import Reason, Refused
from bot.history.replay import Replay
from bot.ids import Revision, TableId, UserId
from bot.pictures.replay.contents import replay_scene
from bot.pictures.replay.scene import ReplayScene, TrickAnimation
from bot.table.private_game import has_choice_ahead
from bot.table.state import Game, seats_to_act
from bot.text.cards import Speaker
from cogs.pages.controls import (
    Controls,
    Page,
    Part,
    gallery,
    length,
    line,
    option,
    row,
    text,
)
from cogs.pages.hand.card_order import in_display_order
from cogs.pages.history.event_text import step_texts
from cogs.pages.names import board_name, label_name, seat_name, shared_by
from cogs.pages.replay_query import OPEN, PUBLIC, ReplayQuery
from cogs.pages.review_query import ReviewQuery
from cogs.pages.table.page import in_turn_order, open_cards, seat_line, totals, trick_text
from cogs.pages.table.score_lines import round_summary
from cogs.pages.verbs import Verb
from engine import CardSet, CardsPassed, Phase, Round, Seat, View, points_of

MOST_CHARACTERS = 3900
"""Largest number of characters in a message (Discord allows 4,000)."""
REPLAY_FILE, TRICK_FILE = "replay.png", "trick.gif"
"""The names of attached pictures and animations."""
MOST_PICTURES = 40
"""Maximum number of pictures in an animation; a longer trick loses its first ones."""
FORMATS = ("txt", "json", "tch")
"""Formats to save a round in; the last is only for Nanjing."""


@dataclass(frozen=True, slots=True)
class FileChoice:
    """A file to save: its format, and one round or all."""

    form: str
    whole_match: bool

    def to_args(self) -> str:
        """Return the text for the select; `read_file_choice` parses it."""
        return f"{self.form}.{'match' if self.whole_match else 'round'}"


def read_file_choice(text: str) -> FileChoice:
    """Parse the chosen value of the select; raise `Refused` for a forged one."""
    form, _, which = text.partition(".")
    if form not in FORMATS or which not in ("round", "match"):
        raise Refused(Reason.UNKNOWN_BUTTON)
    return FileChoice(form, which == "match")


def replay_page(
    replay: Replay,
    query: ReplayQuery,
    words: Speaker,
    by: UserId | None = None,
    alt: str | None = None,
    reader: UserId = UserId(0),
) -> Page:
    """Return one position with the buttons to all others.

    With `by`, the user who shared it, the page is public, and only they can go to other positions.
    Otherwise it is for this `reader`.
    `alt` is the alternative text of the picture; with it `REPLAY_FILE` must be attached.
    """
    query = within(replay, query)
    # Shorten the text until it fits: first without pictures of cards, then without the moves.
    for pictures, moves in ((True, True), (False, True), (False, False)):
        blocks = list(_blocks(replay, query, words, pictures=pictures, moves=moves))
        if alt is not None:  # the picture shows everything but the moves
            blocks = [_title(replay, query, words, _table(replay, words)), blocks[-1]]
        if sum(map(length, blocks)) <= MOST_CHARACTERS:
            break
    verb, ending = (Verb.REPLAY, "") if by is None else (Verb.SHARED_REPLAY, f".{by}")
    arrows = _arrows(replay, query, words, verb, ending, signs=alt is None)
    parts: list[Part] = [text(blocks[0])]
    if alt is not None:
        parts += [gallery(REPLAY_FILE, alt), arrows, text(blocks[1])]
    else:
        for block in blocks[1:]:
            parts += [line(), text(block)]
        parts.append(arrows)
    if by is None:
        return Page(*parts, *_controls(replay, query, words, reader))
    open_button = Controls(replay.table.id, Revision(0)).button(
        Verb.REPLAY, words.say("Open for me"), query.to_args("own")
    )
    return Page(*parts, shared_by(by, words), row(open_button))


def solo_rounds_page(rounds: Mapping[TableId, Board], note: str, words: Speaker) -> Page:
    """Return a note, and replays of solo rounds by the ids of their tables."""
    parts = [text(note)]
    for table, board in rounds.items():
        args, say = ReplayQuery(0).to_args("own"), words.say
        button = Controls(table).button(Verb.REPLAY, say("Replay"), args, emoji="🎬")
        parts += [text(f"**{board_name(board, words)}**"), row(button)]
    return Page(*parts)


def animation_page(
    replay: Replay, query: ReplayQuery, words: Speaker, by: UserId, alt: str
) -> Page:
    """Return the public page with the animation of a trick; `TRICK_FILE` must be attached."""
    query = within(replay, query)
    moves = step_texts(replay, replace(query, by_trick=True), words)
    step = Controls(replay.table.id, Revision(0)).button(
        Verb.REPLAY, words.say("Open for me"), query.to_args("own")
    )
    return Page(
        text(_title(replay, query, words, _table(replay, words))),
        gallery(TRICK_FILE, alt),
        text("-# " + " · ".join(moves)),
        shared_by(by, words),
        row(step),
    )


def within(replay: Replay, query: ReplayQuery) -> ReplayQuery:
    """Return the query; a place that is too large becomes the last one."""
    return replace(query, place=min(query.place, len(replay.played_round.positions) - 1))


def seat_to_play_on(replay: Replay, query: ReplayQuery, reader: UserId) -> Seat | None:
    """Return the chair from which a reader may play on; `None` if it has no choice ahead.

    It is the chair of the only open hand, else the reader's own, else that of the seat on turn.
    """
    game = replay.at(query.place)
    shown_seats = query.shown_seats(len(game.round.hands))
    seat = shown_seats[0] if len(shown_seats) == 1 else game.seat_of(reader)
    if seat is None:
        seat = next(iter(seats_to_act(game.match)), game.round.turn)
    chair = game.decider(seat)
    return chair if has_choice_ahead(game, chair) else None


def replay_picture(
    replay: Replay, query: ReplayQuery, words: Speaker, *, moves: bool = True
) -> ReplayScene:
    """Return the scene of a position; its heading has the number of the move with `moves`."""
    state, played = replay.at(query.place), replay.played_round
    heading = [
        words.say(
            "trick {number}", number=words.say.number(replay.played_round.trick_at(query.place))
        )
    ]
    if moves:
        heading.append(f"{query.place + 1}/{len(played.positions)}")
    return position_picture(state, query.shown_seats(len(state.round.hands)), heading, words)


def position_picture(
    state: Game, shown_seats: Collection[Seat], heading: Sequence[str], words: Speaker
) -> ReplayScene:
    """Return the scene of a position with the hands of `shown_seats` open."""
    in_order = partial(in_display_order, sorting=words.sorting)
    return replay_scene(state, shown_seats, heading, words, in_order)


def trick_pictures(replay: Replay, query: ReplayQuery, words: Speaker) -> TrickAnimation:
    """Return the trick of a position as an animation with a picture after each move."""
    scenes: list[ReplayScene] = []
    for place in replay.played_round.step_until(query.place):
        if replay.played_round.positions[place].match.phase in (Phase.GRAND, Phase.EXCHANGE):
            continue
        scene = replay_picture(replay, replace(query, place=place), words, moves=False)
        if scene not in scenes[-1:]:  # some moves do not change the picture
            scenes.append(scene)
    if not scenes:
        scenes = [replay_picture(replay, query, words, moves=False)]
    return TrickAnimation(scenes=tuple(scenes[-MOST_PICTURES:]))


def _blocks(
    replay: Replay, query: ReplayQuery, words: Speaker, *, pictures: bool, moves: bool
) -> Iterator[str]:
    """Yield the blocks of text of the page, the `moves` of the step in the last one.

    Without `pictures`, cards are in words.
    """
    state = replay.at(query.place)
    view, shown_seats = state.views.public, query.shown_seats(len(state.round.hands))
    yield _head(replay, query, view, words)
    yield seat_lines(state, shown_seats, words, pictures=pictures)
    if query.view != OPEN:
        yield from open_cards(state, view, words)
    over = query.place == len(replay.played_round.positions) - 1
    yield round_summary(state, words) if over else trick_text(state, view, words, played=False)
    yield "\n".join(_step(replay, query, words, moves=moves))


def seat_lines(
    state: Game, shown_seats: Collection[Seat], words: Speaker, *, pictures: bool = True
) -> str:
    """Return a line for each seat, with the hands of `shown_seats`; in words without `pictures`."""
    view, lines = state.views.public, []
    for seat in in_turn_order(view):
        points = _gathered(state.round, seat, words)
        lines.append(seat_line(state, view, seat, words) + points)
        hand = state.round.hands[seat].cards
        if seat in shown_seats and hand:
            lines.append(_cards(hand, words, pictures=pictures))
    return "\n".join(lines)


def _step(replay: Replay, query: ReplayQuery, words: Speaker, *, moves: bool) -> Iterator[str]:
    """Yield the lines on the step: the check of the deal, passed cards if open, and `moves`."""
    if query.place == 0:
        yield f"-# {_proven(replay, words)}"
    state = replay.at(query.place)
    events = replay.played_round.step_events(query.place, by_trick=query.by_trick)
    exchanged = any(isinstance(event, CardsPassed) for event in events)
    if exchanged and query.view == OPEN and any(state.round.opening.given):
        yield from _exchange(state, state.round, words)
    if moves:
        yield "-# " + " · ".join(step_texts(replay, query, words))


def _head(replay: Replay, query: ReplayQuery, view: View, words: Speaker) -> str:
    """Return the heading, and the points before this round."""
    say, played = words.say, replay.played_round
    where = [
        say(
            "Move {number}/{all}",
            number=say.number(query.place + 1),
            all=say.number(len(played.positions)),
        ),
        say("trick {number}", number=say.number(played.trick_at(query.place))),
        _view(replay, query, words),
        _table(replay, words),
        words.variant(replay.table.options.variant),
    ]
    lines = [_title(replay, query, words, " · ".join(where))]
    if view.totals:
        lines.append(totals(replay.at(query.place), view, words))
    return "\n".join(lines)


def _title(replay: Replay, query: ReplayQuery, words: Speaker, small: str) -> str:
    """Return the round and the date of the match, and a `small` line."""
    date = discord.utils.format_dt(replay.table.created_at, "d")
    head = words.say("### Replay · round {round} · {date}", round=query.number, date=date)
    if replay.board is not None:
        head = f"### {words.say('Replay')} · {board_name(replay.board, words)} · {date}"
    return f"{head}\n-# {small}"


def _table(replay: Replay, words: Speaker) -> str:
    """Return the number of the table, if it has one, and the dealer."""
    name = seat_name(replay.table, replay.at(0).views.public.dealer, words)
    dealer = words.say("dealer: {name}", name=name)
    if replay.board is not None:
        return dealer
    return f"{words.say('Table {table}', table=replay.table.id)} · {dealer}"


def _view(replay: Replay, query: ReplayQuery, words: Speaker) -> str:
    """Return which hands are open."""
    if query.view == OPEN:
        return words.say("hands shown")
    shown_seats = query.shown_seats(len(replay.at(query.place).round.hands))
    if not shown_seats:
        return words.say("hands hidden")
    # Translators: in a replay, whose cards are shown
    return words.say("view: {name}", name=seat_name(replay.table, shown_seats[0], words))


def _gathered(round_: Round, seat: Seat, words: Speaker) -> str:
    """Return the card points in the tricks that a seat has gathered."""
    if not round_.piles[seat]:
        return ""
    points = points_of(round_.piles[seat])
    return " · " + words.say.many("{n} point won", "{n} points won", points)


def _cards(cards: CardSet, words: Speaker, *, pictures: bool) -> str:
    """Return cards in the reader's order, as pictures or in words."""
    write = words.card if pictures else words.plain_card
    return " ".join(map(write, in_display_order(cards, words.sorting)))


def _exchange(state: Game, round_: Round, words: Speaker) -> Iterator[str]:
    """Return the cards passed in the exchange, by giver and receiver."""
    for giver, gifts in enumerate(round_.opening.given):
        if gifts:
            given = (
                f"{seat_name(state, seat, words)} {_cards(cards, words, pictures=False)}"
                for seat, cards in gifts
            )
            yield f"-# **{seat_name(state, giver, words)}** → {', '.join(given)}"


def _proven(replay: Replay, words: Speaker) -> str:
    """Return the result of the check that the cards were dealt from the secret."""
    say, proof = words.say, replay.proof
    if proof.deal is None:
        return say("This deal has no secret, so there's nothing to check.")
    if proof.as_dealt:
        return "✅ " + say("Deal verified.")
    return "❌ " + say("This deal doesn't match the secret.")


def _arrows(
    replay: Replay, query: ReplayQuery, words: Speaker, verb: Verb, ending: str, *, signs: bool
) -> Part:
    """Return the row of arrows; `ending` follows the position in each id.

    Without `signs` they fit in one row on a phone.
    """
    say, controls, played = words.say, Controls(replay.table.id, Revision(0)), replay.played_round
    last = len(played.positions) - 1
    back, forward = max(query.place - 1, 0), min(query.place + 1, last)
    if query.by_trick:
        back, forward = played.stop_before(query.place), played.stop_after(query.place)

    def go(emoji: str, label: str, button: str, place: int) -> Part:
        """Return the button to another place; it is disabled if that is already shown."""
        args = replace(query, place=place).to_args(button) + ending
        return controls.button(
            verb, label, args, emoji=emoji if signs else None, disabled=place == query.place
        )

    return row(
        go("⏮️", say("First"), "first", 0),
        go("◀️", say("Previous") if signs else say("Back"), "back", back),
        go("▶️", say("Next"), "on", forward),
        go("⏭️", say("Last"), "last", last),
    )


def _controls(replay: Replay, query: ReplayQuery, words: Speaker, reader: UserId) -> Iterator[Part]:
    """Return the buttons and selects of the private page; a solo round is not shared."""
    say, controls = words.say, Controls(replay.table.id, Revision(0))
    board = replay.board
    solo = board is not None
    steps_toggled = replace(query, by_trick=not query.by_trick)
    yield row(
        # Translators: two ways to step through a replay
        controls.button(
            Verb.REPLAY,
            say("Move by move") if query.by_trick else say("Trick by trick"),
            steps_toggled.to_args("step"),
        ),
        *([] if solo else _sharing(replay, query, words)),
        controls.button(Verb.PROOF, say("Fair deal"), str(query.number)),
    )

    state = replay.at(query.place)
    views = [
        option(say("All hands"), OPEN, default=query.view == OPEN),
        option(say("No hands"), PUBLIC, default=query.view == PUBLIC),
    ]
    views += [
        option(label_name(replay.table, seat, words), str(seat), default=query.view == str(seat))
        for seat in range(len(state.round.hands))
    ]
    yield controls.select(
        Verb.REPLAY_VIEW, say("Whose cards to show"), views, query.to_args("view")
    )

    label, args = say("Play on from here"), query.to_args("play")
    nobody = seat_to_play_on(replay, query, reader) is None
    review = ReviewQuery(query.number)
    yield row(
        controls.button(Verb.REPLAY_PLAY, label, args, emoji="🃏", disabled=nobody),
        controls.button(Verb.REVIEW, say("Review"), review.to_args("replay"), emoji="🔎"),
        result_button(board, words) if board else controls.button(Verb.MATCH, say("Rounds"), "0"),
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
        option(label, FileChoice(form, whole_match).to_args())
        for form in formats
        for label, whole_match in zip(names[form], (False, True), strict=True)
        if not (solo and whole_match)
    ]
    yield controls.select(Verb.SAVE, say("Save as a file"), files, str(query.number))


def result_button(board: Board, words: Speaker) -> Part:
    """Return the button from a solo round to its result, or to all challenges."""
    say, controls = words.say, Controls()
    if board.challenge_id is None:
        return controls.button(Verb.DAILY_RESULT, say("Result"), str(board.number), emoji="↩️")
    return controls.button(Verb.CHALLENGES, say("My challenges"), emoji="↩️")


def _sharing(replay: Replay, query: ReplayQuery, words: Speaker) -> Iterator[Part]:
    """Return the buttons to share the position, and its trick once cards are played."""
    controls, round_ = Controls(replay.table.id, Revision(0)), replay.at(query.place).round
    yield controls.button(Verb.SHARE_REPLAY, words.say("Share"), query.to_args("share"), emoji="📣")
    if replay.table.options.policy.pictures:
        yield controls.button(
            Verb.ANIMATE,
            words.say("Share the trick"),
            query.to_args("trick"),
            emoji="🎞️",
            disabled=not (round_.past or round_.trick),
        )
