"""The private page of ``/tichu verify``, which checks the deal of a round.

It also shows the commitments and the words of deals to come.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bot.cli.verify import command_line
from bot.history.deal_proof import Proof
from bot.ids import UserId
from bot.table.dealing import (
    Words,
    commitment_on_table,
    deal_words,
    next_commitment,
    revealed_secret,
)
from bot.table.state import Game, OpenTable, TableState
from bot.text.cards import Speaker
from cogs.pages.controls import Page, Part, length, line, text
from cogs.pages.names import safe, seat_name
from engine import card_text
from engine.fair_deal import FairDeal

MOST_CHARACTERS = 3900
"""Largest number of characters in a message; Discord allows 4,000."""


def verify_page(proof: Proof | None, table: OpenTable | None, words: Speaker) -> Page:
    """Return all facts about a round's deal and an open table's next deals.

    `proof` is that of the round, if there is any; `table` is the table while it is open.
    """
    blocks = [
        *(_round(proof, words) if proof else []),
        *(_to_come(table, proof, words) if table else []),
    ]
    if not blocks:
        blocks = [words.say("No round has been dealt at this table yet.")]
    parts: list[Part] = []
    for block in _that_fit(blocks):
        parts += [line(), text(block)] if parts else [text(block)]
    return Page(*parts)


def _that_fit(blocks: Iterable[str]) -> Iterator[str]:
    """Return the blocks that fit into the message; skip longer ones."""
    free = MOST_CHARACTERS
    for block in blocks:
        if length(block) <= free:
            free -= length(block)
            yield block


def _round(proof: Proof, words: Speaker) -> list[str]:
    """Return all facts about the deal of one round, in blocks of text."""
    say = words.say
    head = "### " + say(
        "Fair deal · round {round} of table {table}", round=proof.number, table=proof.table.id
    )
    if proof.commitment is None:
        news = say("This deal has no secret, so there's nothing to check.")
        return [f"{head}\n{news}"]
    facts = [head, say("Commitment: `{commitment}`", commitment=proof.commitment)]
    if proof.deal is None:
        facts.append(say("This round is still being played. Its secret comes with the result."))
        return ["\n".join(facts)]
    facts.append(say("Secret: `{secret}`", secret=proof.deal.secret.hex()))
    facts.append(_words_said(proof.table, proof.deal.words, words))
    command = _command(proof, proof.deal, words)
    return ["\n".join(facts), "\n".join(_verdict(proof, words)), command, _deck(proof, words)]


def _verdict(proof: Proof, words: Speaker) -> list[str]:
    """Return the results of checking the deal, a line for each point."""
    say = words.say
    lines = [
        "✅ "
        + say(
            "The secret matches this commitment. Compare the commitment with the one shown "
            "before the deal."
        ),
        "✅ " + say("The deck it produces is the one that was dealt.")
        if proof.as_dealt
        else "❌ " + say("The deck it produces isn't the one that was dealt."),
    ]
    dealer = seat_name(proof.table, proof.dealer, words)
    if proof.dealer_drawn:
        lines.append("✅ " + say("The first dealer matches it, too: {name}.", name=dealer))
    elif proof.dealer_drawn is False:
        lines.append("❌ " + say("The first dealer doesn't match it: {name}.", name=dealer))
    return lines


def _deck(proof: Proof, words: Speaker) -> str:
    """Return the order of the deck, in notation."""
    name = seat_name(proof.table, proof.dealer, words)
    title = words.say("The deck in the order it was dealt (dealer: {name}):", name=name)
    return f"{title}\n```\n{' '.join(map(card_text, proof.deck))}\n```"


def _command(proof: Proof, deal: FairDeal, words: Speaker) -> str:
    """Return the command line that checks the deal on another computer.

    A word added by a player may contain anything; it cannot end the block of code.
    """
    title = words.say("Check it yourself with this program:")
    options = proof.table.options.rules
    typed = command_line(options, deal, proof.number, proof.dealer, proof.ranks)
    # A word with backticks is in quotation marks: closing and reopening them adds nothing.
    harmless = typed.replace("``", "`''`")
    return f"{title}\n```\n{harmless}\n```"


def _words_said(table: TableState, spoken: Words, words: Speaker) -> str:
    """Return the words that players added to a deal, in order."""
    if not spoken:
        return words.say("No words were added.")
    quoted = (
        words.say("{name} said “{word}”", name=seat_name(table, seat, words), word=safe(word))
        for seat, word in spoken
    )
    return words.say("Words, in order: {words}", words=", ".join(quoted))


def _to_come(table: OpenTable, proof: Proof | None, words: Speaker) -> list[str]:
    """Return an open table's deal, unless already shown, and its next deal."""
    say = words.say
    blocks = []
    running = commitment_on_table(table)
    shown = proof.number if proof is not None and proof.table.id == table.id else 0
    number = table.round.number if isinstance(table, Game) else 0
    if running and revealed_secret(table) is None and number != shown:
        blocks.append(
            say("Round {round}, still being played:", round=number)
            + "\n"
            + say("Commitment: `{commitment}`", commitment=running)
        )
    following = next_commitment(table)
    if following:
        blocks.append(
            say("Next deal:")
            + "\n"
            + say("Commitment: `{commitment}`", commitment=following)
            + "\n"
            + _words_said(table, deal_words(table), words)
        )
    return blocks


def said_line(state: OpenTable, user_id: UserId, words: Speaker) -> str:
    """Return the public line when somebody has added a word to the next deal."""
    seat, said = state.seat_of(user_id), dict(deal_words(state))
    assert seat is not None
    return words.say(
        "{name} cuts the cards with “{word}”. "
        "Any word makes the next deal unpredictable for the bot.",
        name=seat_name(state, seat, words),
        word=safe(said[seat]),
    )
