"""Small print about deals on public messages: commitments before, secrets afterwards."""

from __future__ import annotations

from collections.abc import Iterator

from bot.table.dealing import commitment_on_table, next_commitment, revealed
from bot.table.state import Game, OpenTable
from bot.text.cards import Speaker
from cogs.pages.controls import Part, text
from engine.state import Phase


def small_print(lines: str | None) -> list[Part]:
    """A block with these lines, or none."""
    return [text(lines)] if lines else []


def lobby_deal_line(state: OpenTable, to: Speaker) -> str | None:
    """The commitment of the first deal, while the lobby is open."""
    found = next_commitment(state) if state.status == "lobby" else None
    if found is None:
        return None
    return "-# " + to.say("Commitment of the first deal: `{commitment}`", commitment=found)


def table_deal_line(state: OpenTable, to: Speaker) -> str | None:
    """The commitment of the deal on the table."""
    found = commitment_on_table(state)
    if found is None:
        return None
    return "-# " + to.say("Commitment of this deal: `{commitment}`", commitment=found)


def result_deal_lines(state: Game, to: Speaker) -> str | None:
    """The secret of the round that is over, and the commitment of the next deal."""
    return "\n".join(f"-# {line}" for line in _result_lines(state, to)) or None


def _result_lines(state: Game, to: Speaker) -> Iterator[str]:
    secret, following = revealed(state), next_commitment(state)
    if secret is not None:
        yield to.say(
            "Secret of this deal: `{secret}`. Check it: /tichu verify table:{table} round:{round}",
            secret=secret,
            table=state.id,
            round=state.round.number,
        )
    if following is not None:
        yield to.say("Commitment of the next deal: `{commitment}`", commitment=following)


def stopped_deal_line(state: Game, to: Speaker) -> str | None:
    """The secret of a round that was stopped; one that was played out has told it already."""
    secret = revealed(state)
    if secret is None or state.phase is Phase.ROUND_END:
        return None
    return "-# " + to.say("Secret of the deal that was stopped: `{secret}`", secret=secret)
