"""What somebody sees who has changed a table with a click: their hand, the lobby, a page.

Each answer is given the click and the table after the change.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from bot.table.permission import require_lobby
from bot.table.state import Game, Lobby, OpenTable
from cogs.clicks.click import Click
from cogs.clicks.table_actions import show_hand
from cogs.delivery.announcer import Announcer
from cogs.delivery.replies import Reply
from cogs.pages.controls import Page, text
from cogs.pages.names import safe
from cogs.pages.table.lobby import seats_page
from cogs.pages.table.lobby_options import options_page
from cogs.pages.table.seats import answered_offer_page, leave_page, left_page

Answer = Callable[[Announcer, Click, OpenTable], Awaitable[None]]


async def hand(announcer: Announcer, click: Click, table: OpenTable) -> None:
    """The clicker's own hand."""
    await show_hand(announcer, click.interaction, table)


# --- in a lobby ----------------------------------------------------------------------------------


async def lobby(announcer: Announcer, click: Click, table: OpenTable) -> None:
    """The lobby, in the place of the one that was clicked on; one that is over ends by itself."""
    reply, message = Reply(click.interaction), click.interaction.message
    if isinstance(table, Lobby) and table.open and message is not None:
        table = await announcer.lobby_in_click(table, reply.replace, message.id)
    else:
        await reply.acknowledge()
    if message is not None:
        await announcer.lobby_clicked(table, message.id)


async def joined(announcer: Announcer, click: Click, table: OpenTable) -> None:
    """The lobby; whoever has sat down from elsewhere reads where it is."""
    if _on_public_message(click, table):
        await lobby(announcer, click, table)
        return
    await came(announcer, click, table)


async def came(announcer: Announcer, click: Click, table: OpenTable) -> None:
    """Where the table is, for somebody who has sat down from elsewhere than its lobby."""
    announcer.lobby_changed(table)
    channel, say = f"<#{table.channel_id}>", announcer.private(click.interaction).say
    told = say("You sit at the table in {channel}.", channel=channel)
    await Reply(click.interaction).tell(told)


async def seats(announcer: Announcer, click: Click, table: OpenTable) -> None:
    """The seats as they are now, on the host's private page."""
    page = seats_page(require_lobby(table), announcer.private(click.interaction))
    await Reply(click.interaction).show(page)
    announcer.lobby_changed(table)


async def options(announcer: Announcer, click: Click, table: OpenTable) -> None:
    """The options as they are now, on the host's private page."""
    words = announcer.private(click.interaction)
    await Reply(click.interaction).show(options_page(require_lobby(table), click.user_id, words))
    announcer.lobby_changed(table)


# --- at a running match, beside the hand ---------------------------------------------------------


async def result(announcer: Announcer, click: Click, table: OpenTable) -> None:
    """Nothing between two rounds: the result changes by itself, and only there.

    A second hand on the message could write an older state over a newer one. Whoever has begun the
    next round, or lets a paused one go on, gets their hand.
    """
    game = _caught_up(announcer, click, table)
    if game.between_rounds:
        await Reply(click.interaction).acknowledge()
    else:
        await hand(announcer, click, game)


async def left(announcer: Announcer, click: Click, table: OpenTable) -> None:
    """That the clicker has left the table."""
    _caught_up(announcer, click, table)
    await Reply(click.interaction).show(left_page(announcer.private(click.interaction)))


async def asked(announcer: Announcer, click: Click, table: OpenTable) -> None:
    """That a member is asked, and the choice of who else could have the seat."""
    game, words = _caught_up(announcer, click, table), announcer.private(click.interaction)
    name = safe(click.users[0].display_name)
    note = words.say("Asked {name}. Keep playing until they accept.", name=name)
    await Reply(click.interaction).show(leave_page(game, words, note))


async def stays(announcer: Announcer, click: Click, table: OpenTable) -> None:
    """That the clicker keeps their seat."""
    _caught_up(announcer, click, table)
    say = announcer.private(click.interaction).say
    await Reply(click.interaction).show(Page(text(say("You're staying."))))


async def taken(announcer: Announcer, click: Click, table: OpenTable) -> None:
    """The hand that was offered; the offer says that it is answered."""
    game = _caught_up(announcer, click, table)
    if click.interaction.message is not None and _on_public_message(click, table):
        page = answered_offer_page(click.user_id, announcer.public(game), taken=True)
        announcer.rewrite(game, click.interaction.message.id, page)
    await show_hand(announcer, click.interaction, game)


async def declined(announcer: Announcer, click: Click, table: OpenTable) -> None:
    """That the offer is declined, in its place."""
    game = _caught_up(announcer, click, table)
    page = answered_offer_page(click.user_id, announcer.public(game), taken=False)
    await Reply(click.interaction).replace(page)


def _on_public_message(click: Click, table: OpenTable) -> bool:
    """Whether the click was on a message that everybody in the channel of the table sees."""
    here = click.interaction.channel_id == table.channel_id
    return here and not Reply(click.interaction).on_private_page


def _caught_up(announcer: Announcer, click: Click, table: OpenTable) -> Game:
    """The game, with the clicker's open hand renewed: the answer is another page."""
    assert isinstance(table, Game)
    announcer.catch_up(table, click.user_id)
    return table
