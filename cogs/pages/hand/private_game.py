"""Parts of the hand page of a private game, and the page at its end."""

from __future__ import annotations

from bot.ids import Revision
from bot.table.private_game import PrivateGame
from bot.text.cards import Speaker
from cogs.pages.controls import Controls, Page, Part, row, text
from cogs.pages.table.score_lines import round_summary
from cogs.pages.verbs import Verb


def private_line(words: Speaker) -> Part:
    """Return the line that says that nothing counts."""
    return text("-# " + words.say("You're playing on from a replay – this doesn't count."))


def way_back_row(state: PrivateGame, words: Speaker) -> Part:
    """Return the buttons back to the replay, and for another attempt."""
    say, controls = words.say, Controls(state.replayed, Revision(0))
    return row(
        controls.button(Verb.REPLAY_BACK, say("Back to the replay"), state.position, emoji="↩️"),
        controls.button(Verb.REPLAY_PLAY, say("Try again"), state.position, emoji="🔁"),
    )


def private_result_page(state: PrivateGame, words: Speaker) -> Page:
    """Return the page of a game whose round is over, with its result."""
    return Page(
        text(words.say("The round is over.")),
        text(round_summary(state, words)),
        private_line(words),
        way_back_row(state, words),
    )
