"""Pages about changing seats in a running match: leaving, offering a seat, taking one."""

from __future__ import annotations

from collections.abc import Iterable

import discord

from bot.errors import Reason
from bot.ids import UserId
from bot.table.permission import may_sit
from bot.table.seats import free_seats, reserved_seat
from bot.table.state import Game, OpenTable
from bot.text.cards import Speaker
from bot.text.labels import seat_emoji
from bot.text.people import channel_mention, mention
from bot.text.sentences import PLAIN
from cogs.pages.controls import Controls, Notice, Page, Part, button_rows, row, text
from cogs.pages.names import label_name, seat_name
from cogs.pages.verbs import Verb
from engine import Seat


def leave_page(state: Game, words: Speaker, note: str = "") -> Page:
    """Return the private page to choose who gets a leaver's seat."""
    say = words.say
    controls = Controls(state.id, state.revision)
    question = say("**Who takes your seat?** They'll see your hand.")
    return Page(
        text("\n".join(filter(None, (note, question)))),
        controls.people(Verb.TO_MEMBER, say("Ask a member…")),
        row(
            controls.button(Verb.TO_COMPUTER, say("A computer"), style=discord.ButtonStyle.danger),
            controls.button(Verb.STAY, say("Stay")),
        ),
    )


def left_page(words: Speaker) -> Page:
    """Return the private page that replaces the hand of a player who has left."""
    return Page(text(words.say("You've left the table.")))


def offer_notice(state: Game, seat: Seat, member_id: UserId, words: Speaker) -> Notice:
    """Return the public offer of a seat to a member, without the hand."""
    say = words.say
    controls = Controls(state.id, state.revision)
    return Notice(
        say(
            "{member}, **{name}** offers you their seat in the Tichu match in {channel}. "
            "You see the cards once you take it.",
            member=mention(member_id),
            name=seat_name(state, seat, words),
            channel=channel_mention(state.channel_id),
        ),
        row(
            controls.button(
                Verb.TAKE_SEAT, say("Take the seat"), str(seat), style=discord.ButtonStyle.success
            ),
            controls.button(Verb.NO_SEAT, say("No, thanks"), str(seat)),
        ),
    )


def answered_offer_page(member_id: UserId, words: Speaker, *, taken: bool) -> Page:
    """Return the message of an offer after it was answered."""
    member = mention(member_id)
    return Page(
        text(
            words.say("{member} took the seat.", member=member)
            if taken
            else words.say("{member} said no thanks.", member=member)
        )
    )


def take_seat_rows(state: Game, seats: Iterable[Seat], words: Speaker) -> list[Part]:
    """Return a row of buttons to take those of these seats that are still free.

    A person who presses one sits down at once between two rounds, else after the round.
    """
    free = free_seats(state) if state.running else ()
    buttons = [_take_button(state, seat, words) for seat in sorted(seats) if seat in free]
    return [row(*buttons)] if buttons else []


def free_seats_fingerprint(state: OpenTable) -> object:
    """Return a value that changes whenever messages about free seats must be rewritten."""
    if not isinstance(state, Game) or not state.running:
        return None
    return free_seats(state), tuple(chair.kind for chair in state.chairs)


def _take_button(state: Game, seat: Seat, words: Speaker) -> Part:
    """Return the public button that takes a computer player's seat."""
    name = label_name(state, seat, words)
    return Controls(state.id, state.revision).button(
        Verb.SIT,
        words.say("Take {name}'s seat", name=name),
        str(seat),
        style=discord.ButtonStyle.success,
        emoji=words.art.icon_emoji("seat"),
    )


def watching_page(state: Game, user_id: UserId, words: Speaker, note: str = "") -> Page:
    """Return the private page of a spectator, with the seats that they can take.

    Between two rounds they take a computer player's seat at once. Within a round they reserve a
    seat; the button of the reserved seat is marked, and cancels the reservation. While a round is
    paused, the page names the players who can resume it.
    """
    say, seats_to_take = words.say, free_seats(state, user_id)
    reserved = reserved_seat(state, user_id)
    lines = [say("**You're watching this table.**")]
    is_paused = state.timers.paused and not state.between_rounds
    if is_paused:
        seats_to_take = tuple(seat for seat in seats_to_take if seat == reserved)
        names = say.join(seat_name(state, chair.seat, words) for chair in state.people())
        lines.append(say("It's paused. {name} can continue it.", name=names))
    rows = _offered_seat_rows(state, user_id, words)
    if reserved is not None:
        name = seat_name(state, reserved, words)
        lines.append(
            say(
                "You'll take {name}'s seat after this round. Tap again to cancel.",
                name=name,
            )
        )
    elif seats_to_take and state.between_rounds:
        lines.append(say("Join now, instead of a computer:"))
    elif seats_to_take:
        lines.append(say("Join after this round, instead of a computer:"))
    elif not may_sit(state, user_id):
        lines.append(PLAIN[Reason.ENTRANTS_ONLY](say))
    elif not rows and not is_paused:
        lines.append(say("All seats are taken. A player can give you theirs with /tichu leave."))
    buttons = [_join_or_cancel_button(state, seat, user_id, words) for seat in seats_to_take]
    rows += button_rows(buttons)
    return Page(text("\n".join(filter(None, (note, *lines)))), *rows)


def _offered_seat_rows(state: Game, user_id: UserId, words: Speaker) -> list[Part]:
    """Return a row with a button for each seat that a player offers to this person."""
    controls = Controls(state.id, state.revision)
    return [
        row(
            controls.button(
                Verb.TAKE_SEAT,
                words.say("Take {name}'s seat", name=label_name(state, seat, words)),
                str(seat),
                style=discord.ButtonStyle.success,
            )
        )
        for seat, member_id in state.notes.offers.items()
        if member_id == user_id
    ]


def _join_or_cancel_button(state: Game, seat: Seat, user_id: UserId, words: Speaker) -> Part:
    """Return the button that takes a computer player's seat, or cancels if already chosen."""
    controls, is_chosen = Controls(state.id, state.revision), reserved_seat(state, user_id) == seat
    emoji = seat_emoji(state.views.public, seat)
    label = " ".join(
        filter(None, ("✓" if is_chosen else "", emoji, label_name(state, seat, words)))
    )
    if is_chosen:
        style = discord.ButtonStyle.success
        return controls.button(Verb.STAY_OUT, label, str(seat), style=style)
    return controls.button(Verb.SIT, label, str(seat))
