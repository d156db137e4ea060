"""Private pages with public events: the round, or its last trick."""

from __future__ import annotations

from bot.table.solo_game import SoloGame
from bot.table.state import Game
from bot.text.cards import Speaker
from cogs.pages.controls import Controls, Page, Part, length, row, text
from cogs.pages.names import seat_name
from cogs.pages.table.page import trick_end
from cogs.pages.verbs import Verb
from engine import TrickStep

MOST_CHARACTERS = 3500
"""Characters that fit into a message beside the heading.

Discord allows 4,000 in all.
"""


def log_page(state: Game, words: Speaker) -> Page:
    """Return the private page with all tricks of this round, the newest last.

    The oldest tricks are dropped if the page would be too long.
    """
    public = state.views.public
    say = words.say
    blocks = []
    for number, trick in enumerate(public.past, start=1):
        steps = " · ".join(_step(state, step, words) for step in trick.steps if step.combination)
        end = trick_end(state, trick.winner, trick.given_to, words)
        blocks.append(f"**{number}.** {steps}\n-# {end}")
    if public.trick:
        steps = " · ".join(_step(state, step, words) for step in public.trick if step.combination)
        blocks.append(f"**{len(public.past) + 1}.** {steps}")
    dropped = 0
    while len(blocks) > 1 and sum(length(block) + 1 for block in blocks) > MOST_CHARACTERS:
        blocks.pop(0)
        dropped += 1
    while blocks and length(blocks[0]) > MOST_CHARACTERS:  # a very long trick: keep its end
        number_mark, _, steps = blocks[0].partition(" ")
        blocks[0] = f"{number_mark} … · {steps.removeprefix('… · ').partition(' · ')[2]}"
    head = say("### Round {number}, trick by trick", number=public.number)
    if dropped:
        head += "\n-# " + say.many(
            "{n} earlier trick left out.", "{n} earlier tricks left out.", dropped
        )
    log = "\n".join(blocks) or say("Nothing has been played yet.")
    return Page(text(head), text(log), _back(state, words))


def last_trick_page(state: Game, words: Speaker) -> Page:
    """Return the private page with the plays of the last finished trick."""
    past, say = state.views.public.past, words.say
    if not past:
        return Page(text(say("No trick finished yet.")), _back(state, words))
    trick = past[-1]
    plays = [_step(state, step, words) for step in trick.steps if step.combination]
    while sum(length(play) + 1 for play in plays) > MOST_CHARACTERS:
        plays.pop(0)
    end = trick_end(state, trick.winner, trick.given_to, words)
    return Page(
        text(f"### {say('Last trick')}"),
        text("\n".join((*plays, f"-# {end}"))),
        _back(state, words),
    )


def _back(state: Game, words: Speaker) -> Part:
    """Return the button back to **More…**, or to the hand where there is no such page."""
    verb = Verb.REFRESH if isinstance(state, SoloGame) else Verb.MORE
    return row(Controls(state.id, state.revision).button(verb, words.say("Back")))


def _step(state: Game, step: TrickStep, words: Speaker) -> str:
    """Return the text of one play: its player, its cards, and the wish."""
    assert step.combination is not None
    play = f"{seat_name(state, step.seat, words)} {words.combination_cards(step.combination)}"
    if step.wish is not None:
        play += " (" + words.say("wishes {rank}", rank=words.rank(step.wish)) + ")"
    return play
