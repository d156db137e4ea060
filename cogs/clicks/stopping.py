"""Controls with which players vote to stop a match, and moderators stop it at once."""

from __future__ import annotations

from bot.table.commands import Command, PlayOn, VoteToStop
from bot.table.interruptions import votes_to_stop
from bot.table.permission import require_game
from bot.table.state import Game, Lobby, OpenTable
from bot.text import Say
from bot.text.cards import Speaker
from cogs.clicks.context import ClickContext, Context
from cogs.clicks.limits import POST
from cogs.clicks.registry import Where, Who, control
from cogs.clicks.rights import is_moderator
from cogs.clicks.table_actions import execute_beside_hand
from cogs.pages.controls import Controls, Page, row, text
from cogs.pages.table.stop_vote import is_vote_open, stop_question_page
from cogs.pages.verbs import Verb


async def stop_or_ask(ctx: Context, table: OpenTable) -> None:
    """Vote to stop a match, or close the user's own lobby; ask moderators how to stop."""
    host_of_lobby = isinstance(table, Lobby) and ctx.user_id == table.host_id
    if is_moderator(ctx.interaction) and not host_of_lobby:
        await _ask(ctx, table)
    else:
        await _stop(ctx, table, VoteToStop())


@control(Verb.STOP, who=Who.SEATED_OR_MODERATOR, where=Where.TABLE_CHANNEL)
async def ask_to_stop(ctx: ClickContext) -> None:
    """Ask the user how they want to stop the match."""
    await _ask(ctx, require_game(ctx.table))


async def _ask(ctx: Context, table: OpenTable) -> None:
    page = stop_question_page(
        table,
        ctx.words,
        seated=table.seat_of(ctx.user_id) is not None,
        moderator=is_moderator(ctx.interaction),
    )
    await ctx.reply.show(page)


@control(Verb.STOP_VOTE, who=Who.SEATED, where=Where.TABLE_CHANNEL, cost=POST)
async def vote(ctx: ClickContext) -> None:
    """Begin a vote, in which the other players are asked."""
    await _stop(ctx, ctx.table, VoteToStop())


@control(Verb.STOP_NOW, who=Who.MODERATOR, where=Where.TABLE_CHANNEL)
async def stop_now(ctx: ClickContext) -> None:
    """Stop the match at once, as a moderator."""
    await _stop(ctx, ctx.table, VoteToStop(moderator=True))


async def _stop(ctx: Context, table: OpenTable, command: Command) -> None:
    """Execute a command to stop, and show the user its outcome.

    If it makes this the last round without a vote in the channel, announce that there.
    """
    after = await execute_beside_hand(ctx, table.id, command)
    if isinstance(after, Lobby):
        ctx.announcer.rewrite_lobby(after)
    else:
        became_last_round = after.running and after.last_round and not _was_last_round(table)
        if became_last_round and not _has_posted_vote(table):
            line = ctx.public_words(after.guild_id).say("This is the last round.")
            ctx.announcer.announce(after, line)
    await ctx.reply.show(voted_page(after, ctx.words))


@control(Verb.AGREE, who=Who.SEATED, where=Where.TABLE_CHANNEL)
async def agree(ctx: ClickContext) -> None:
    """Vote for the end of the match."""
    await _answer_vote(ctx, VoteToStop(agreeing=True))


@control(Verb.PLAY_ON, who=Who.SEATED, where=Where.TABLE_CHANNEL)
async def play_on(ctx: ClickContext) -> None:
    """Vote against the end of the match."""
    await _answer_vote(ctx, PlayOn())


async def _answer_vote(ctx: ClickContext, command: Command) -> None:
    """Execute the command of a button on the vote message.

    The event of the change rewrites the message, so the click is only acknowledged.
    """
    table = ctx.table
    await execute_beside_hand(ctx, table.id, command)
    if is_vote_open(table):
        await ctx.reply.acknowledge()
    else:
        await ctx.reply.send_text(vote_over(ctx.words.say))


def _was_last_round(table: OpenTable) -> bool:
    return isinstance(table, Game) and table.last_round


def _has_posted_vote(table: OpenTable) -> bool:
    """Return whether the message of an open vote is in the channel, where it shows the outcome."""
    return is_vote_open(table) and table.messages.vote is not None


def vote_over(say: Say) -> str:
    """Return the answer to a click on a vote that is over."""
    return say("This vote is over.")


def voted_page(after: OpenTable, words: Speaker) -> Page:
    """Return the page that shows a user the outcome of their vote or stop."""
    say = words.say
    if not isinstance(after, Game):
        return Page(text(say("The table is closed.")))
    if not after.running:
        return Page(text(say("The match is over.")))
    if not after.notes.votes:
        return Page(text(say("This is the last round.")))
    count, needed = votes_to_stop(after)
    numbers = {"count": say.number(count), "needed": say.number(needed)}
    outcome = say("You want to stop ({count}/{needed}). I'm asking the others.", **numbers)
    back = Controls(after.id, after.revision).button(Verb.MORE, say("Back"))
    return Page(text(outcome), row(back))
