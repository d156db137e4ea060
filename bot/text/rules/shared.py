"""Short rules texts shared by several games, and the titles of all topics.

Every line addresses one reader and has one point, with pictures of its cards. The aim of the game
comes first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bot.art.names import SUITS
from bot.text import Say
from bot.text.cards import Speaker
from engine import read_cards, readings

Title = Callable[[Say], str]
"""Title in the reader's language."""
Words = Callable[[Speaker], str]
"""Text or line in the reader's language, with pictures of cards."""

TITLES: Mapping[str, Title] = {
    "game": lambda say: say("The game in a minute"),
    "cards": lambda say: say("The cards"),
    "table": lambda say: say("The dealer and the Table"),
    "deal": lambda say: say("Deal and exchange"),
    "combinations": lambda say: say("Combinations"),
    "bombs": lambda say: say("Bombs and the bomb window"),
    "specials": lambda say: say("The special cards"),
    "wish": lambda say: say("The wish"),
    "decks": lambda say: say("Two decks"),
    "tichu": lambda say: say("Tichu and Grand Tichu"),
    "scoring": lambda say: say("Scoring"),
    "titles": lambda say: say("Titles and seats"),
}
"""Titles of the topics. A topic has the same title in all games."""


def lines(*texts: Words) -> Words:
    """Join several texts as a bulleted list."""
    return lambda words: "\n".join(f"- {text(words)}" for text in texts)


def under(heading: Words, *texts: Words) -> Words:
    """Return a heading with a bulleted list below it."""
    points = lines(*texts)
    return lambda words: f"{heading(words)}\n{points(words)}"


def blocks(*texts: Words) -> Words:
    """Join several texts with line breaks."""
    return lambda words: "\n".join(text(words) for text in texts)


def _shown(words: Speaker, cards: str) -> str:
    """Return the pictures of a combination in notation."""
    return words.combination_cards(readings(read_cards(cards))[0])


# --- the same in all games ---------------------------------------------------------------------


def legend(words: Speaker) -> str:
    """Return the line of all suits, each with the picture of its ace."""
    return " · ".join(
        f"{words.art.card(f'{suit}A')} {name(words)}" for suit, name in _SUITS.items()
    )


_SUITS: Mapping[str, Words] = {
    "J": lambda words: words.say("jade {sign}", sign=SUITS["J"]),
    "S": lambda words: words.say("sword {sign}", sign=SUITS["S"]),
    "P": lambda words: words.say("pagoda {sign}", sign=SUITS["P"]),
    "T": lambda words: words.say("star {sign}", sign=SUITS["T"]),
}
"""Suit in notation -> its name and its symbol in plain text."""


def suits(words: Speaker) -> str:
    """Return the line of all suits, each with its picture and its symbol in plain text (N1, N2)."""
    return words.say("Four suits, none better than another: {suits}.", suits=legend(words))


def ranks(words: Speaker) -> str:
    """Return the order of the ranks (N2)."""
    low, high = _cards(words, "S2 S3"), _cards(words, "S9 S10 SJ SQ SK SA")
    return words.say("From low to high: {low} … {high}.", low=low, high=high)


def _cards(words: Speaker, cards: str) -> str:
    """Return the pictures of single cards in notation."""
    return words.cards(read_cards(cards))


def shape(words: Speaker) -> str:
    """Return the rule on which plays beat another (N17)."""
    return words.say(
        "To beat one, play the same kind and number of cards, only higher: {high} beats {low}.",
        high=_shown(words, "T9 J9"),
        low=_shown(words, "J6 T6"),
    )


def beaten_by_bombs(words: Speaker) -> str:
    """Return the rule that bombs beat all combinations (N55)."""
    return words.say("A bomb beats them all.")


combinations = lines(
    lambda words: words.say("**Single**: any card. {cards}", cards=_shown(words, "S9")),
    lambda words: words.say("**Pair**: two of a rank. {cards}", cards=_shown(words, "J6 T6")),
    lambda words: words.say("**Three** of a rank. {cards}", cards=_shown(words, "J8 S8 T8")),
    lambda words: words.say(
        "**Stairs**: two or more pairs in a row. {cards}", cards=_shown(words, "J3 T3 S4 P4")
    ),
    lambda words: words.say(
        "**Full house**: three of a rank and a pair; the three set its rank. {cards}",
        cards=_shown(words, "S3 T3 J8 S8 P8"),
    ),
    lambda words: words.say(
        "**Straight**: five or more in a row, suits mixed. {cards}",
        cards=_shown(words, "S4 T5 J6 P7 J8"),
    ),
    lambda words: words.say(
        "In a straight the ace is only ever the highest. The Mah Jong may be the 1. {cards}",
        cards=_shown(words, "MAHJONG S2 T3 J4 P5"),
    ),
    shape,
    beaten_by_bombs,
)
"""Kinds of combinations (N13-N17)."""

_bombs = (
    lambda words: words.say(
        "**Four of a rank**, one in each suit: {cards}", cards=_shown(words, "J6 S6 P6 T6")
    ),
    lambda words: words.say(
        "**Straight flush**, five or more in a row in one suit: {cards}",
        cards=_shown(words, "S5 S6 S7 S8 S9"),
    ),
    lambda words: words.say("No special card can be part of a bomb."),
    lambda words: words.say("A bomb beats anything but a bigger bomb."),
    lambda words: words.say(
        "The bomb with more cards is bigger: a straight flush beats four of a rank. With the "
        "same number of cards, the higher rank is bigger."
    ),
    lambda words: words.say("Bomb whenever cards lie on the table, even out of turn."),
    lambda words: words.say("Nobody can bomb before a lead."),
    lambda words: words.say(
        "**Bomb window**: after each play everyone has a moment to bomb. At a turn-based table "
        "it lasts until the next person plays or ends it."
    ),
    lambda words: words.say(
        "In the window, bombs are placed face down and taken in turn order. Being faster "
        "doesn't help."
    ),
)
bombs = lines(*_bombs)
"""Definition of bombs, and their timing (N53-N61, G5)."""


mahjong = under(
    lambda words: words.say("{card} **Mah Jong**, the 1", card=words.art.card("MAHJONG")),
    lambda words: words.say("The lowest card. Whoever has it leads the first trick."),
    lambda words: words.say("When you play it, you may make a wish."),
)
"""Rules of the Mah Jong (N12, N25, N26)."""


def wish(words: Speaker) -> str:
    """Return the rule for making a wish (N26, N27, N35)."""
    return words.say(
        "Play {card}, alone or in a straight, and you may wish for a rank, 2 to A.",
        card=words.art.card("MAHJONG"),
    )


def wish_duty(words: Speaker) -> str:
    """Return the duty to meet a wish (N28, N34, N36)."""
    return words.say(
        "From then on, if you have that rank and can play it on your turn, you must – leading or "
        "following, alone or in a combination."
    )


def wish_example(words: Speaker) -> str:
    """Return an example of the duty to meet a wish (N28)."""
    return words.say(
        "Say the wish is 8 and {top} lies on the table: with {eight} in your hand you must "
        "play it.",
        top=words.art.card("S5"),
        eight=words.art.card("J8"),
    )


def wish_freedom(words: Speaker) -> str:
    """Return the exceptions from the duty to meet a wish (N29, N31)."""
    return words.say(
        "If you don't have it, or it doesn't fit, play what you like or pass. {card} doesn't count "
        "as the wished rank.",
        card=words.art.card("PHOENIX"),
    )


def wish_end(words: Speaker) -> str:
    """Return the duration of a wish (N32)."""
    return words.say("The wish stays open until someone plays that rank or the round ends.")


def wish_and_bombs(words: Speaker) -> str:
    """Return the rule that a wish does not apply to a bomb out of turn (N33)."""
    return words.say("A bomb out of turn needn't contain it.")


wishes = (wish, wish_duty, wish_example, wish_freedom, wish_end, wish_and_bombs)
"""Rules of the wish, without those of the Table and of the penalty (N26-N36)."""


def phoenix_fills(words: Speaker) -> str:
    """Return the rule for the Phoenix in a combination (N43)."""
    return words.say(
        "In a combination it is any card from 2 to A: {cards}",
        cards=_shown(words, "S5 T6 PHOENIX P8 J9"),
    )


def phoenix_alone(words: Speaker) -> str:
    """Return the rule for the Phoenix as a single card (N44)."""
    return words.say(
        "Alone it is half a rank above the card it beats: on {low} it is 8½, and {high} beats it. "
        "Led, it is 1½.",
        low=words.art.card("S8"),
        high=words.art.card("J9"),
    )


def phoenix_limits(words: Speaker) -> str:
    """Return the limits of the Phoenix (N45, N54)."""
    return words.say("It never beats the Dragon, and is never in a bomb.")


def dragon_alone(words: Speaker) -> str:
    """Return the rule that the Dragon is played alone (N48)."""
    return words.say("Always alone, never in a combination.")


# --- the same in all games with points ---------------------------------------------------------


def specials_with_dog(words: Speaker) -> str:
    """Return the special cards, each with its picture (N1)."""
    say = words.say
    return say(
        "Four special cards: {mahjong} Mah Jong · {dog} Dog · {phoenix} Phoenix · {dragon} Dragon.",
        mahjong=words.art.card("MAHJONG"),
        dog=words.art.card("DOG"),
        phoenix=words.art.card("PHOENIX"),
        dragon=words.art.card("DRAGON"),
    )


def aim(words: Speaker) -> str:
    """Return the aim of the game (N68, N71)."""
    return words.say("**Aim:** get rid of your cards early, and win tricks with points in them.")


def lead(words: Speaker) -> str:
    """Return the rule for the lead of a trick (N13)."""
    return words.say(
        "Someone leads a combination, such as a pair: {cards}", cards=_shown(words, "J6 T6")
    )


def follow(words: Speaker) -> str:
    """Return the rule for following in a trick (N17, N18)."""
    return words.say(
        "In turn, the others beat it or pass. To beat it: same kind, same number of cards, "
        "higher: {cards}",
        cards=_shown(words, "S9 J9"),
    )


def bomb(words: Speaker) -> str:
    """Return the rule that a bomb beats any other play (N55)."""
    return words.say("A bomb beats everything else: {cards}", cards=_shown(words, "J3 S3 P3 T3"))


def pass_again(words: Speaker) -> str:
    """Return the rule that a pass is not final (N19)."""
    return words.say("If you pass, you may still play later in the same trick.")


def trick(words: Speaker) -> str:
    """Return the rule for the end of a trick (N20, N21)."""
    return words.say(
        "When everyone else has passed, the last to play takes the trick and leads the next one."
    )


def lead_of_one_who_is_out(words: Speaker) -> str:
    """Return the rule for the lead if the winner of a trick is out (N22)."""
    return words.say("If they have no cards left, the next player leads.")


def phoenix_heading(words: Speaker) -> str:
    """Return the Phoenix and its points (N42)."""
    return words.say("{card} **Phoenix**, −25 points", card=words.art.card("PHOENIX"))


phoenix = under(phoenix_heading, phoenix_fills, phoenix_alone, phoenix_limits)
"""Rules of the Phoenix (N42-N45)."""

dragon = under(
    lambda words: words.say("{card} **Dragon**, +25 points", card=words.art.card("DRAGON")),
    lambda words: words.say("The highest single card. Only a bomb beats it."),
    dragon_alone,
    lambda words: words.say("If it wins a trick, you must give that trick to an opponent."),
)
"""Rules of the Dragon (N47-N49)."""


def points(words: Speaker) -> str:
    """Return the points of the cards (N68)."""
    return words.say(
        "Points: {king} 10 · {ten} 10 · {five} 5 · {dragon} 25 · {phoenix} −25. All others are "
        "worth nothing.",
        king=words.art.card("SK"),
        ten=words.art.card("S10"),
        five=words.art.card("S5"),
        dragon=words.art.card("DRAGON"),
        phoenix=words.art.card("PHOENIX"),
    )


def missed_wish(words: Speaker) -> str:
    """Return the penalty for a missed wish at tables that have it (N37, O6)."""
    return words.say(
        "At tables with the penalty, you may ignore the wish: the round then ends, with 200 "
        "for the other side."
    )


# --- the same in some games ---------------------------------------------------------------------


def to_target(words: Speaker) -> str:
    """Return the length of a match in Nanjing and Tientsin (N4)."""
    return words.say("First team to 1,000 points wins, unless the table says otherwise.")


def target_reached(words: Speaker) -> str:
    """Return the rule for winning a match in Nanjing and Tientsin (N81, N82)."""
    return words.say(
        "A team that has reached the target and is ahead after a round wins the match. After a "
        "tie, play goes on."
    )


def first_lead(words: Speaker) -> str:
    """Return the rule for the first lead, except in Trichu (N12, G21)."""
    return words.say(
        "Whoever has {card} after that leads first, with anything they like.",
        card=words.art.card("MAHJONG"),
    )


def small_tichu(words: Speaker) -> str:
    """Return the rule for Tichu in Nanjing and Tientsin (N71)."""
    return words.say("**Tichu**: +100 for your team if you're out first, −100 if not.")


def when_tichu(words: Speaker) -> str:
    """Return the times at which Tichu may be called (N72, N73, C20)."""
    return words.say(
        "Call it any time before your first card – except after you've passed your cards and "
        "before everyone else has."
    )


def own_bet(words: Speaker) -> str:
    """Return the rule that a call is a bet of one player (N74)."""
    return words.say("It's your own bet: if your partner is out before you, it's lost.")


dog = under(
    lambda words: words.say("{card} **Dog**, no points", card=words.art.card("DOG")),
    lambda words: words.say("Lead it, alone: your partner leads next."),
    lambda words: words.say("If your partner is out, the next player after them leads."),
    lambda words: words.say("It beats nothing, and nobody can bomb it."),
)
"""Rules of the Dog in games with one partner each (N38-N41)."""


def end_of_round(words: Speaker) -> str:
    """Return the rule for the end of a round with four hands (N64-N66)."""
    return words.say(
        "The round ends when only one hand has cards left. They go to the opponents, and the "
        "tricks it won go to whoever was out first."
    )


def double_victory(words: Speaker) -> str:
    """Return the rule for partners who are first and second out (N70)."""
    return words.say(
        "**Double victory**: partners out 1st and 2nd end the round at once, 200 to 0. No cards "
        "are counted."
    )


def calls_on_top(words: Speaker) -> str:
    """Return the rule for the points of calls (N75)."""
    return words.say("Tichu and Grand Tichu count on top.")
