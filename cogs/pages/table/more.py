"""Private page behind **More…** of the table message: controls not needed for each move.

People who sit there can also send a reaction.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.table.state import Game
from bot.text.cards import Speaker
from cogs.pages.controls import Controls, Page, row, text
from cogs.pages.table.page import heading
from cogs.pages.table.reactions import reaction_row
from cogs.pages.verbs import Verb


def more_page(
    state: Game, words: Speaker, *, seated: bool, moderator: bool, notes: Sequence[str] = ()
) -> Page:
    """Return the page with the controls that its reader may use.

    A player (`seated`) may leave, and send reactions unless they play alone with computers. Players
    and moderators may stop the match.

    `notes` are lines for this reader only.
    """
    say = words.say
    controls = Controls(state.id, state.revision)
    end_buttons = []
    if seated:
        end_buttons.append(controls.button(Verb.LEAVE_MATCH, say("Leave")))
    if seated or moderator:
        end_buttons.append(controls.button(Verb.STOP, say("Stop")))
    return Page(
        text("\n".join((heading(state, words), *(f"-# {note}" for note in notes)))),
        row(
            controls.button(Verb.LAST_TRICK, say("Last trick")),
            controls.button(Verb.LOG, say("Full log")),
            controls.button(Verb.RULES, say("Rules"), state.options.variant),
            controls.button(Verb.FAIR_DEAL, say("Fair deal")),
        ),
        *([reaction_row(state, words)] if seated and not state.alone else []),
        *([row(*end_buttons)] if end_buttons else []),
    )
