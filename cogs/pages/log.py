"""The full log of a round, as everybody could follow it, newest trick last."""

from __future__ import annotations

from bot.table.state import Game
from bot.text.cards import Speaker
from cogs.pages.controls import Page, text
from cogs.pages.names import seat_name
from cogs.pages.table import trick_end
from engine.state import Laid
from engine.view import view

MOST_CHARACTERS = 3500
"""What fits into one message beside its heading (Discord allows 4,000)."""


def log_page(state: Game, to: Speaker) -> Page:
    """Every trick of the current round; the oldest are left out if it gets too long."""
    seen = view(state.match, None)
    say = to.say
    blocks = []
    for number, trick in enumerate(seen.past, start=1):
        steps = " · ".join(_step(state, step, to) for step in trick.steps if step.combination)
        end = trick_end(state, trick.winner, trick.given_to, to)
        blocks.append(f"**{number}.** {steps}\n-# {end}")
    if seen.trick:
        steps = " · ".join(_step(state, step, to) for step in seen.trick if step.combination)
        blocks.append(f"**{len(seen.past) + 1}.** {steps}")
    left_out = 0
    while len(blocks) > 1 and sum(len(block) + 1 for block in blocks) > MOST_CHARACTERS:
        blocks.pop(0)
        left_out += 1
    while blocks and len(blocks[0]) > MOST_CHARACTERS:  # one endless trick: its last plays
        blocks[0] = "… · " + blocks[0].split(" · ", 2)[-1]
    head = say("### Round {number}, trick by trick", number=seen.number)
    if left_out:
        head += "\n-# " + say.many(
            "{n} earlier trick does not fit here.", "{n} earlier tricks do not fit here.", left_out
        )
    return Page(text(head), text("\n".join(blocks) or say("Nothing has been played yet.")))


def _step(state: Game, step: Laid, to: Speaker) -> str:
    assert step.combination is not None
    words = f"{seat_name(state, step.seat, to)} {to.laid(step.combination)}"
    if step.wish is not None:
        words += " (" + to.say("wishes {rank}", rank=to.rank(step.wish)) + ")"
    return words
