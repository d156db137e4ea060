"""Stopping a match: the public vote, and the private question before it."""

from __future__ import annotations

import discord

from bot.table.interruptions import ending, votes_to_stop
from bot.table.state import Game, OpenTable
from bot.text.cards import Speaker
from cogs.pages.controls import Controls, Page, row, text
from cogs.pages.names import seat_name
from cogs.pages.verbs import Verb


def is_vote_open(state: OpenTable) -> bool:
    """Return whether a vote to stop the match is open at this table."""
    return isinstance(state, Game) and state.running and bool(state.notes.votes)


def vote_fingerprint(state: OpenTable) -> object:
    """Return a value that changes whenever the message of the vote must be rewritten."""
    if not isinstance(state, Game) or not is_vote_open(state):
        return state.status, isinstance(state, Game) and state.last_round
    return state.notes.votes, votes_to_stop(state), state.chairs


def stop_vote_page(state: OpenTable, words: Speaker, *, over: bool = False) -> Page:
    """Return the public message of a vote, or of its outcome once it is closed.

    `over` is true for an earlier vote; another one may be open now.
    """
    say = words.say
    if over or not isinstance(state, Game) or not is_vote_open(state):
        return Page(text(_outcome_text(state, words)))
    count, needed = votes_to_stop(state)
    seats = map(state.seat_of, state.notes.votes)
    names = [f"**{seat_name(state, seat, words)}**" for seat in seats if seat is not None]
    controls = Controls(state.id, state.revision)
    counts = {"count": say.number(count), "needed": say.number(needed)}
    sentence = (
        say("{name} wants to stop ({count}/{needed}).", name=names[0], **counts)
        if len(names) == 1
        else say("{names} want to stop ({count}/{needed}).", names=say.join(names), **counts)
    )
    return Page(
        text(sentence),
        row(
            controls.button(
                Verb.AGREE,
                say("Agree ({count}/{needed})", **counts),
                style=discord.ButtonStyle.danger,
            ),
            controls.button(Verb.PLAY_ON, say("Play on")),
        ),
    )


def _outcome_text(state: OpenTable, words: Speaker) -> str:
    """Return the sentence on the outcome of a vote in a match that goes on.

    Another message announces the end of a match.
    """
    say = words.say
    if isinstance(state, Game) and state.last_round:
        return say("This is the last round.")
    return say("Play goes on.")


def stop_question_page(
    state: OpenTable, words: Speaker, *, seated: bool, moderator: bool, note: str = ""
) -> Page:
    """Return the private question before a stop.

    A player who does not play alone can only ask the others; a moderator can stop at once.
    """
    say, controls = words.say, Controls(state.id, state.revision)
    lines, buttons = [note] if note else [], []
    if moderator:
        when = _end_by_moderator(state, words, seated=seated)
        lines.append(say("**Stop it for everyone?**") + f" {when}")
        label = say("Stop for everyone")
        buttons.append(controls.button(Verb.STOP_NOW, label, style=discord.ButtonStyle.danger))
    if seated and isinstance(state, Game):
        _, needed = votes_to_stop(state)
        if needed > 1:
            ask = say("Ask the others")
            lines.append(
                say.many(
                    "**{button}** starts a vote: it takes {n} vote to stop.",
                    "**{button}** starts a vote: it takes {n} votes to stop.",
                    needed,
                    button=ask,
                )
            )
            buttons.append(controls.button(Verb.STOP_VOTE, ask))
        elif not moderator:
            lines.append(say("**Stop the match?**") + f" {_end_of_match(state, words)}")
            style = discord.ButtonStyle.danger
            buttons.append(controls.button(Verb.STOP_VOTE, say("Stop the match"), style=style))
    if isinstance(state, Game):
        buttons.append(controls.button(Verb.MORE, say("Back")))
    return Page(text("\n".join(lines)), row(*buttons))


def _end_by_moderator(state: OpenTable, words: Speaker, *, seated: bool) -> str:
    """Return when the table ends if a moderator stops it, who may be `seated` there."""
    if seated and isinstance(state, Game):
        return _end_of_match(state, words)
    return words.say("It ends at once.")


def _end_of_match(state: Game, words: Speaker) -> str:
    """Return when the match ends if its people stop it, and whether somebody wins."""
    say = words.say
    return {
        "not-yet": say("It ends with a result after this round."),
        "with-result": say("It ends now, with the current result."),
        "now": say("It ends at once, without a winner."),
    }[ending(state)]
