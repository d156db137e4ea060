"""Small print about deals on public messages: the commitment before, the secret afterwards."""

from __future__ import annotations

from collections.abc import Iterator

from bot.table.dealing import commitment_on_table, next_commitment, revealed
from bot.table.state import Game, OpenTable
from bot.text.cards import Speaker
from cogs.pages.controls import Part, text
from engine import Phase


def small_print(lines: str | None) -> list[Part]:
    """A block of text with these lines; no block if there are none."""
    return [text(lines)] if lines else []


def lobby_deal_line(state: OpenTable, words: Speaker) -> str | None:
    """The commitment of the first deal, while the lobby is open."""
    commitment = next_commitment(state) if state.status == "lobby" else None
    if commitment is None:
        return None
    return "-# " + words.say("Commitment of the first deal: `{commitment}`", commitment=commitment)


def table_deal_line(state: OpenTable, words: Speaker) -> str | None:
    """The commitment of the deal on the table."""
    commitment = commitment_on_table(state)
    if commitment is None:
        return None
    return "-# " + words.say("Commitment of this deal: `{commitment}`", commitment=commitment)


def result_deal_lines(state: Game, words: Speaker) -> str | None:
    """The secret of the round that is over, and the commitment of the next deal."""
    return "\n".join(f"-# {line}" for line in _result_lines(state, words)) or None


def _result_lines(state: Game, words: Speaker) -> Iterator[str]:
    secret, following = revealed(state), next_commitment(state)
    if secret is not None:
        yield words.say(
            "Secret of this deal: `{secret}`. Check it: /tichu verify table:{table} round:{round}",
            secret=secret,
            table=state.id,
            round=state.round.number,
        )
    if following is not None:
        yield words.say("Commitment of the next deal: `{commitment}`", commitment=following)


def stopped_deal_line(state: Game, words: Speaker) -> str | None:
    """The secret of a round that was stopped; the result of a round tells its secret itself."""
    secret = revealed(state)
    if secret is None or state.phase is Phase.ROUND_END:
        return None
    return "-# " + words.say("Secret of the deal that was stopped: `{secret}`", secret=secret)
