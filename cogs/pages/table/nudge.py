"""Messages that bring people back to the table and their hand."""

from __future__ import annotations

from dataclasses import dataclass

import discord

from bot.ids import UserId
from bot.table.details import OpenTurn
from bot.table.state import Game
from bot.text import Say
from bot.text.cards import Speaker
from cogs.pages.controls import Controls, Notice, Part, link, row
from cogs.pages.names import safe, seat_name
from cogs.pages.verbs import Verb
from engine import Phase


@dataclass(frozen=True, slots=True)
class Nudged:
    """The awaited people whom a nudge at the table mentions, as they have chosen."""

    named: tuple[UserId, ...] = ()
    unreached: tuple[UserId, ...] = ()
    """Those of them who wanted a direct message, which Discord has just refused."""


NOBODY_NUDGED = Nudged()


def nudge_text(state: Game, nudged: Nudged, words: Speaker) -> str:
    """Return the nudge: the table, the play to beat, the time limit.

    Only a turn-based match shows the limit. A paused table is announced instead, because nobody has
    moved. A person whose direct message was refused reads once that they are nudged here from now
    on.
    """
    late = tuple(user for user in nudged.named if _is_reminded(state, user))
    first = tuple(user for user in nudged.named if user not in late)
    lines = [*_call(state, first, words), *_call(state, late, words)]
    return "\n".join((*lines, *_why_here(nudged, words.say)))


def _call(
    state: Game, user_ids: tuple[UserId, ...], words: Speaker, *, direct: bool = False
) -> list[str]:
    """Return lines that nudge these people, who are all reminded or none of them.

    A lock screen shows about a hundred characters, so the event and the table come first, then the
    mentions unless it is `direct`, then the time limit.
    """
    if not user_ids:
        return []
    say, channel = words.say, f"<#{state.channel_id}>"
    news, until = _news(state, words), _end(state, user_ids, words)
    told = say("Your turn in {channel}!", channel=channel)
    if state.timers.paused:
        told = say(
            "Everyone has missed two turns in {channel}: the table is paused.", channel=channel
        )
        news, until = "", _way_on(state, words)
    elif _is_reminded(state, user_ids[0]):
        told = say("⏰ It's still your turn in {channel}.", channel=channel)
        until = _time_left(state, user_ids, words)
    people = "" if direct else _mentions(user_ids, say)
    return [" ".join(filter(None, (told, news, people))), *filter(None, [until])]


def _news(state: Game, words: Speaker) -> str:
    """Return the task or the play to beat, without hidden cards."""
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


def _why_here(nudged: Nudged, say: Say) -> list[str]:
    """Return the line for people whose direct message Discord has just refused."""
    if not nudged.unreached:
        return []
    told = say(
        "Discord doesn't let me write to you, {people}. From now on I'll call you here – "
        "change that in `/tichu settings`.",
        people=_mentions(nudged.unreached, say),
    )
    return [f"-# {told}"]


def nudge_notice(state: Game, nudged: Nudged, words: Speaker) -> Notice:
    """Return the nudge as a message; it notifies those it may mention."""
    return Notice(nudge_text(state, nudged, words), row(hand_button(state, words)))


def direct_notice(state: Game, user_id: UserId, words: Speaker) -> Notice:
    """Return the direct message that nudges this person, without their cards.

    Or that the table is paused. It links to the channel because the table message may be posted
    again a moment later.
    """
    lines = _call(state, (user_id,), words, direct=True)
    url = f"https://discord.com/channels/{state.guild_id}/{state.channel_id}"
    return Notice(
        "\n".join(lines), row(hand_button(state, words), link(words.say("To the table"), url))
    )


def lost_thread_notice(
    state: Game, nudged: Nudged, words: Speaker, *, everybody: bool = True
) -> Notice:
    """Return the notice that a locked or deleted thread paused the table.

    If it is for `everybody`, those who are not `nudged` are named without a mention.
    """
    say, mentioned = words.say, nudged.named
    people = ", ".join(
        f"<@{chair.user_id}>" if chair.user_id in mentioned else f"**{safe(chair.name)}**"
        for chair in state.people()
        if everybody or chair.user_id in mentioned
    )
    if state.timers.lost_thread == "locked":
        thread = f"<#{state.channel_id}>"
        told = say("🔒 {thread} is locked, so this Tichu table is paused:", thread=thread)
        way_on = say("Once a moderator has unlocked it, press **My turn** to play on.")
    else:
        channel = f"<#{state.parent_channel_id}>"
        told = say(
            "🗑️ The thread of a Tichu table in {channel} was deleted, so the table is paused:",
            channel=channel,
        )
        way_on = say("Press **My turn** to play on in a new thread.")
    lines = (f"{told} {people}", way_on, *_why_here(nudged, say))
    return Notice("\n".join(lines), row(hand_button(state, words)))


def restarted_notice(state: Game, words: Speaker) -> Notice:
    """Return the notice that the bot is back, for people who waited for it."""
    return Notice(words.say("I restarted – carry on!"), row(hand_button(state, words)))


def hand_button(state: Game, words: Speaker) -> Part:
    """Return the button that opens the hand."""
    return Controls(state.id, state.revision).button(
        Verb.HAND,
        hand_label(state, words),
        style=discord.ButtonStyle.primary,
        emoji=words.art.icon_emoji("cardback"),
    )


def hand_label(state: Game, words: Speaker) -> str:
    """Return the label of that button."""
    return words.say("My turn") if state.options.turn_based else words.say("My hand")


def _mentions(user_ids: tuple[UserId, ...], say: Say) -> str:
    return say.join(f"<@{user_id}>" for user_id in user_ids)


def _way_on(state: Game, words: Speaker) -> str:
    """Return how to resume a paused table, and when it closes."""
    left = discord.utils.format_dt(state.timers.deadlines["abandoned"], "R")
    return words.say("Press **My turn** to play on. If nobody does, it closes {left}.", left=left)


def _is_reminded(state: Game, user_id: UserId) -> bool:
    """Return whether this person was nudged for their turn before."""
    return any(turn.reminded for turn in _turns(state, (user_id,)))


def _turns(state: Game, user_ids: tuple[UserId, ...]) -> list[OpenTurn]:
    """Return the open turns of these people at a turn-based table."""
    chairs = {state.seat_of(user_id) for user_id in user_ids}
    return [turn for chair, turn in state.timers.turns.items() if chair in chairs]


def _time_left(state: Game, user_ids: tuple[UserId, ...], words: Speaker) -> str:
    """Return the reminder of the time left before a computer moves."""
    left = discord.utils.format_dt(min(turn.until for turn in _turns(state, user_ids)), "R")
    return words.say("Time is up {left}; then a computer makes one move for you.", left=left)


def _end(state: Game, user_ids: tuple[UserId, ...], words: Speaker) -> str:
    """Return the earliest end of these people's turn-based time."""
    end = min((turn.until for turn in _turns(state, user_ids)), default=None)
    if end is None:
        return ""
    when, left = discord.utils.format_dt(end, "f"), discord.utils.format_dt(end, "R")
    return words.say("You have until {when} ({left}).", when=when, left=left)
