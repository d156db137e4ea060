"""Texts of the rules in short that several games share, and the titles of all topics.

Every line speaks to one person and says one thing; the aim comes first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bot.art.names import SUITS
from bot.text import Say
from bot.text.cards import Speaker
from engine import read_cards, readings

Title = Callable[[Say], str]
"""A title in the reader's language."""
Words = Callable[[Speaker], str]
"""A text, or one line of it, in the reader's language, with pictures of cards."""

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
"""The title of every topic. A topic has the same title in all games that have it."""


def lines(*texts: Words) -> Words:
    """One text made of several, each a point of a list."""
    return lambda words: "\n".join(f"- {text(words)}" for text in texts)


def _shown(words: Speaker, cards: str) -> str:
    """The pictures of a combination in notation."""
    return words.laid(readings(read_cards(cards))[0])


# --- the same in all games ---------------------------------------------------------------------


def suits(words: Speaker) -> str:
    """The suits, each with its picture and its sign in plain text (N1, N2)."""
    say = words.say
    names = {
        "J": say("jade {sign}", sign=SUITS["J"]),
        "S": say("sword {sign}", sign=SUITS["S"]),
        "P": say("pagoda {sign}", sign=SUITS["P"]),
        "T": say("star {sign}", sign=SUITS["T"]),
    }
    legend = " · ".join(f"{words.art.card(f'{suit}A')} {name}" for suit, name in names.items())
    return say("Four suits, none better than another: {suits}.", suits=legend)


def ranks(words: Speaker) -> str:
    """The order of the ranks (N2)."""
    return words.say("Ranks from low to high: 2 to 10, J, Q, K, A.")


def shape(words: Speaker) -> str:
    """How to beat what lies on the table (N17)."""
    return words.say(
        "To beat one, play the same kind with the same number of cards, only higher. A bomb beats "
        "them all."
    )


combinations = lines(
    lambda words: words.say("**Single**: any card. {cards}", cards=_shown(words, "S9")),
    lambda words: words.say("**Pair**: two of a rank. {cards}", cards=_shown(words, "J6 T6")),
    lambda words: words.say("**Three** of a rank. {cards}", cards=_shown(words, "J8 S8 T8")),
    lambda words: words.say(
        "**Stairs**: pairs in a row. {cards}", cards=_shown(words, "J3 T3 S4 P4")
    ),
    lambda words: words.say(
        "**Full house**: three and a pair. The three counts. {cards}",
        cards=_shown(words, "S3 T3 J8 S8 P8"),
    ),
    lambda words: words.say(
        "**Straight**: five or more in a row. The ace is only ever the highest; the Mah Jong may "
        "be the 1. {cards}",
        cards=_shown(words, "MAHJONG S2 T3 J4 P5"),
    ),
    shape,
)
"""The shapes (N13-N17)."""

bombs = lines(
    lambda words: words.say(
        "A bomb is **four of a rank**, one in each suit ({four}), or a **straight flush**: five or "
        "more in a row in one suit ({flush}).",
        four=_shown(words, "J6 S6 P6 T6"),
        flush=_shown(words, "S5 S6 S7 S8 S9"),
    ),
    lambda words: words.say("No special card can be part of it."),
    lambda words: words.say(
        "It beats anything but a bigger bomb: more cards beat fewer, then the higher rank wins."
    ),
    lambda words: words.say(
        "You may bomb at any time while cards lie on the table, even out of turn."
    ),
    lambda words: words.say(
        "**Bomb window**: after each play everyone has a moment to bomb. Bombs are placed face "
        "down and taken in turn order, so being faster gives no edge."
    ),
)
"""What a bomb is and when it may be played (N53-N61, G5)."""


def mahjong(words: Speaker) -> str:
    """The Mah Jong (N12, N25, N26)."""
    return words.say(
        "{card} **Mah Jong** (1): the lowest card. It begins the first trick and lets you make a "
        "wish.",
        card=words.art.card("MAHJONG"),
    )


def wish(words: Speaker) -> str:
    """How a wish is made (N26, N27, N35)."""
    return words.say(
        "Play the Mah Jong {card}, alone or in a straight, and you may wish for a rank, 2 to A.",
        card=words.art.card("MAHJONG"),
    )


def wish_duty(words: Speaker) -> str:
    """Whom a wish binds (N28-N31, N36)."""
    return words.say(
        "From then on, if you hold that rank and can play it on your turn, you must – whether you "
        "lead or follow. The Phoenix doesn't count as one."
    )


def wish_end(words: Speaker) -> str:
    """How long a wish lasts (N32, N33)."""
    return words.say(
        "The wish stays open until someone plays that rank or the round ends. A bomb out of turn "
        "need not contain it."
    )


# --- the same in all games with points ---------------------------------------------------------


def specials_with_dog(words: Speaker) -> str:
    """The special cards, each with its picture (N1)."""
    say = words.say
    return say(
        "Four special cards: {mahjong} Mah Jong · {dog} Dog · {phoenix} Phoenix · {dragon} Dragon.",
        mahjong=words.art.card("MAHJONG"),
        dog=words.art.card("DOG"),
        phoenix=words.art.card("PHOENIX"),
        dragon=words.art.card("DRAGON"),
    )


def aim(words: Speaker) -> str:
    """What one plays for (N68, N71)."""
    return words.say("**Aim:** get rid of your cards early, and win tricks with points in them.")


def follow(words: Speaker) -> str:
    """How a trick goes on (N17-N20)."""
    return words.say(
        "Someone leads a combination. In turn, you beat it (same kind, same number of cards, "
        "higher), bomb it or pass. You may play again later in the same trick after passing."
    )


def trick(words: Speaker) -> str:
    """How a trick ends (N20-N22)."""
    return words.say(
        "When everyone else has passed, the last to play takes the trick and leads the next one. "
        "If they have no cards left, the next player leads."
    )


def phoenix(words: Speaker) -> str:
    """The Phoenix (N42-N45)."""
    return words.say(
        "{card} **Phoenix** (−25): any card from 2 to A in a combination, but never in a bomb. "
        "Alone it is half a rank above the card it beats, or 1½ when led. It never beats the "
        "Dragon.",
        card=words.art.card("PHOENIX"),
    )


def dragon(words: Speaker) -> str:
    """The Dragon (N47-N49)."""
    return words.say(
        "{card} **Dragon** (+25): the highest single card. Only a bomb beats it. If it wins a "
        "trick, you must give that trick to an opponent.",
        card=words.art.card("DRAGON"),
    )


def points(words: Speaker) -> str:
    """What the cards count (N68)."""
    return words.say("Kings and tens count 10, fives 5, the Dragon 25, the Phoenix −25.")


def missed_wish(words: Speaker) -> str:
    """What a missed wish costs where it is not refused (N37, O6)."""
    return words.say(
        "At tables with the penalty, you may miss the wish: the round ends, with 200 for the "
        "other side."
    )


# --- the same in some games ---------------------------------------------------------------------


def to_target(words: Speaker) -> str:
    """How long a match lasts in Nanjing and Tientsin (N4)."""
    return words.say("First team to 1000 points wins, unless the table says otherwise.")


def target_reached(words: Speaker) -> str:
    """Who wins a match in Nanjing and Tientsin (N81, N82)."""
    return words.say(
        "A team that is at the target and ahead after a round wins the match. A tie is played on."
    )


def first_lead(words: Speaker) -> str:
    """Who begins, except in Trichu (N12, G21)."""
    return words.say("Whoever then holds the Mah Jong leads first, with anything.")


def small_tichu(words: Speaker) -> str:
    """Tichu in Nanjing and Tientsin (N71-N73, C20)."""
    return words.say(
        "**Tichu**: +100 for your team if you're out first, −100 if not. Call it any time before "
        "your first card – except while you've passed your cards and others haven't."
    )


def own_bet(words: Speaker) -> str:
    """Whose a call is (N74)."""
    return words.say("It's your own bet: if your partner is out before you, it's lost.")


def dog(words: Speaker) -> str:
    """The Dog where everybody has one partner (N38-N41)."""
    return words.say(
        "{card} **Dog**: lead it alone to hand the lead to your partner, or to the next player "
        "after them if they're out. It can't be bombed.",
        card=words.art.card("DOG"),
    )


def end_of_round(words: Speaker) -> str:
    """The end of a round with four hands (N64-N66)."""
    return words.say(
        "The round ends when only one hand has cards left. They go to the opponents, and the "
        "tricks it won go to whoever was out first."
    )


def double_victory(words: Speaker) -> str:
    """The end of a round by partners who are first and second out (N70)."""
    return words.say(
        "**Double victory**: partners out 1st and 2nd end the round at once, 200 to 0. No cards "
        "are counted."
    )


def calls_on_top(words: Speaker) -> str:
    """When calls are settled (N75)."""
    return words.say("Tichu and Grand Tichu count on top.")
