"""Private pages of challenges: the list, the comparison of the deals, and how they were dealt."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import discord

from bot.boards.challenge import ChallengeComparison, ComparedDeal, FairDeals, Seen
from bot.challenge_records import DEALS, Challenge
from bot.ids import TableId, UserId
from bot.table.solo_game import SOLO_IDS, SoloGame, result_of_seat
from bot.text.cards import Speaker
from cogs.pages.challenges.lines import (
    chance_line,
    deal_result,
    end_line,
    name_of,
    verdict_line,
)
from cogs.pages.controls import GOLD, Controls, Page, Part, line, row, text
from cogs.pages.names import board_name
from cogs.pages.replay_query import ReplayQuery
from cogs.pages.review_query import ReviewQuery
from cogs.pages.table.score_lines import round_story, scores_table
from cogs.pages.verbs import Verb
from cogs.pages.verify_commands import boards_block

PER_PAGE = 5
"""Number of challenges on one page of the list."""
_CONTROLS = Controls()


def list_page(challenges: Sequence[Seen], page: int, reader: UserId, words: Speaker) -> Page:
    """Return one page of a person's challenges: open ones first, then by their age."""
    say = words.say
    in_order = sorted(challenges, key=lambda each: not each.challenge.is_open)
    pages = max(1, -(-len(in_order) // PER_PAGE))  # rounded up
    page = min(page, pages - 1)
    items = [text(f"### ⚔️ {say('Challenges')}")]
    if not in_order:
        items.append(
            text(
                say(
                    "Challenge somebody with `/tichu challenge player:` in a channel of a server. "
                    "You both play the same four deals, each alone with three computers, and "
                    "compare at the end."
                )
            )
        )
    for each in in_order[page * PER_PAGE :][:PER_PAGE]:
        items.append(text("\n".join(_lines(each, reader, words))))
        if buttons := [*_buttons(each, reader, words)]:
            items.append(row(*buttons))
    if pages > 1:
        turns = ((say("Previous"), page - 1), (say("Next"), page + 1))
        items.append(
            row(
                *(
                    _CONTROLS.button(
                        Verb.CHALLENGES, label, f"{max(0, to)}", disabled=not 0 <= to < pages
                    )
                    for label, to in turns
                )
            )
        )
    return Page(*items, accent=GOLD)


def _lines(shown: Seen, reader: UserId, words: Speaker) -> Iterator[str]:
    """Yield the lines on a challenge."""
    say, challenge = words.say, shown.challenge
    name = name_of(challenge.other(reader), words)
    when = discord.utils.format_dt(challenge.until, "R")
    if isinstance(shown, ChallengeComparison):
        yield from filter(None, (end_line(challenge, words), verdict_line(shown, reader, words)))
        return
    if challenge.status == "offered":
        if reader == challenge.challenged:
            yield say("**{name} challenges you.** The offer ends {when}.", name=name, when=when)
        else:
            yield say("**You challenged {name}.** The offer ends {when}.", name=name, when=when)
        return
    yield say("**You and {name}** – it ends {when}.", name=name, when=when)
    if shown.own:
        results = (
            say.labelled(_deal(each.number, words), deal_result(each.result, words))
            for each in shown.own
        )
        yield "-# " + "\n-# ".join(results)
    others = {
        "waiting": lambda: say("{name} hasn't begun.", name=name),
        "begun": lambda: say("{name} has begun.", name=name),
        "through": lambda: say("{name} is through.", name=name),
    }
    if shown.next_number is None:
        yield _through_line(challenge, reader, words)
    yield "-# " + others[shown.other]()


def _buttons(shown: Seen, reader: UserId, words: Speaker) -> Iterator[Part]:
    """Yield the buttons of a challenge."""
    say, challenge, colours = words.say, shown.challenge, discord.ButtonStyle
    args = str(challenge.id)
    if isinstance(shown, ChallengeComparison):
        if challenge.was_played:
            yield _CONTROLS.button(Verb.CHALLENGE_COMPARE, say("Compare"), args)
    elif challenge.status == "accepted" and shown.next_number is not None:
        yield play_button(challenge, shown.next_number, words)
    elif challenge.status == "offered" and reader == challenge.challenged:
        yield _CONTROLS.button(Verb.CHALLENGE_ACCEPT, say("Accept"), args, style=colours.success)
        yield _CONTROLS.button(Verb.CHALLENGE_DECLINE, say("Decline"), args)
    if challenge.is_open and not (challenge.status == "offered" and reader == challenge.challenged):
        yield _CONTROLS.button(Verb.CHALLENGE_LEAVE, _leave_label(challenge, words), args)
    if challenge.is_open or challenge.was_played:
        yield _CONTROLS.button(Verb.CHALLENGE_DEALS, say("Fair deals"), args, emoji="🔒")


def play_button(challenge: Challenge, number: int, words: Speaker) -> Part:
    """Return the button that plays the next deal."""
    say = words.say
    label = say("Play deal {number} of {deals}", number=say.number(number), deals=say.number(DEALS))
    style = discord.ButtonStyle.primary
    return _CONTROLS.button(Verb.CHALLENGE_PLAY, label, str(challenge.id), style=style)


def _deal(number: int, words: Speaker) -> str:
    return words.say("Deal {number}", number=words.say.number(number))


def leave_page(challenge: Challenge, reader: UserId, words: Speaker) -> Page:
    """Return the page that asks whether to leave an open challenge."""
    say, args = words.say, str(challenge.id)
    name = name_of(challenge.other(reader), words)
    question = say("Withdraw your challenge to {name}?", name=name)
    if challenge.status == "accepted":
        question = say("Leave the challenge with {name}? It then ends for both of you.", name=name)
    danger = discord.ButtonStyle.danger
    return Page(
        text(question),
        row(
            _CONTROLS.button(
                Verb.CHALLENGE_LEAVE_NOW, _leave_label(challenge, words), args, style=danger
            ),
            _back(words),
        ),
        accent=GOLD,
    )


def _leave_label(challenge: Challenge, words: Speaker) -> str:
    return words.say("Withdraw") if challenge.status == "offered" else words.say("Leave")


def comparison_page(shown: ChallengeComparison, reader: UserId, words: Speaker) -> Page:
    """Return the results of both people, deal by deal."""
    say, challenge = words.say, shown.challenge
    head = [
        f"### ⚔️ {say('Challenge')}",
        end_line(challenge, words),
        *_reasons(shown, reader, words),
        verdict_line(shown, reader, words),
        chance_line(shown, words),
    ]
    items = [text("\n".join(filter(None, head))), line()]
    items.append(text("\n".join(_deal_lines(each, shown, reader, words) for each in shown.deals)))
    if replays := [*_replay_buttons(shown, words)]:
        items.append(row(*replays))
    args = str(challenge.id)
    deals = _CONTROLS.button(Verb.CHALLENGE_DEALS, say("Fair deals"), args, emoji="🔓")
    return Page(*items, row(deals, _back(words)), accent=GOLD)


def _replay_buttons(shown: ChallengeComparison, words: Speaker) -> Iterator[Part]:
    """Yield a button for the replay of each deal that the reader has finished."""
    for deal in shown.deals:
        if deal.round_id is not None:
            label = f"{words.say('Replay')} {words.say.number(deal.number)}"
            args = ReplayQuery(deal.number).to_args("result")
            controls = Controls(TableId(SOLO_IDS + deal.round_id))
            yield controls.button(Verb.REPLAY, label, args, emoji="🎬")


def deal_page(seen: Seen, game: SoloGame, words: Speaker) -> Page:
    """Return the own result of a deal that has just been finished."""
    say, challenge, result = words.say, seen.challenge, game.match.results[-1]
    points = say.signed(result_of_seat(game.match).points)
    items = [
        text(f"### ⚔️ {board_name(game, words)} · {points}\n{round_story(game, result, words)}"),
        text(scores_table(game, result, words)),
    ]
    buttons = []
    if isinstance(seen, ChallengeComparison):
        args, style = str(challenge.id), discord.ButtonStyle.primary
        buttons.append(_CONTROLS.button(Verb.CHALLENGE_COMPARE, say("Compare"), args, style=style))
    elif seen.next_number is not None:
        buttons.append(play_button(challenge, seen.next_number, words))
    else:
        items.append(text(_through_line(challenge, game.host_id, words)))
    review = ReviewQuery(game.number).to_args("result")
    buttons.append(Controls(game.id).button(Verb.REVIEW, say("Review"), review, emoji="🔎"))
    return Page(*items, row(*buttons, _back(words)), accent=GOLD)


def _through_line(challenge: Challenge, reader: UserId, words: Speaker) -> str:
    name = name_of(challenge.other(reader), words)
    return words.say("You're through. You'll see both results when {name} is, too.", name=name)


def _reasons(shown: ChallengeComparison, reader: UserId, words: Speaker) -> Iterator[str]:
    """Yield who left or did not finish in time, from the view of the reader."""
    say, challenge = words.say, shown.challenge
    name = name_of(challenge.other(reader), words)
    if challenge.status == "left" and challenge.ended_by == reader:
        yield "-# " + say("You left it.")
    elif challenge.status == "left":
        yield "-# " + say("{name} left it.", name=name)
    elif challenge.status == "expired":
        if not all(deal.own for deal in shown.deals):
            yield "-# " + say("You didn't finish in time.")
        if not all(deal.other for deal in shown.deals):
            yield "-# " + say("{name} didn't finish in time.", name=name)


def _deal_lines(
    deal: ComparedDeal, shown: ChallengeComparison, reader: UserId, words: Speaker
) -> str:
    """Return two lines on a deal: the difference, and the result of each."""
    say = words.say
    other = name_of(shown.challenge.other(reader), words)
    head = f"**{_deal(deal.number, words)}**"
    if deal.difference is not None:
        head += f" · **{say.signed(deal.difference)}**"
    results = (
        say.labelled(say("You"), deal_result(deal.own, words)),
        say.labelled(other, deal_result(deal.other, words)),
    )
    return f"{head}\n-# " + "\n-# ".join(results)


def deals_page(deals: FairDeals, words: Speaker) -> Page:
    """Return the commitments of a challenge, and its secrets once it is over."""
    say = words.say
    lines = [
        f"### 🔒 {say('Fair deals')}",
        say(
            "All four deals come from secrets drawn with the challenge. You see the commitments "
            "from the start, the secrets when it's over."
        ),
    ]
    for number, commitment in enumerate(deals.commitments, start=1):
        lines.append(f"**{_deal(number, words)}**")
        lines.append(say("Commitment: `{commitment}`", commitment=commitment))
        lines += [
            say("Secret: `{secret}`", secret=each.secret)
            for each in deals.boards
            if each.number == number
        ]
    items = [text("\n".join(lines))]
    if deals.boards:
        items.append(text(boards_block(deals.boards, words)))
    return Page(*items, row(_back(words)), accent=GOLD)


def _back(words: Speaker) -> Part:
    return _CONTROLS.button(Verb.CHALLENGES, words.say("My challenges"), emoji="↩️")
