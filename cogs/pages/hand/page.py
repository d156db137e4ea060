"""The private hand page: task, cards, and the controls that work now.

It is made from the view of one seat. While a bomb window is open, the next player already gets the
controls of the moment after it. Their choice is kept until the window closes.
"""

from __future__ import annotations

import itertools
from typing import NamedTuple

import discord

from bot.table.auto_pass import automatic_move
from bot.table.private_game import PrivateGame
from bot.table.solo_game import SoloGame
from bot.table.state import Game, play_to_beat_id
from bot.table.views import Situation
from bot.text.cards import Speaker
from cogs.pages.controls import GOLD, Controls, Page, Part, line, row, text
from cogs.pages.hand.card_order import in_display_order
from cogs.pages.hand.choices import Draft
from cogs.pages.hand.controls import (
    awaits_withdrawal,
    has_single_question,
    may_hold,
    may_hold_windows,
    rows_of_acting_seat,
    rows_of_other_seat,
)
from cogs.pages.hand.exchange_choices import picked_cards
from cogs.pages.hand.news import hand_news, received_to_show
from cogs.pages.hand.private_game import private_line, private_result_page, way_back_row
from cogs.pages.hand.solo_game import solo_lines, solo_over_page, solo_row
from cogs.pages.hand.status import ARROW, awaited_seats, status_fingerprint, status_lines
from cogs.pages.hand.task import task_text
from cogs.pages.names import seat_name
from cogs.pages.table.blocked import Blocked, blocked_text
from cogs.pages.table.nudge import hand_button
from cogs.pages.table.reactions import with_reaction_buttons
from cogs.pages.table.result import between_rounds_row, countdown_fingerprint
from cogs.pages.verbs import Verb
from engine import PLAY_PHASES, Hand, Phase, Seat, Waive


def acting_seat(state: Game, chair: Seat, preferred: Seat | None = None) -> Seat:
    """Return the seat that the page of this chair is for now.

    That is its own seat, or another one that its player decides for (T8): the `preferred` one, or
    the one that is awaited.
    """
    seats = state.seats_of_chair(chair)
    if preferred in seats:
        return preferred
    asked = state.awaited_seats
    if state.window_open and state.awaited_in_window is None:
        asked = (state.round.turn,)
    return next((seat for seat in seats if seat in asked), chair)


class PicturedHand(NamedTuple):
    """The picture of a player's hands."""

    part: Part
    """The gallery with the picture."""
    table: bool
    """True if the picture also shows the table, above the hands, because something is asked."""


class HandFingerprint(NamedTuple):
    """All facts that the page of a chair depends on.

    Equal fingerprints mean equal pages.
    """

    choice: object
    """Facts for the choices; while they are equal, drafts stay valid."""
    window: object
    """The bomb window that the reader could hold; `None` if they could not."""
    shown: object
    """Facts only in the text: the table's status, and recent events."""
    hold: bool
    """True if the page offers to hold the open bomb window."""

    @property
    def may_do(self) -> object:
        """Part that decides which controls are shown.

        If it differs, the page must be rewritten at once. Moves of others that only the status
        lines show are no part of it.
        """
        return self.choice, self.window

    def without_hold(self) -> HandFingerprint:
        """Return the fingerprint of the page after the window closes, if nothing else happens."""
        return self._replace(hold=False)


def hand_fingerprint(state: Game, chair: Seat) -> HandFingerprint:
    """Return the fingerprint of the page of this chair."""
    seats = state.seats_of_chair(chair)
    situations = [state.situation(seat) for seat in seats]
    choices = tuple(map(_choices, itertools.repeat(state), seats, situations))
    holding = state.phase in PLAY_PHASES and may_hold_windows(state, chair)
    return HandFingerprint(
        choice=(
            state.away(chair),
            state.status,
            countdown_fingerprint(state) if state.between_rounds else None,
            *choices,
        ),
        window=_cards_left(state) if holding else None,
        shown=(
            status_fingerprint(state),
            *(received_to_show(each.current) for each in situations),
        ),
        hold=any(may_hold(state, seat) for seat in seats),
    )


def _choices(state: Game, seat: Seat, situation: Situation) -> object:
    """Return the part of the fingerprint with the choices of one seat."""
    current, upcoming = situation.current, situation.upcoming
    return (
        upcoming.hand.cards,
        tuple(action for action in upcoming.actions if not isinstance(action, Waive)),
        (current.bombs, play_to_beat_id(current)) if current.bombs else None,
        current.submitted,
        upcoming.top if _on_turn(situation, seat) else None,
        current.phase if current.phase not in PLAY_PHASES else None,
        current.given,
        state.kept.premoves.get(seat),
        seat in state.kept.dropped,
        seat in state.kept.auto_pass,
        automatic_move(state) if current.turn == seat else None,
        awaits_withdrawal(state),
        state.awaited_in_window == seat,
        state.window_keeper,
        state.revision if _goes_stale(situation, seat) else None,
    )


def _cards_left(state: Game) -> int:
    """Return the number of cards in all hands.

    It identifies a bomb window because each play opens one.
    """
    return sum(hand.size for hand in state.round.hands)


def _on_turn(situation: Situation, seat: Seat) -> bool:
    """Return whether it is this seat's turn and it can do something."""
    return situation.upcoming.turn == seat and bool(situation.upcoming.actions)


def _goes_stale(situation: Situation, seat: Seat) -> bool:
    """Return whether the page has controls that any other change makes stale."""
    asked = _on_turn(situation, seat) or situation.current.asked_to_withdraw
    return asked or situation.current.phase is Phase.EXCHANGE


def hand_page(
    state: Game,
    chair: Seat,
    words: Speaker,
    draft: Draft | None = None,
    blocked: Blocked | None = None,
    picture: PicturedHand | None = None,
) -> Page:
    """Return the page for this chair's player.

    `blocked` is why the bot cannot post at the table. What the `picture` shows is not repeated.

    A player who decides for two seats sees both hands, with the controls of one seat at a time.
    """
    if isinstance(state, PrivateGame) and state.phase in (Phase.ROUND_END, Phase.MATCH_END):
        return private_result_page(state, words)
    if isinstance(state, SoloGame) and not state.running:
        return solo_over_page(state, words)
    draft = draft or Draft()
    seat = acting_seat(state, chair, draft.seat)
    seats = state.seats_of_chair(chair)
    situations = {each: state.situation(each) for each in seats}
    situation = situations[seat]

    items: list[Part] = []
    if blocked is not None and state.running:
        items.append(text(blocked_text(blocked, words.say)))
    if draft.note:
        items.append(text(draft.note))
    if state.away(chair) and state.running:
        items += _away(state, words)

    shows_table = picture is not None and picture.table
    # From the view of the chair: the Table's hand is visible to it only after the full deal (T5).
    visible = dict(situations[chair].current.hands)
    asked = awaited_seats(state.views.public)
    hands = []
    for each in seats:
        if each in visible and not (picture and visible[each].size):
            own, alone = each == chair, len(visible.keys() & set(seats)) == 1
            acts = each == seat and seat in asked
            picked = picked_cards(draft.picks) if each == seat else 0
            rest = Hand(visible[each].cards & ~picked)
            hands.append(_hand(state, each, rest, words, own=own, alone=alone, acts=acts))
    sentences = [
        sentence
        for each in seats
        for sentence in hand_news(state, each, situations[each].current, words, own=each == chair)
    ]
    head = _head(state, chair, seat, situation, words, draft, shows_table=shows_table)
    if picture is None:
        items += map(text, (head, *hands, *(["\n".join(sentences)] if sentences else [])))
    else:
        items += [text("\n".join((head, *hands, *sentences))), picture.part]

    controls = rows_of_acting_seat(
        state, seat, situation, words, draft, None if seat == chair else seat
    )
    has_question = has_single_question(state, situation, draft)
    if state.running and not has_question:
        for each in seats:
            if each != seat:
                acted_for = None if each == chair else each
                controls += rows_of_other_seat(state, each, situations[each], words, acted_for)
    if state.between_rounds and not state.all_ready:
        controls.append(between_rounds_row(state, words))
    is_asked = seat in asked or _on_turn(situation, seat)
    waits = state.running and not is_asked and not has_question
    if waits and not _has_decided(state, seats):
        controls = with_reaction_buttons(state, controls, words, is_choosing=draft.offers_reactions)
    if isinstance(state, PrivateGame):
        items.insert(0, private_line(state, words))
        controls.append(way_back_row(state, words))
    elif isinstance(state, SoloGame):
        items.insert(0, solo_lines(state, chair, words))
        controls.append(solo_row(state, words))
    if controls and picture is None:
        items.append(line())
    items += controls
    return Page(*items, accent=GOLD if is_asked else discord.Colour(0x4F545C))


def _has_decided(state: Game, seats: tuple[Seat, ...]) -> bool:
    """Return whether one of these seats has a kept choice or a bomb face down."""
    submitted = (state.situation(seat).current.submitted for seat in seats)
    kept = any(seat in state.kept.premoves for seat in seats)
    return kept or any(bomb is not None for bomb in submitted)


def _away(state: Game, words: Speaker) -> list[Part]:
    """Return the notice about an absent player, with a button to return."""
    say = words.say
    back = Controls(state.id, state.revision).button(
        Verb.BACK, say("I'm back"), style=discord.ButtonStyle.success
    )
    return [text(say("**You're away – a computer is playing for you.**")), row(back), line()]


def _hand(
    state: Game, seat: Seat, hand: Hand, words: Speaker, *, own: bool, alone: bool, acts: bool
) -> str:
    """Return a hand in pictures, without a heading if it is `alone`.

    An arrow in the heading marks the one of two hands that `acts` now, with the buttons below.
    """
    say, name = words.say, seat_name(state, seat, words)
    if not hand.size:
        return say("You're out.") if own else say("{name} is out.", name=name)
    pictures = " ".join(words.card(card) for card in in_display_order(hand.cards, words.sorting))
    if alone:
        return f"## {pictures}"
    heading = say("Your hand") if own else name
    arrow = f"{ARROW} " if acts else ""
    return f"{arrow}**{heading}**\n## {pictures}"


def _head(
    state: Game,
    chair: Seat,
    seat: Seat,
    situation: Situation,
    words: Speaker,
    draft: Draft,
    *,
    shows_table: bool,
) -> str:
    """Return the score, the players and the task; no players if the picture `shows_table`."""
    lines = [status_lines(state, chair, words, shows_table=shows_table)]
    if seat != chair and situation.current.phase not in (Phase.ROUND_END, Phase.MATCH_END):
        name = seat_name(state, seat, words)
        lines.append(words.say("You're deciding for **{name}** now:", name=name))
    lines.append(task_text(state, seat, situation, words, draft.picks, cards=not shows_table))
    return "\n".join(filter(None, lines))


def expired_hand_page(state: Game, words: Speaker) -> Page:
    """Return the page of a hand that can soon no longer be edited, with a button to reopen it."""
    say = words.say
    return Page(text(say("This hand no longer updates.")), row(hand_button(state, words)))


def match_over_page(state: Game, words: Speaker) -> Page:
    """Return the page of the hands of a finished match."""
    if isinstance(state, SoloGame):
        return solo_over_page(state, words)
    over = text(words.say("**This match is over.**"))
    return Page(over, *([way_back_row(state, words)] if isinstance(state, PrivateGame) else []))
