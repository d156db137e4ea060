"""Descriptions of table pictures, for people who do not see them."""

from __future__ import annotations

import unicodedata

from bot.pictures.descriptions import Name
from bot.pictures.table.scene import NAME, Caption, Middle, Score, SeatShown, TableScene
from bot.text import Say
from bot.text.cards import Speaker
from bot.text.labels import team_emoji

LONGEST = 1000
"""Maximum length of such a text, in characters."""


def scene_text(scene: TableScene, words: Speaker, longest: int = LONGEST) -> str:
    """Describe a scene, in at most `longest` characters and the language of `words`.

    The most important sentences come first. If not all seats fit, only those with a call, a note or
    the turn are described.
    """
    say = words.say
    scene = _readable(scene)
    sentences = [*_heading(scene), *_middle(scene, say), *_turn(scene, say)]
    signed = not any(score.holder is None for score in (*scene.scores, *scene.middle.scores))
    full = " ".join([*sentences, _seats(scene.seats, say, signed=signed)])
    if len(full) <= longest:
        return full
    shown = tuple(seat for seat in scene.seats if seat.call or seat.notes or seat.mark == "turn")
    full = " ".join([*sentences, _seats(shown, say, signed=signed)] if shown else sentences)
    return full if len(full) <= longest else full[: longest - 1] + "…"


def _readable(scene: TableScene) -> TableScene:
    """Remove control characters, which would affect the text around them, from names."""
    seats = (
        seat.model_copy(update={"name": seat.name._replace(text=without_controls(seat.name))})
        for seat in scene.seats
    )
    return scene.model_copy(update={"seats": tuple(seats)})


def without_controls(name: Name) -> str:
    """Return a name without control characters, or its replacement if nothing remains."""
    kept = "".join(sign for sign in name.text if unicodedata.category(sign)[0] != "C")
    return kept.strip() or name.replacement


def _heading(scene: TableScene) -> list[str]:
    """Return the heading and the scores; above a hand there are none."""
    heading = [f"{scene.heading}."] if scene.heading else []
    if not scene.scores or scene.middle.scores:
        return heading
    return [*heading, ", ".join(_score(scene, score) for score in scene.scores) + "."]


def _score(scene: TableScene, score: Score) -> str:
    """Return the points of one side, such as “Ada & Cleo 240”."""
    if score.holder is not None:
        names = scene.seats[score.holder].name.text
    else:
        team = (seat for seat in scene.seats if seat.team == score.team)
        names = " & ".join(seat.name.text for seat in sorted(team, key=lambda seat: seat.seat))
    change = f" {score.change} →" if score.change else ""
    crown = "👑 " if score.won else ""
    return f"{crown}{names}{change} {score.total}"


def _middle(scene: TableScene, say: Say) -> list[str]:
    """Return the content of the middle."""
    middle = scene.middle
    captions = [_caption(scene, caption) for caption in middle.captions]
    if _by_name(middle):
        captions[:2] = [say.labelled(captions[1], captions[0])]
    elif any(seat.mark == "waiting" for seat in scene.seats):
        del captions[1:]  # the number of players: `_turn` has their names
    shown = captions + [note.text for note in middle.notes if note.icon != "bomb"]
    if middle.scores:
        shown.append(", ".join(_score(scene, score) for score in middle.scores))
    return list(map(_sentence, shown))


def _sentence(text: str) -> str:
    """Add a full stop unless the text ends with a sign, perhaps of an abbreviation."""
    return text if text[-1] in ".!?" else f"{text}."


def _by_name(middle: Middle) -> bool:
    """Return whether the captions are only a play and its player."""
    return len(middle.captions) > 1 and middle.captions[1].text == NAME


def _caption(scene: TableScene, caption: Caption) -> str:
    """Return a caption with its name."""
    if caption.named is None:
        return caption.text
    return caption.text.replace(NAME, scene.seats[caption.named].name.text)


def _turn(scene: TableScene, say: Say) -> list[str]:
    """Return the player on turn and the players that the table waits for."""
    on_turn = [seat.name.text for seat in scene.seats if seat.mark == "turn"]
    waiting = [seat.name.text for seat in scene.seats if seat.mark == "waiting"]
    found = []
    middle = scene.middle
    if on_turn and (_by_name(middle) or (middle.cards and len(middle.captions) == 1)):
        found.append(say("{name}'s turn.", name=on_turn[0]))
    if waiting:
        found.append(say("Waiting for {names}.", names=say.join(waiting)))
    return found


def _seats(seats: tuple[SeatShown, ...], say: Say, *, signed: bool) -> str:
    """Describe these seats; `signed` with their teams, which the points do not show then."""
    return " ".join(_sentence(_seat(seat, say, signed=signed)) for seat in seats)


def _seat(seat: SeatShown, say: Say, *, signed: bool) -> str:
    """Describe a seat, such as “Ada: 8 cards, Tichu” or “🔵 Ada: host”."""
    facts = []
    if seat.title:
        facts.append(seat.title)
    if seat.place is not None:
        facts.append(say("out in position {place}", place=say.number(seat.place)))
    elif seat.cards:
        facts.append(say.many("{n} card", "{n} cards", seat.cards))
    if seat.call is not None:
        made = {None: "", True: " ✓", False: " ✗"}[seat.call.made]
        facts.append(seat.call.text + made)
    if seat.score:
        facts.append(seat.score)
    facts += seat.notes
    sign = f"{team_emoji(seat.team)} " if signed and seat.team is not None else ""
    name = f"{sign}{seat.name.text}"
    return say.labelled(name, ", ".join(facts)) if facts else name
