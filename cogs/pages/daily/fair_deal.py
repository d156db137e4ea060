"""The page with commitments and secrets of daily deals."""

from __future__ import annotations

from bot.boards.board import Board
from bot.text.cards import Speaker
from cogs.pages.controls import GOLD, Controls, Page, row, text
from cogs.pages.verbs import Verb
from cogs.pages.verify_commands import boards_block


def daily_fair_deal_page(
    yesterday: Board | None, today: Board, tomorrow: Board, words: Speaker
) -> Page:
    """Return the commitments of three days; only yesterday's secret is revealed."""
    say = words.say
    lines = [
        "### " + say("Fair deal"),
        say(
            "Each day's cards come from a secret that was drawn days before. Its commitment is "
            "public before the day begins, the secret when the day is over – so anyone can check "
            "that nothing changed."
        ),
    ]
    if yesterday is not None:
        name = say("Yesterday ({number})", number=say.number(yesterday.number))
        secret = say("secret `{secret}`", secret=yesterday.secret)
        lines.append(say.labelled(f"**{name}**", f"{_commitment(yesterday, words)}\n{secret}"))
    names = (
        say("Today ({number})", number=say.number(today.number)),
        say("Tomorrow ({number})", number=say.number(tomorrow.number)),
    )
    for name, board in zip(names, (today, tomorrow), strict=True):
        lines.append(say.labelled(f"**{name}**", _commitment(board, words)))
    items = [text("\n".join(lines))]
    if yesterday is not None:
        items.append(text(boards_block([yesterday], words)))
    back = Controls().button(Verb.DAILY, say("Back"))
    return Page(*items, row(back), accent=GOLD)


def _commitment(board: Board, words: Speaker) -> str:
    """Return the commitment of a board."""
    return words.say("commitment `{commitment}`", commitment=board.commitment)
