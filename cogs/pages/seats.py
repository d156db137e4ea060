"""Pages about changing seats in a running match: leaving, offering a seat, taking one."""

from __future__ import annotations

import discord

from bot.ids import UserId
from bot.table.seats import free_seats
from bot.table.state import Game
from bot.text.cards import Speaker
from cogs.pages.controls import Controls, Page, option, row, text
from cogs.pages.names import seat_name
from cogs.pages.verbs import Verb
from engine import Seat


def leave_page(state: Game, words: Speaker, note: str = "") -> Page:
    """The private page on which somebody who leaves the match chooses who gets their seat."""
    say = words.say
    controls = Controls(state.id, state.revision)
    question = say("**Who plays on in your seat?** Whoever it is will see your hand.")
    return Page(
        text("\n".join(filter(None, (note, question)))),
        controls.people(Verb.TO_MEMBER, say("Ask a member …")),
        row(
            controls.button(
                Verb.TO_COMPUTER, say("A computer player"), style=discord.ButtonStyle.danger
            ),
            controls.button(Verb.STAY, say("I stay")),
        ),
    )


def left_page(words: Speaker) -> Page:
    """The private page that replaces the hand of somebody who has left."""
    return Page(text(words.say("You have left the table.")))


def offer_page(state: Game, seat: Seat, member_id: UserId, words: Speaker) -> Page:
    """The public message that asks a member to take a seat. It does not show the hand."""
    say = words.say
    controls = Controls(state.id, state.revision)
    return Page(
        text(
            say(
                "{member}, **{name}** offers you the seat in this match. "
                "You see the cards when you have taken it.",
                member=f"<@{member_id}>",
                name=seat_name(state, seat, words),
            )
        ),
        row(
            controls.button(
                Verb.TAKE_SEAT, say("Take the seat"), str(seat), style=discord.ButtonStyle.success
            ),
            controls.button(Verb.NO_SEAT, say("No, thanks"), str(seat)),
        ),
    )


def answered_offer_page(member_id: UserId, words: Speaker, *, taken: bool) -> Page:
    """What the message of an offer shows when it was answered."""
    member = f"<@{member_id}>"
    return Page(
        text(
            words.say("{member} has taken the seat.", member=member)
            if taken
            else words.say("{member} does not take the seat.", member=member)
        )
    )


def free_seats_page(state: Game, words: Speaker) -> Page:
    """The private page on which a newcomer chooses the computer player whose seat they take."""
    say = words.say
    options = [
        option(
            say("Seat {number}", number=seat + 1), str(seat), description=state.chairs[seat].name
        )
        for seat in free_seats(state)
    ]
    return Page(
        text(say("**In whose seat do you play on?**")),
        Controls(state.id, state.revision).select(Verb.SIT, say("Choose a seat"), options),
    )
