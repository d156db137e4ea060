"""The private hand page: what must be done, the cards, and only the controls that work now.

It is made from the view of one seat. While a bomb window is open, whoever plays next already gets
the controls of the moment after it; what they choose is kept until the window closes.
"""

from __future__ import annotations

import discord

from bot.table.state import Game, play_to_beat, seats_waited_for
from bot.table.views import Situation
from bot.text.cards import Speaker
from cogs.pages.controls import Controls, Page, Part, line, row, text
from cogs.pages.hand_choices import Draft
from cogs.pages.hand_controls import (
    controls_beside,
    controls_of_seat,
    one_question,
    withdrawal_first,
)
from cogs.pages.hand_news import news, received
from cogs.pages.hand_status import status_facts, status_lines
from cogs.pages.names import jump, seat_name
from cogs.pages.verbs import Verb
from engine import PLAYING, WINDOWS, Hand, Phase, Seat, Waive


def acting_seat(state: Game, chair: Seat, preferred: Seat | None = None) -> Seat:
    """The seat that the page of this chair is for now.

    That is its own seat, or another one that its player decides for (T8): the `preferred` one, or
    the one that is waited for.
    """
    seats = state.seats_of_chair(chair)
    if preferred in seats:
        return preferred
    asked = seats_waited_for(state.match)
    if state.round.phase in WINDOWS and not state.round.asked:
        asked = (state.round.turn,)
    return next((seat for seat in seats if seat in asked), chair)


def hand_fingerprint(state: Game, chair: Seat) -> object:
    """A value that is equal for two states if the page of this chair need not be written anew.

    It is made of all that the page depends on: what the reader may do, the status of the table, and
    what has happened to the hand.
    """
    seen = (state.situation(seat) for seat in state.seats_of_chair(chair))
    return (
        may_do_fingerprint(state, chair),
        status_facts(state),
        *(received(each.now) for each in seen),
    )


def may_do_fingerprint(state: Game, chair: Seat) -> object:
    """A value that is equal for two states if the same is asked of this chair and open to it.

    Where it differs, the page is to be written anew at once. What others do and only the status
    lines tell is not in it.
    """
    return (
        state.away(chair),
        state.status,
        *(_may_do(state, seat, state.situation(seat)) for seat in state.seats_of_chair(chair)),
    )


def _may_do(state: Game, seat: Seat, situation: Situation) -> object:
    """The part of `may_do_fingerprint` that concerns one seat."""
    now, live = situation.now, situation.live
    return (
        live.hand.cards,
        tuple(action for action in live.actions if not isinstance(action, Waive)),
        (now.bombs, play_to_beat(now)) if now.bombs else None,
        now.submitted,
        live.top if _on_turn(situation, seat) else None,
        now.phase if now.phase not in PLAYING else None,
        now.given,
        state.kept.premoves.get(seat),
        seat in state.kept.dropped,
        seat in state.kept.auto_pass,
        withdrawal_first(state),
        state.revision if _goes_stale(situation, seat) else None,
    )


def _on_turn(situation: Situation, seat: Seat) -> bool:
    """Whether it is this seat's turn and it can do something."""
    return situation.live.turn == seat and bool(situation.live.actions)


def _goes_stale(situation: Situation, seat: Seat) -> bool:
    """Whether the page has controls that are refused as stale after any other change."""
    asked = _on_turn(situation, seat) or situation.now.asked_to_withdraw
    return asked or situation.now.phase is Phase.EXCHANGE


def hand_page(state: Game, chair: Seat, words: Speaker, draft: Draft | None = None) -> Page:
    """The page of whoever sits on this chair.

    Who decides for two seats sees both hands, with the controls of one seat at a time.
    """
    draft = draft or Draft()
    seat = acting_seat(state, chair, draft.seat)
    seats = state.seats_of_chair(chair)
    situations = {each: state.situation(each) for each in seats}
    shown = situations[seat]
    items: list[Part] = []
    if draft.note:
        items.append(text(draft.note))
    if state.away(chair) and state.running:
        items += _away(state, words)
    items.append(text(_head(state, chair, seat, shown, words)))
    visible = dict(situations[chair].now.hands)  # the Table's only from the full deal on (T5)
    items += [
        text(_cards(state, each, visible[each], words, own=each == chair))
        for each in seats
        if each in visible
    ]
    sentences = [
        sentence
        for each in seats
        for sentence in news(state, each, situations[each].now, words, own=each == chair)
    ]
    if sentences:
        items.append(text("\n".join(sentences)))
    controls = controls_of_seat(state, seat, shown, words, draft, None if seat == chair else seat)
    if state.running and not one_question(state, shown, draft):
        for each in seats:
            if each != seat:
                acted_for = None if each == chair else each
                controls += controls_beside(state, each, situations[each], words, acted_for)
    if controls:
        items += [line(), *controls]
    accent = 0xC8963E if _on_turn(shown, seat) else 0x4F545C
    return Page(*items, accent=discord.Colour(accent))


def _away(state: Game, words: Speaker) -> list[Part]:
    """What a person reads while a computer player moves for them, and the button to come back."""
    say = words.say
    back = Controls(state.id, state.revision).button(
        Verb.BACK, say("I'm back"), style=discord.ButtonStyle.success
    )
    return [text(say("**You are away: a computer player moves for you.**")), row(back), line()]


def _cards(state: Game, seat: Seat, hand: Hand, words: Speaker, *, own: bool) -> str:
    """A hand in pictures, with the name of its seat if it is not the reader's `own`."""
    name, pictures = seat_name(state, seat, words), "## " + words.cards(hand.cards)
    if not hand.size:
        return words.say("You are out.") if own else words.say("{name} is out.", name=name)
    return pictures if own else f"**{name}**\n{pictures}"


def _head(state: Game, chair: Seat, seat: Seat, situation: Situation, words: Speaker) -> str:
    """The head of the page: the status of the table, and what has to be done."""
    lines = [status_lines(state, chair, words)]
    if seat != chair and situation.now.phase not in (Phase.ROUND_END, Phase.MATCH_END):
        name = seat_name(state, seat, words)
        lines.append(words.say("You decide for **{name}** now:", name=name))
    lines.append(_what_now(state, seat, situation, words))
    return "\n".join(lines)


def _what_now(state: Game, seat: Seat, situation: Situation, words: Speaker) -> str:
    """What this seat has to do now, or what it waits for, in one sentence."""
    say, live, phase = words.say, situation.live, situation.now.phase
    if state.status != "playing":
        return say("**This match is over.**")
    if situation.now.asked_to_withdraw:
        return say("**A partner called at the same time. Do you withdraw your call?**")
    if withdrawal_first(state):
        return say("First somebody has to say whether a call made at the same time is withdrawn.")
    if phase is Phase.GRAND:
        if not state.match.variant.may_call_grand(situation.now.seating, seat):
            return say("Your first cards. The dealer cannot call a Grand Tichu: the others may.")
        if situation.now.answer is None:
            return say("**Your first cards. Do you call Grand Tichu?**")
        return say("You have answered. Waiting for the others.")
    if phase is Phase.EXCHANGE:
        if not situation.now.gifts:
            return say("You have nothing to pass. Waiting for the others.")
        if situation.now.given is None:
            return say("**Which cards do you pass?**")
        if not any(gift.free for gift in situation.now.gifts):
            return say("Passed. Waiting for the others.")
        return say("Passed. You may still change your mind until the last player has given.")
    if phase in (Phase.ROUND_END, Phase.MATCH_END):
        return say("The round is over.")
    if live.turn == seat and live.phase is Phase.GIFT:
        return say("**Your Dragon won. Who gets the trick?**")
    if live.turn == seat and live.actions and live.phase in (Phase.LEAD, Phase.TURN):
        if live.top is None:
            return say("**Your lead.**")
        return say(
            "**Your turn.** To beat: {cards} {combination} by {name}",
            cards=words.laid(live.top),
            combination=words.combination(live.top),
            name=seat_name(state, live.top_seat, words),
        )
    return say(
        "The others play: the [table]({link}) shows whose turn it is. "
        "This page changes by itself when you can do something.",
        link=jump(state),
    )
