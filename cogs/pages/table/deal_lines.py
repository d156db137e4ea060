"""Fair deals on a table's pages: short labels and full values.

Before a deal its secret is fixed by a commitment, and revealed when the round is over. The label is
the beginning of the commitment: it names a deal and proves nothing. The proof is on the private
page, in ``/tichu verify``, in replays and in files.
"""

from __future__ import annotations

from collections.abc import Iterator

from bot.table.dealing import (
    commitment_on_table,
    next_commitment,
    plays_shared_deals,
    revealed_secret,
)
from bot.table.state import Game, OpenTable
from bot.text.cards import Speaker
from cogs.pages.controls import Controls, Page, Part, row, text
from cogs.pages.verbs import Verb
from engine import Phase

_LABEL_LENGTH = 8
"""The number of characters of a commitment that its label shows."""


def small_print(lines: str | None) -> list[Part]:
    """Return these lines as one block of text, or an empty list for no lines."""
    return [text(lines)] if lines else []


def table_deal_line(state: Game, words: Speaker) -> str | None:
    """Return the line that labels the current deal, or `None` once a card has been played."""
    round_ = state.round
    commitment = None if round_.past or round_.trick else commitment_on_table(state)
    return None if commitment is None else f"🔒 {_label(commitment, words)}"


def result_deal_line(state: Game, words: Speaker) -> str | None:
    """Return the line that labels a finished round's deal, once its secret is revealed."""
    commitment = commitment_on_table(state) if revealed_secret(state) else None
    if commitment is None:
        return None
    check = words.say("check with /tichu verify")
    return f"-# 🔓 {_label(commitment, words)} · {check}"


def stopped_deal_line(state: Game, words: Speaker) -> str | None:
    """Return the line that labels the deal of a round stopped before its end.

    A finished round has the line in its result, so `None` is returned for it.
    """
    return None if state.phase is Phase.ROUND_END else result_deal_line(state, words)


def _label(commitment: str, words: Speaker) -> str:
    """Return the short label of a deal."""
    return words.say("Fair deal · {label}…", label=commitment[:_LABEL_LENGTH])


def fair_deal_page(table: OpenTable, words: Speaker) -> Page:
    """Return the private page with full commitments and revealed secrets of a table's deals.

    The commitment of the next deal is shown before any of its cards is dealt.
    """
    back = Controls(table.id, table.revision).button(Verb.MORE, words.say("Back"))
    return Page(text("\n".join(_full_values(table, words))), row(back))


def _full_values(table: OpenTable, words: Speaker) -> Iterator[str]:
    """Yield the lines of the fair-deal page."""
    say = words.say
    yield "### " + say("Fair deal")
    yield say(
        "Every deal is fixed by a secret before anyone sees a card. The commitment is shown first, "
        "the secret after the round – so anyone can check that nothing changed."
    )
    if isinstance(table, Game) and (current := commitment_on_table(table)) is not None:
        yield say("Commitment of this deal: `{commitment}`", commitment=current)
        if secret := revealed_secret(table):
            yield say("Secret of this deal: `{secret}`", secret=secret)
    if (upcoming := next_commitment(table)) is not None:
        yield (
            say("Commitment of the next deal: `{commitment}`", commitment=upcoming)
            if isinstance(table, Game)
            else say("Commitment of the first deal: `{commitment}`", commitment=upcoming)
        )
    if plays_shared_deals(table):
        yield "-# " + say(
            "Other tables play the same deals, so nobody can add a word. "
            "Check a round with /tichu verify table:{table} when it's over for everyone.",
            table=table.id,
        )
        return
    yield "-# " + say(
        "The short label only names the deal. Check a round with /tichu verify table:{table}; "
        "add a word to the next shuffle with /tichu shuffle.",
        table=table.id,
    )
