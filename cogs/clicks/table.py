"""Controls on the public messages of a match, and on the private pages that **More…** opens."""

from __future__ import annotations

from bot.errors import Reason, Refused
from bot.ids import ChannelId
from bot.table.commands import Leave, Pause, Ready, SetSpeed, Shuffle
from bot.table.details import SPEEDS
from bot.table.permission import acting_seat, require_game, require_open
from bot.table.state import Game, Lobby, OpenTable
from bot.text.cards import Speaker
from bot.text.people import visible
from bot.text.rules import FIRST_GAME, GAMES
from cogs.clicks.context import ClickContext, Context
from cogs.clicks.lobby import show_options
from cogs.clicks.registry import Where, Who, control
from cogs.clicks.rights import is_moderator
from cogs.clicks.table_actions import change_game, execute_beside_hand, show_hand
from cogs.clicks.tables import waiting_lobbies
from cogs.delivery.channel_permissions import check_may_write
from cogs.delivery.failed_requests import REQUEST_FAILURES
from cogs.pages.controls import Controls
from cogs.pages.history.verify import added_word_line
from cogs.pages.rules import read_rules_choice, rules_page
from cogs.pages.table.deal_lines import fair_deal_page
from cogs.pages.table.log import last_trick_page, log_page
from cogs.pages.table.more import more_page
from cogs.pages.table.open_tables import partner_lines, waiting_lobbies_line
from cogs.pages.table.seats import leave_page
from cogs.pages.table.waiting import waiting_lines
from cogs.pages.verbs import Verb

# --- between two rounds --------------------------------------------------------------------------


@control(Verb.READY, who=Who.SEATED, where=Where.TABLE_CHANNEL)
async def ready(ctx: ClickContext) -> None:
    """Record that the user is ready for the next round."""
    await _show_result(ctx, Ready(ctx.click.revision))


@control(Verb.PAUSE, who=Who.SEATED, where=Where.TABLE_CHANNEL)
async def pause(ctx: ClickContext) -> None:
    """Pause the match."""
    await _show_result(ctx, Pause(True, ctx.click.revision))


@control(Verb.RESUME, who=Who.SEATED, where=Where.TABLE_CHANNEL)
async def resume(ctx: ClickContext) -> None:
    """Continue a paused match."""
    await _show_result(ctx, Pause(False, ctx.click.revision))


@control(Verb.SPEED, who=Who.SEATED, where=Where.TABLE_CHANNEL)
async def speed(ctx: ClickContext) -> None:
    """Let the computers play slower or faster, as the only person at the table."""
    chosen = next((each for each in SPEEDS if each == ctx.click.args), None)
    if chosen is None:
        raise Refused(Reason.UNKNOWN_BUTTON)
    await change_game(ctx, SetSpeed(chosen))
    await ctx.reply.acknowledge()


async def _show_result(ctx: ClickContext, command: Ready | Pause) -> None:
    """Execute a command of the result message; show the hand if the next round has begun.

    Between two rounds the click is only acknowledged, because the event of the change rewrites the
    result message. A second writer could replace a newer state with an older one.
    """
    game = await change_game(ctx, command)
    if game.between_rounds:
        await ctx.reply.acknowledge()
    else:
        await show_hand(ctx, game)


# --- pages ---------------------------------------------------------------------------------------


@control(Verb.MORE, who=Who.ANYBODY, where=Where.TABLE_CHANNEL)
async def more(ctx: ClickContext) -> None:
    """Show a page with everything else that the user can do at the table or in the lobby."""
    if isinstance(ctx.table, Lobby):
        await show_options(ctx, ctx.table)
        return
    game, words = require_game(ctx.table), ctx.words
    page = more_page(
        game,
        words,
        seated=game.seat_of(ctx.user_id) is not None,
        moderator=is_moderator(ctx.interaction),
        notes=_partner_notes(ctx, game, words),
    )
    await ctx.reply.show(page)


def _partner_notes(ctx: ClickContext, game: Game, words: Speaker) -> list[str]:
    """Return lines about who could replace the user's computer partner.

    They include lobbies in which people wait for players. If the user has no computer partner,
    return no lines.
    """
    lines = list(partner_lines(game, game.seat_of(ctx.user_id), words))
    if lines and (lobbies := waiting_lobbies(ctx)):
        lines.append(waiting_lobbies_line(lobbies, words))
    return lines


@control(Verb.LOG, who=Who.ANYBODY, where=Where.TABLE_CHANNEL)
async def log(ctx: ClickContext) -> None:
    """Show the log of the round."""
    await ctx.reply.show(log_page(require_game(ctx.table), ctx.words))


@control(Verb.LAST_TRICK, who=Who.ANYBODY, where=Where.TABLE_CHANNEL)
async def last_trick(ctx: ClickContext) -> None:
    """Show the last trick."""
    await ctx.reply.show(last_trick_page(require_game(ctx.table), ctx.words))


@control(Verb.FAIR_DEAL, who=Who.ANYBODY, where=Where.TABLE_CHANNEL)
async def fair_deal(ctx: ClickContext) -> None:
    """Show how the deal can be verified."""
    table = ctx.table
    require_open(table)
    await ctx.reply.show(fair_deal_page(table, ctx.words))


@control(Verb.RULES, who=Who.ANYBODY, where=Where.ANYWHERE)
async def rules(ctx: ClickContext) -> None:
    """Show a topic of the rules, with a button back to the running match, if any."""
    click = ctx.click
    game, topic = read_rules_choice(click.chosen)
    table = ctx.bot.tables.find(click.table_id)
    playing = isinstance(table, Game) and table.running
    controls = Controls(click.table_id, click.revision) if playing else Controls()
    await ctx.reply.show(rules_page(ctx.words, topic, game, controls))


@control(Verb.EXPLAIN, who=Who.ANYBODY, where=Where.ANYWHERE)
async def explain(ctx: ClickContext) -> None:
    """Show a topic of the rules in a new message, so that a hand is not replaced."""
    game, topic = read_rules_choice(ctx.click.chosen)
    await ctx.reply.show_beside(rules_page(ctx.words, topic, game))


# --- commands ------------------------------------------------------------------------------------


async def show_rules(ctx: Context, topic: str, variant: str | None) -> None:
    """Show a topic of the rules, by default of the game that is played in the channel."""
    if variant is None:
        state = ctx.bot.tables.in_channel(ChannelId(ctx.interaction.channel_id or 0))
        variant = state.options.variant if state is not None else FIRST_GAME
        if topic not in GAMES[variant]:  # take the first game with this topic
            variant = next((game for game in GAMES if topic in GAMES[game]), variant)
    await ctx.reply.show(rules_page(ctx.words, topic, variant))


async def post_again(ctx: Context, table: OpenTable) -> None:
    """Post the table or lobby message again at the bottom of the channel.

    In a match, the answer also says for whom the table is waiting.
    """
    if table.seat_of(ctx.user_id) is None:
        check_may_write(ctx.interaction)
    if isinstance(table, Lobby):
        await ctx.announcer.post_lobby_again(table, ctx.reply.send_to_all)
        return
    ctx.check_channel(table.channel_id)
    ctx.announcer.post_table_again(table)
    words = ctx.words
    lines = [words.say("Table posted below."), *waiting_lines(table, ctx.user_id, words)]
    await ctx.reply.send_text("\n".join(lines))


async def leave_table(ctx: Context, table: OpenTable) -> None:
    """Leave a lobby; in a match, ask who plays on: a computer or another member."""
    if isinstance(table, Game):
        acting_seat(table, ctx.user_id)
        await ctx.reply.show(leave_page(table, ctx.words))
        return
    after = await execute_beside_hand(ctx, table.id, Leave())
    ctx.announcer.rewrite_lobby(after)
    await ctx.reply.send_text(ctx.words.say("You've left the table."))


async def add_word(ctx: Context, table: OpenTable, word: str) -> None:
    """Add a word to the next shuffle, and show it in the channel, even if the answer fails."""
    after = await execute_beside_hand(ctx, table.id, Shuffle(visible(word)))
    line = added_word_line(after, ctx.user_id, ctx.public_words(after.guild_id))
    try:
        message_id = await ctx.reply.send_to_all(line)
    except REQUEST_FAILURES:
        ctx.announcer.announce(after, line)
        raise
    if message_id is None:
        ctx.announcer.announce(after, line)
        await ctx.reply.send_text(line)
