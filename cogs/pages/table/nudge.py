"""Messages that bring people back to the table and their hand."""

from __future__ import annotations

from dataclasses import dataclass

import discord

from bot.ids import UserId
from bot.table.details import OpenTurn
from bot.table.state import Game
from bot.text import Say
from bot.text.cards import Speaker
from bot.text.people import channel_mention, mention
from cogs.pages.controls import Controls, Notice, Part, link, row
from cogs.pages.names import seat_name
from cogs.pages.verbs import Verb
from engine import Phase


@dataclass(frozen=True, slots=True)
class Nudged:
    """Awaited people whom a nudge mentions at the table, by their own settings."""

    mentioned: tuple[UserId, ...] = ()
    """The people to mention."""
    unreached: tuple[UserId, ...] = ()
    """The mentioned people whose direct message Discord has just refused."""


NOBODY_NUDGED = Nudged()


def nudge_text(state: Game, nudged: Nudged, words: Speaker) -> str:
    """Return the text of a nudge: the table, the play to beat, the time limit.

    Only a turn-based match shows a time limit. If the table was paused because nobody moved, the
    text announces that instead. People whose direct message was just refused read that nudges reach
    them here from now on.
    """
    reminded = tuple(user for user in nudged.mentioned if _is_reminded(state, user))
    not_reminded = tuple(user for user in nudged.mentioned if user not in reminded)
    lines = [*_nudge_lines(state, not_reminded, words), *_nudge_lines(state, reminded, words)]
    return "\n".join((*lines, *_refused_lines(nudged, words.say)))


def _nudge_lines(
    state: Game, user_ids: tuple[UserId, ...], words: Speaker, *, direct: bool = False
) -> list[str]:
    """Return the lines that nudge these people.

    Either all of them were nudged for this turn before, so that this is a reminder, or none was.

    A lock screen shows about a hundred characters, so the event and the table come first, then the
    mentions unless it is `direct`, then the time limit.
    """
    if not user_ids:
        return []
    say, channel = words.say, channel_mention(state.channel_id)
    detail, limit = _task_or_play(state, words), _time_limit(state, user_ids, words)
    event = say("Your turn in {channel}!", channel=channel)
    if state.timers.paused:
        event = say(
            "Everyone has missed two turns in {channel}: the table is paused.", channel=channel
        )
        detail, limit = "", _resume_text(state, words)
    elif _is_reminded(state, user_ids[0]):
        event = say("⏰ It's still your turn in {channel}.", channel=channel)
        limit = _reminder(state, user_ids, words)
    mentions = "" if direct else _mentions(user_ids, say)
    return [" ".join(filter(None, (event, detail, mentions))), *filter(None, [limit])]


def _task_or_play(state: Game, words: Speaker) -> str:
    """Return the sentence on the task or the play to beat, without hidden cards."""
    say, view = words.say, state.views.public
    match view.phase:
        case Phase.GRAND:
            return first_cards_dealt(state, words)
        case Phase.EXCHANGE:
            return say("Pass your cards: press **{button}**.", button=hand_label(state, words))
        case Phase.LEAD:
            return say("Your lead.")
        case Phase.CLOSING | Phase.GIFT if state.gift_due:
            return say("Your Dragon won – give the trick away.")
        case Phase.CLOSING:
            return say("All passed – {name} takes it.", name=seat_name(state, view.top_seat, words))
    if view.top is None:
        return ""
    name = seat_name(state, view.top_seat, words)
    return say(
        "{name} played: {combination}.", name=name, combination=words.combination_within(view.top)
    )


def first_cards_dealt(state: Game, words: Speaker) -> str:
    """Return the question for Grand Tichu after the first cards."""
    if state.options.rules.dealing == "drawn":
        return words.say("The first cards come one by one – **Grand Tichu**?")
    return words.say.many(
        "First {n} card dealt – **Grand Tichu**?",
        "First {n} cards dealt – **Grand Tichu**?",
        state.options.game.grand_cards,
    )


def _refused_lines(nudged: Nudged, say: Say) -> list[str]:
    """Return the line for people whose direct message Discord has just refused, if any."""
    if not nudged.unreached:
        return []
    sentence = say(
        "Discord doesn't let me write to you, {people}. From now on I'll call you here – "
        "change that in `/tichu settings`.",
        people=_mentions(nudged.unreached, say),
    )
    return [f"-# {sentence}"]


def nudge_notice(state: Game, nudged: Nudged, words: Speaker) -> Notice:
    """Return the nudge as a message; it notifies those it may mention."""
    return Notice(nudge_text(state, nudged, words), row(hand_button(state, words)))


def direct_notice(state: Game, user_id: UserId, words: Speaker) -> Notice:
    """Return the direct message that nudges this person or announces a pause, without cards.

    It links to the channel and not to the table message, which may be posted again a moment later.
    """
    lines = _nudge_lines(state, (user_id,), words, direct=True)
    url = f"https://discord.com/channels/{state.guild_id}/{state.channel_id}"
    return Notice(
        "\n".join(lines), row(hand_button(state, words), link(words.say("To the table"), url))
    )


def lost_thread_notice(
    state: Game, nudged: Nudged, words: Speaker, *, everybody: bool = True
) -> Notice:
    """Return the notice that a locked or deleted thread paused the table.

    It mentions the `nudged` players, and names the others without a mention. Without `everybody`
    the others are left out.
    """
    say, mentioned_ids = words.say, nudged.mentioned
    people = ", ".join(
        mention(chair.user_id)
        if chair.user_id in mentioned_ids
        else f"**{seat_name(state, chair.seat, words)}**"
        for chair in state.people()
        if everybody or chair.user_id in mentioned_ids
    )
    if state.timers.lost_thread == "locked":
        thread = channel_mention(state.channel_id)
        event = say("🔒 {thread} is locked, so this Tichu table is paused:", thread=thread)
        remedy = say("Once a moderator has unlocked it, press **My turn** to play on.")
    else:
        channel = channel_mention(state.parent_channel_id)
        event = say(
            "🗑️ The thread of a Tichu table in {channel} was deleted, so the table is paused:",
            channel=channel,
        )
        remedy = say("Press **My turn** to play on in a new thread.")
    lines = (f"{event} {people}", remedy, *_refused_lines(nudged, say))
    return Notice("\n".join(lines), row(hand_button(state, words)))


def restarted_notice(state: Game, words: Speaker) -> Notice:
    """Return the notice that the bot is back, for people who waited for it."""
    return Notice(words.say("I restarted – carry on!"), row(hand_button(state, words)))


def hand_button(state: Game, words: Speaker) -> Part:
    """Return the button that opens its clicker's hand."""
    return Controls(state.id, state.revision).button(
        Verb.HAND,
        hand_label(state, words),
        style=discord.ButtonStyle.primary,
        emoji=words.art.icon_emoji("cardback"),
    )


def hand_label(state: Game, words: Speaker) -> str:
    """Return the label of the button that opens the hand."""
    return words.say("My turn") if state.options.turn_based else words.say("My hand")


def _mentions(user_ids: tuple[UserId, ...], say: Say) -> str:
    return say.join(mention(user_id) for user_id in user_ids)


def _resume_text(state: Game, words: Speaker) -> str:
    """Return the sentence on how to resume a paused table, and when it closes."""
    closing_time = discord.utils.format_dt(state.timers.deadlines["abandoned"], "R")
    return words.say(
        "Press **My turn** to play on. If nobody does, it closes {left}.", left=closing_time
    )


def _is_reminded(state: Game, user_id: UserId) -> bool:
    """Return whether this person was already nudged for their current turn."""
    return any(turn.reminded for turn in _open_turns(state, (user_id,)))


def _open_turns(state: Game, user_ids: tuple[UserId, ...]) -> list[OpenTurn]:
    """Return the open turns of these people at a turn-based table."""
    chairs = {state.seat_of(user_id) for user_id in user_ids}
    return [turn for chair, turn in state.timers.turns.items() if chair in chairs]


def _reminder(state: Game, user_ids: tuple[UserId, ...], words: Speaker) -> str:
    """Return the sentence on the time left before a computer moves."""
    end = discord.utils.format_dt(min(turn.until for turn in _open_turns(state, user_ids)), "R")
    return words.say("Time is up {left}; then a computer makes one move for you.", left=end)


def _time_limit(state: Game, user_ids: tuple[UserId, ...], words: Speaker) -> str:
    """Return the sentence on when the first of these turns ends; empty if not turn-based."""
    end = min((turn.until for turn in _open_turns(state, user_ids)), default=None)
    if end is None:
        return ""
    when, left = discord.utils.format_dt(end, "f"), discord.utils.format_dt(end, "R")
    return words.say("You have until {when} ({left}).", when=when, left=left)
