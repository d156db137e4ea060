"""Pages about who sits where in a running match: leave it, take an offered seat, sit down."""

from __future__ import annotations

import discord

from bot.table.seats import free_seats
from bot.table.state import Game
from bot.text.cards import Speaker
from cogs.pages.controls import Controls, Page, option, row, text
from cogs.pages.names import seat_name
from cogs.pages.verbs import Verb


def leave_page(state: Game, to: Speaker, note: str = "") -> Page:
    """Private: who gets the seat of somebody who wants to leave the match, if anybody."""
    say = to.say
    make = Controls(state.id, state.revision)
    question = say("**Who plays on in your seat?** Whoever it is will see your hand.")
    return Page(
        text("\n".join(filter(None, (note, question)))),
        make.people(Verb.TO_MEMBER, say("Ask a member …")),
        row(
            make.button(
                Verb.TO_COMPUTER, say("A computer player"), style=discord.ButtonStyle.danger
            ),
            make.button(Verb.STAY, say("I stay")),
        ),
    )


def left_page(to: Speaker) -> Page:
    """Private: what stands in the place of a hand, or of the question who gets it."""
    return Page(text(to.say("You have left the table.")))


def offer_page(state: Game, seat: int, member_id: int, to: Speaker) -> Page:
    """Public: a member is asked to take over a seat; he sees its cards when he has said yes."""
    say = to.say
    make = Controls(state.id, state.revision)
    return Page(
        text(
            say(
                "{member}, **{name}** offers you the seat in this match. "
                "You see the cards when you have taken it.",
                member=f"<@{member_id}>",
                name=seat_name(state, seat, to),
            )
        ),
        row(
            make.button(
                Verb.TAKE_SEAT, say("Take the seat"), str(seat), style=discord.ButtonStyle.success
            ),
            make.button(Verb.NO_SEAT, say("No, thanks"), str(seat)),
        ),
    )


def answered_offer_page(member_id: int, to: Speaker, *, taken: bool) -> Page:
    """What is left of an offer: the answer."""
    member = f"<@{member_id}>"
    return Page(
        text(
            to.say("{member} has taken the seat.", member=member)
            if taken
            else to.say("{member} does not take the seat.", member=member)
        )
    )


def free_seats_page(state: Game, to: Speaker) -> Page:
    """Private: which computer player's seat a newcomer takes."""
    say = to.say
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
