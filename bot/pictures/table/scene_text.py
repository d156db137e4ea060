"""Descriptions of table pictures, for people who do not see them."""

from __future__ import annotations

from bot.pictures.descriptions import Name
from bot.pictures.table.scene import NAME, Caption, Middle, SceneSeat, Score, TableScene
from bot.text import Say
from bot.text.cards import Speaker
from bot.text.labels import team_emoji
from bot.text.people import isolated, visible

LONGEST = 1000
"""Maximum length of a description, in characters."""


def scene_text(scene: TableScene, words: Speaker, longest: int = LONGEST) -> str:
    """Describe a scene, in at most `longest` characters and the language of `words`.

    The most important sentences come first. If not all seats fit, only seats with a call, a note or
    the turn are described.
    """
    say = words.say
    scene = _with_spoken_names(scene)
    sentences = [
        *_heading_sentences(scene),
        *_middle_sentences(scene, say),
        *_turn_sentences(scene, say),
    ]
    with_teams = not any(score.holder is None for score in (*scene.scores, *scene.middle.scores))
    text = " ".join([*sentences, _seats_text(scene.seats, say, with_teams=with_teams)])
    if len(text) <= longest:
        return text
    important_seats = tuple(
        seat for seat in scene.seats if seat.call or seat.notes or seat.mark == "turn"
    )
    text = " ".join(
        [*sentences, _seats_text(important_seats, say, with_teams=with_teams)]
        if important_seats
        else sentences
    )
    return text if len(text) <= longest else text[: longest - 1] + "…"


def _with_spoken_names(scene: TableScene) -> TableScene:
    """Return a scene with its names as sentences have them."""
    seats = (
        seat.model_copy(update={"name": seat.name._replace(text=spoken(seat.name))})
        for seat in scene.seats
    )
    return scene.model_copy(update={"seats": tuple(seats)})


def spoken(name: Name) -> str:
    """Return a name for a sentence, or its replacement if nothing of it would show."""
    return isolated(visible(name.text) or name.replacement)


def _heading_sentences(scene: TableScene) -> list[str]:
    """Return the sentences about the heading and the scores.

    The table above a hand has neither of them.
    """
    heading = [f"{scene.heading}."] if scene.heading else []
    if not scene.scores or scene.middle.scores:
        return heading
    return [*heading, ", ".join(_score_text(scene, score) for score in scene.scores) + "."]


def _score_text(scene: TableScene, score: Score) -> str:
    """Return the points of a team or seat, such as “Ada & Cleo 240”."""
    if score.holder is not None:
        names = scene.seats[score.holder].name.text
    else:
        team = (seat for seat in scene.seats if seat.team == score.team)
        names = " & ".join(seat.name.text for seat in sorted(team, key=lambda seat: seat.seat))
    change = f" {score.change} →" if score.change else ""
    crown = "👑 " if score.won else ""
    return f"{crown}{names}{change} {score.total}"


def _middle_sentences(scene: TableScene, say: Say) -> list[str]:
    """Return the sentences about the middle of the table."""
    middle = scene.middle
    captions = [_caption_text(scene, caption) for caption in middle.captions]
    if _is_play_with_player(middle):
        captions[:2] = [say.labelled(captions[1], captions[0])]
    elif any(seat.mark == "waiting" for seat in scene.seats):
        del captions[1:]  # the number of missing players; `_turn_sentences` names them
    texts = captions + [note.text for note in middle.notes if note.icon != "bomb"]
    if middle.scores:
        texts.append(", ".join(_score_text(scene, score) for score in middle.scores))
    return list(map(_end_sentence, texts))


def _end_sentence(text: str) -> str:
    """Add a full stop, unless the text ends with one (or with “!” or “?”)."""
    return text if text[-1] in ".!?" else f"{text}."


def _is_play_with_player(middle: Middle) -> bool:
    """Return whether the captions begin with a play and the name of its player."""
    return len(middle.captions) > 1 and middle.captions[1].text == NAME


def _caption_text(scene: TableScene, caption: Caption) -> str:
    """Return a caption with its name filled in."""
    if caption.named is None:
        return caption.text
    return caption.text.replace(NAME, scene.seats[caption.named].name.text)


def _turn_sentences(scene: TableScene, say: Say) -> list[str]:
    """Return the sentences about the player on turn and the players that the table waits for."""
    on_turn = [seat.name.text for seat in scene.seats if seat.mark == "turn"]
    waiting = [seat.name.text for seat in scene.seats if seat.mark == "waiting"]
    sentences = []
    middle = scene.middle
    # Other captions already name the player on turn.
    if on_turn and (_is_play_with_player(middle) or (middle.cards and len(middle.captions) == 1)):
        sentences.append(say("{name}'s turn.", name=on_turn[0]))
    if waiting:
        sentences.append(say("Waiting for {names}.", names=say.join(waiting)))
    return sentences


def _seats_text(seats: tuple[SceneSeat, ...], say: Say, *, with_teams: bool) -> str:
    """Describe these seats, `with_teams` also by the emojis of their teams."""
    return " ".join(_end_sentence(_seat_text(seat, say, with_teams=with_teams)) for seat in seats)


def _seat_text(seat: SceneSeat, say: Say, *, with_teams: bool) -> str:
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
    sign = f"{team_emoji(seat.team)} " if with_teams and seat.team is not None else ""
    name = f"{sign}{seat.name.text}"
    return say.labelled(name, ", ".join(facts)) if facts else name
