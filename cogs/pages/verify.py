"""Private: was this round dealt as it should be? And what goes into the next deal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bot.cli.verify import command_line
from bot.history.deal_proof import Proof
from bot.table.dealing import Words, commitment_on_table, next_commitment, revealed, words_of
from bot.table.state import Game, OpenTable, TableState
from bot.text.cards import Speaker
from cogs.pages.controls import Page, Part, line, text
from cogs.pages.names import safe, seat_name
from engine.cards import card_text
from engine.fair_deal import FairDeal

MOST_CHARACTERS = 3900
"""What fits into one message (Discord allows 4,000)."""


def verify_page(found: Proof | None, live: OpenTable | None, to: Speaker) -> Page:
    """All about a round, and the deals to come if the table is open (`live`)."""
    blocks = [*(_round(found, to) if found else []), *(_to_come(live, found, to) if live else [])]
    if not blocks:
        blocks = [to.say("No round was dealt at this table.")]
    parts: list[Part] = []
    for block in _that_fit(blocks):
        parts += [line(), text(block)] if parts else [text(block)]
    return Page(*parts)


def _that_fit(blocks: Iterable[str]) -> Iterator[str]:
    """The blocks without those that are too long after what stands before them."""
    free = MOST_CHARACTERS
    for block in blocks:
        if len(block) <= free:
            free -= len(block)
            yield block


def _round(found: Proof, to: Speaker) -> list[str]:
    """Everything about one round, in blocks."""
    say = to.say
    head = "### " + say(
        "Deal of round {round} at table {table}", round=found.number, table=found.table.id
    )
    if found.commitment is None:
        news = say("This deal was not made from a secret, so there is nothing to check.")
        return [f"{head}\n{news}"]
    facts = [head, say("Commitment: `{commitment}`", commitment=found.commitment)]
    if found.deal is None:
        facts.append(say("This round is being played: its secret comes with the result."))
        return ["\n".join(facts)]
    facts.append(say("Secret: `{secret}`", secret=found.deal.secret.hex()))
    facts.append(_words(found.table, found.deal.words, to))
    command = _command(found, found.deal, to)
    return ["\n".join(facts), "\n".join(_verdict(found, to)), command, _deck(found, to)]


def _verdict(found: Proof, to: Speaker) -> list[str]:
    say = to.say
    lines = [
        "✅ "
        + say(
            "The secret belongs to this commitment. Compare it with the one that was shown "
            "before the deal."
        ),
        "✅ " + say("The deck made from them is the one that was dealt.")
        if found.as_dealt
        else "❌ " + say("The deck made from them is not the one that was dealt."),
    ]
    dealer = seat_name(found.table, found.dealer, to)
    if found.dealer_drawn:
        lines.append("✅ " + say("The first dealer was drawn from them: {name}.", name=dealer))
    elif found.dealer_drawn is False:
        lines.append("❌ " + say("The first dealer was not drawn from them: {name}.", name=dealer))
    return lines


def _deck(found: Proof, to: Speaker) -> str:
    name = seat_name(found.table, found.dealer, to)
    title = to.say("The deck as it was dealt, card by card; the dealer is {name}:", name=name)
    return f"{title}\n```\n{' '.join(map(card_text, found.deck))}\n```"


def _command(found: Proof, deal: FairDeal, to: Speaker) -> str:
    """What to type on a computer of one's own; no word can end its block of code early."""
    title = to.say("To check this on your own computer, with this program:")
    options = found.table.options.rules
    typed = command_line(options, deal, found.number, found.dealer, found.ranks)
    # A word with backticks stands in quotation marks: closed and opened again they add nothing.
    harmless = typed.replace("``", "`''`")
    return f"{title}\n```\n{harmless}\n```"


def _words(table: TableState, words: Words, to: Speaker) -> str:
    """Who said what, in the order in which it counts."""
    if not words:
        return to.say("Nobody said a word for this deal.")
    said = (f"{seat_name(table, seat, to)} “{safe(word)}”" for seat, word in words)
    return to.say("Words, in this order: {words}", words=", ".join(said))


def _to_come(live: OpenTable, found: Proof | None, to: Speaker) -> list[str]:
    """The deal on the table if it is another one, and the next deal with the words so far."""
    say = to.say
    blocks = []
    running = commitment_on_table(live)
    shown = found.number if found is not None and found.table.id == live.id else 0
    if running and revealed(live) is None and isinstance(live, Game) and live.round.number != shown:
        blocks.append(
            say("Round {round} is being played.", round=live.round.number)
            + "\n"
            + say("Commitment: `{commitment}`", commitment=running)
        )
    following = next_commitment(live)
    if following:
        blocks.append(
            say("The next deal:")
            + "\n"
            + say("Commitment: `{commitment}`", commitment=following)
            + "\n"
            + _words(live, words_of(live), to)
        )
    return blocks


def said_line(state: OpenTable, user_id: int, to: Speaker) -> str:
    """What everybody reads when a word was said for the next deal."""
    seat, words = state.seat_of(user_id), dict(words_of(state))
    assert seat is not None
    return to.say(
        "{name} cuts the cards with “{word}”.",
        name=seat_name(state, seat, to),
        word=safe(words[seat]),
    )
