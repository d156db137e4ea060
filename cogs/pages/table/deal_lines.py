"""Fair deals on a table's pages: short labels and full values.

Before a deal its secret is fixed by a commitment, and revealed when the round is over. The label is
the beginning of the commitment: it names a deal and proves nothing. The proof is on the private
page, in ``/tichu verify``, in replays and in files.
"""

from __future__ import annotations

from collections.abc import Iterator

from bot.table.dealing import commitment_on_table, next_commitment, revealed_secret
from bot.table.state import Game, OpenTable
from bot.text.cards import Speaker
from cogs.pages.controls import Controls, Page, Part, row, text
from cogs.pages.verbs import Verb
from engine import Phase

_LABEL = 8
"""The number of characters of a commitment that its label shows."""


def small_print(lines: str | None) -> list[Part]:
    """Return a block of text with these lines; no block if there are none."""
    return [text(lines)] if lines else []


def lobby_deal_line(state: OpenTable, words: Speaker) -> str | None:
    """Return the label of the first deal, while the lobby is open."""
    commitment = next_commitment(state) if state.status == "lobby" else None
    where = words.say("in full under **Options**")
    return commitment and f"-# 🔒 {_label(commitment, words)} · {where}"


def first_deal(state: OpenTable, words: Speaker) -> list[Part]:
    """Return the commitment of a lobby's first deal, with its explanation."""
    if (commitment := next_commitment(state)) is None:
        return []
    say, controls = words.say, Controls(state.id, state.revision)
    value = say("Commitment of the first deal: `{commitment}`", commitment=commitment)
    more = controls.button(Verb.FAIR_DEAL, say("Fair deal"), emoji="🔒")
    return [text(f"-# {value}"), row(more)]


def table_deal_line(state: Game, words: Speaker) -> str | None:
    """Return the label of the current deal, during its first trick."""
    commitment = None if state.round.past else commitment_on_table(state)
    return commitment and f"🔒 {_label(commitment, words)}"


def result_deal_line(state: Game, words: Speaker) -> str | None:
    """Return the label of a finished round's deal, whose secret is revealed."""
    commitment = commitment_on_table(state) if revealed_secret(state) else None
    if commitment is None:
        return None
    check = words.say("check with /tichu verify")
    return f"-# 🔓 {_label(commitment, words)} · {check}"


def stopped_deal_line(state: Game, words: Speaker) -> str | None:
    """Return the label of a stopped round's deal.

    The result of a finished round shows its label itself.
    """
    return None if state.phase is Phase.ROUND_END else result_deal_line(state, words)


def _label(commitment: str, words: Speaker) -> str:
    return words.say("Fair deal · {label}…", label=commitment[:_LABEL])


def fair_deal_page(table: OpenTable, words: Speaker) -> Page:
    """Return the private page with the full values of an open table's deals.

    It shows the commitment of a deal before any of its cards is dealt.
    """
    origin = Verb.MORE if isinstance(table, Game) else Verb.OPTIONS
    back = Controls(table.id, table.revision).button(origin, words.say("Back"))
    return Page(text("\n".join(_full_values(table, words))), row(back))


def _full_values(table: OpenTable, words: Speaker) -> Iterator[str]:
    say = words.say
    yield "### " + say("Fair deal")
    yield say(
        "Every deal is fixed by a secret before anyone sees a card. The commitment is shown first, "
        "the secret after the round – so anyone can check that nothing changed."
    )
    if isinstance(table, Game) and (now := commitment_on_table(table)) is not None:
        yield say("Commitment of this deal: `{commitment}`", commitment=now)
        if secret := revealed_secret(table):
            yield say("Secret of this deal: `{secret}`", secret=secret)
    if (following := next_commitment(table)) is not None:
        yield (
            say("Commitment of the next deal: `{commitment}`", commitment=following)
            if isinstance(table, Game)
            else say("Commitment of the first deal: `{commitment}`", commitment=following)
        )
    yield "-# " + say(
        "The short label only names the deal. Check a round with /tichu verify table:{table}; "
        "add a word to the next shuffle with /tichu shuffle.",
        table=table.id,
    )
