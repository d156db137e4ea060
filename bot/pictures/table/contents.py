"""Computes the scene of a table from public information.

A scene is made from the view of a spectator, so it cannot show a hidden card.
"""

from __future__ import annotations

from bot.art.names import face
from bot.pictures.descriptions import Name
from bot.pictures.letters import can_be_written
from bot.pictures.table.scene import (
    NAME,
    Badge,
    CallShown,
    Caption,
    Mark,
    Middle,
    Note,
    Score,
    SeatShown,
    TableScene,
)
from bot.table.state import Chair, Game, Lobby
from bot.text.cards import Speaker, as_laid
from bot.text.labels import person_name, title
from bot.text.options import game_title, length, round_name
from engine import (
    PLAY_PHASES,
    SPECIALS,
    Call,
    Card,
    Phase,
    Seat,
    SeatView,
    TrickStep,
    View,
    card_text,
    indices,
    rank_text,
    sort_key,
)

OVER = (Phase.ROUND_END, Phase.MATCH_END)
"""Phases in which a round has a result."""


def table_scene(state: Lobby | Game, words: Speaker) -> TableScene:
    """Return the scene of a lobby or of a game, in the language of `words`.

    The result of a round is that of its players, even if others sit there now.
    """
    return (
        _game(state.with_round_players(), words)
        if isinstance(state, Game)
        else _lobby(state, words)
    )


def replaced_names(state: Lobby | Game, words: Speaker) -> tuple[Name, ...]:
    """Return the names on the picture of this table that cannot be written there."""
    state = state.with_round_players() if isinstance(state, Game) else state
    names = (_name(chair.name, chair.seat, words) for chair in state.chairs if chair.name)
    return tuple(name for name in names if not can_be_written(name.text))


# --- before the first deal ------------------------------------------------------------------------


def _lobby(lobby: Lobby, words: Speaker) -> TableScene:
    """Return the scene of a lobby: its game, its players and its free seats.

    The number of missing players is in the text below the picture.
    """
    say, rules, game = words.say, lobby.options.rules, lobby.options.game
    taken = [chair for chair in lobby.chairs if chair.kind != "empty"]
    free = [chair for chair in lobby.chairs if chair.kind == "empty"]
    needed = max(0, game.people.start - len(taken))
    shown = list(lobby.chairs)
    if len(game.people) > 1:
        # A match does not need all chairs, so show one for the next player.
        shown = taken + free[: max(needed, 1)]
    seats = [_chair(lobby, chair, words) for chair in shown]
    if game.seat_count(rules) > game.chair_count(rules):
        # Opposite the first seat, as in a match that this seat deals.
        seats.insert(2, _the_table(len(seats), words))
    goal = [length(rules, say)] if rules.target is not None or rules.rounds else []
    return TableScene(
        language=say.language,
        clockwise=rules.clockwise,
        heading=" · ".join([game_title(say, rules.variant), *goal]),
        seats=tuple(seats),
        middle=Middle(cards=_special_cards(game.deck(rules))),
    )


def _chair(lobby: Lobby, chair: Chair, words: Speaker) -> SeatShown:
    """Return one chair of a lobby."""
    say, teams = words.say, lobby.options.teams
    name = chair.name if chair.kind != "empty" else say("free")
    host = chair.user_id is not None and chair.user_id == lobby.host_id
    return SeatShown(
        seat=chair.seat,
        name=_name(name, chair.seat, words),
        sitter="nobody" if chair.kind == "empty" else chair.kind,
        team=next((team for team, seats in enumerate(teams) if chair.seat in seats), None),
        notes=(say("host"),) if host else (),
    )


def _special_cards(deck: tuple[Card, ...]) -> tuple[str, ...]:
    """Return the special cards of the game, the decoration of an empty table."""
    return tuple(_face(card) for card in deck if card in SPECIALS)


def _the_table(seat: Seat, words: Speaker) -> SeatShown:
    """Return the imaginary player in a lobby of Trichu."""
    return SeatShown(seat=seat, name=_name(words.say("The Table"), seat, words), sitter="table")


# --- a match --------------------------------------------------------------------------------------


def _game(state: Game, words: Speaker) -> TableScene:
    """Return the scene of a match."""
    view, say = state.views.public, words.say
    order = _places(view)
    scores = tuple(
        Score(team=column, total=say.number(total), won=column in view.winners)
        for column, total in enumerate(view.totals)
    )
    return TableScene(
        language=say.language,
        clockwise=view.options.clockwise,
        heading=_heading(state, view, words),
        scores=scores if view.variant.fixed_partners else (),
        seats=tuple(_seat(state, view, seat, words) for seat in order),
        middle=_middle(state, view, order, words),
    )


def _places(view: View) -> tuple[Seat, ...]:
    """Return the seats in turn order, from the one at the bottom of the picture on.

    People keep their places from round to round, unless ranks decide the seating. Then the highest
    rank of this round is at the bottom. In Trichu the dealer is at the bottom, so that the Table,
    whose cards need space, is always opposite.
    """
    order = view.seating.order
    if view.variant.ranked and view.number > 1:
        first = order[-1]
    elif view.variant.dealer_opposes_all:
        first = view.dealer
    else:
        first = 0
    return (first, *view.seating.after(first)[:-1])


def _heading(state: Game, view: View, words: Speaker) -> str:
    """Return the number of the round and the length of the match."""
    say, options = words.say, view.options
    parts = [round_name(options, view.number, say)]
    if state.last_round:
        parts.append(say("last round"))
    elif not options.rounds:
        parts.append(length(options, say))
    return " · ".join(parts)


def _seat(state: Game, view: View, seat: Seat, words: Speaker) -> SeatShown:
    """Return one seat of a match."""
    say = words.say
    public: SeatView = view.seats[seat]
    table = seat >= len(state.chairs)
    teams = view.seating.teams
    notes = []
    if state.away(seat) and not table:
        # Translators: a badge in a picture, as short as “away”: of twelve players it is cut soon
        notes.append(say.sense("in a picture", "away"))
    mark = _mark(state, view, public)
    if view.variant.dealer_opposes_all and seat == view.dealer:
        notes.append(say("plays for the Table") if mark == "plays" else say("dealer"))
    hand = dict(view.hands).get(seat)
    return SeatShown(
        seat=seat,
        name=_name(say("The Table") if table else _called(state.chairs[seat], words), seat, words),
        sitter="table" if table else "computer" if _computer(state, seat) else "person",
        team=teams[seat] if set(teams) == {0, 1} else None,
        title=title(say, view.hierarchy.index(seat), len(view.hierarchy)) if view.hierarchy else "",
        badge=_badge(state, view, seat),
        cards=public.cards,
        open_cards=tuple(map(_face, sorted(indices(hand.cards), key=sort_key))) if hand else (),
        call=_call(view, seat, words),
        score=say("{points} pts", points=say.number(view.totals[seat]))
        if view.totals and not view.variant.fixed_partners and view.phase not in OVER
        else "",
        place=public.place,
        mark=mark,
        word=say.sense("has passed", "pass") if mark == "passed" else "",
        notes=tuple(notes),
    )


def _computer(state: Game, seat: Seat) -> bool:
    """Return whether a computer owns the seat; a stand-in for a person does not count."""
    return state.chairs[seat].kind == "computer"


def _badge(state: Game, view: View, seat: Seat) -> Badge:
    """Return the sign of a winner, or of the highest or lowest rank."""
    if view.winners and state.match.variant.column(state.round, seat) in view.winners:
        return "crown"
    if not view.hierarchy:
        return ""
    return {view.hierarchy[0]: "crown", view.hierarchy[-1]: "broom"}.get(seat, "")  # type: ignore[return-value]


def _call(view: View, seat: Seat, words: Speaker) -> CallShown | None:
    """Return the call of a seat and its outcome."""
    call = view.seats[seat].call
    if call is None:
        return None
    made = None if not view.out else view.out[0] == seat
    if view.phase in OVER:
        made = (seat, call, True) in view.results[-1].calls
    return CallShown(text=words.call(call), grand=call is Call.GRAND, made=made)


def _mark(state: Game, view: View, public: SeatView) -> Mark:
    """Return the expected action of a seat.

    The winner of a trick has none unless they must give it away. So the picture is the same before
    and after the last chance to throw a bomb.
    """
    if public.waited_for:
        return "waiting"
    if view.phase is Phase.GRAND:
        return "ready" if view.variant.may_call_grand(view.seating, public.seat) else ""
    if view.phase is Phase.EXCHANGE:
        return "ready" if view.variant.receivers(view, public.seat) else ""
    asked = view.phase in PLAY_PHASES and (view.phase is not Phase.CLOSING or state.gift_due)
    if asked and public.seat == view.turn:
        return "turn"
    if asked and public.seat == view.dealer and view.turn >= len(state.chairs):
        return "plays"
    return "passed" if public.seat in _passed(view) and public.cards else ""


def _passed(view: View) -> set[Seat]:
    """Return the seats that have passed since the last play."""
    passed: set[Seat] = set()
    for step in reversed(view.trick):
        if step.combination is not None:
            break
        passed.add(step.seat)
    return passed


def _called(chair: Chair, words: Speaker) -> str:
    """Return the name of the player on a chair."""
    if chair.kind == "person":
        return person_name(words.say, chair.name, chair.user_id)
    return chair.name


def _name(name: str, seat: Seat, words: Speaker) -> Name:
    """Return a name, with a replacement if its letters cannot be written."""
    return Name(name, words.say("Player {number}", number=seat + 1))


def _face(card: Card) -> str:
    """Return a card in notation, without the number of its copy."""
    return face(card_text(card))


# --- the middle -----------------------------------------------------------------------------------


def _middle(state: Game, view: View, order: tuple[Seat, ...], words: Speaker) -> Middle:
    """Return the content of the middle of the table."""
    say = words.say
    if view.phase is Phase.GRAND:
        return _opening(say("Grand Tichu?"), state, view, words)
    if view.phase is Phase.EXCHANGE:
        return _opening(say("Cards are being passed"), state, view, words)
    if view.phase in OVER:
        return _result(state, view, order, words)
    if view.top is None:
        leads = Caption(text=say("{name} leads", name=NAME), named=order.index(view.turn))
        return Middle(captions=(leads,), notes=_notes(state, view, words))
    laid = [step for step in view.trick if step.combination is not None]
    captions = [Caption(text=words.combination(view.top))]
    by = order.index(view.top_seat)
    if view.phase in (Phase.CLOSING, Phase.GIFT) and state.gift_due:
        text = say("{name} gives the trick away", name=NAME)
        captions.append(Caption(text=text, named=by))
    elif view.phase is Phase.CLOSING:
        captions.append(Caption(text=say("{name} takes the trick", name=NAME), named=by))
    else:
        captions.append(Caption(text=NAME, named=by))
    return Middle(
        cards=_faces(laid[-1]),
        before=_faces(laid[-2]) if len(laid) > 1 else (),
        captions=tuple(captions),
        notes=_notes(state, view, words),
    )


def _opening(text: str, state: Game, view: View, words: Speaker) -> Middle:
    """Return the current question before the first lead, and the number of open answers."""
    waited = sum(public.waited_for for public in view.seats)
    captions = [Caption(text=text)]
    if waited:
        waiting = words.say.many("Waiting for {n} player", "Waiting for {n} players", waited)
        captions.append(Caption(text=waiting))
    return Middle(captions=tuple(captions), notes=_paused(state, words))


def _paused(state: Game, words: Speaker) -> tuple[Note, ...]:
    """Return the note that the table is paused within a round, if so."""
    if not (state.running and state.timers.paused):
        return ()
    return (Note(icon="paused", text=words.say("Paused")),)


def _notes(state: Game, view: View, words: Speaker) -> tuple[Note, ...]:
    """Return the notes about a bomb, points in the trick, the wish, and a pause.

    There is none about the bomb window: its end would change the picture, and each play would cost
    two requests instead of one.
    """
    say = words.say
    notes = []
    if view.top is not None and view.top.is_bomb:
        notes.append(Note(icon="bomb", text=say("Bomb!")))
    if view.trick_points:
        text = say.many("{n} point", "{n} points", view.trick_points)
        notes.append(Note(icon="", text=text))
    if view.wish is not None:
        rank = words.rank(view.wish) or rank_text(view.wish)
        notes.append(Note(icon="wish", text=say("Wish: {rank}", rank=rank)))
    return (*notes, *_paused(state, words))


def _faces(step: TrickStep) -> tuple[str, ...]:
    """Return the cards of a play in display order."""
    assert step.combination is not None
    return tuple(map(_face, as_laid(step.combination)))


def _result(state: Game, view: View, order: tuple[Seat, ...], words: Speaker) -> Middle:
    """Return the result of a round, or of the match."""
    say = words.say
    result = view.results[-1]
    if view.phase is Phase.MATCH_END:
        captions = [Caption(text=say("The match is over"))]
    else:
        captions = [Caption(text=say("Round {number} is over", number=view.number))]
    if view.hierarchy:
        text = say("{name} is the Great Lord", name=NAME)
        captions.append(Caption(text=text, named=order.index(view.hierarchy[0])))
    if result.sweep:
        victories = {2: say("Double victory!"), 3: say("Triple victory!")}
        captions.append(Caption(text=victories[view.variant.sweep_size]))
    teams = view.variant.fixed_partners
    scores = tuple(
        Score(
            team=column if teams else view.seating.teams[column],
            holder=None if teams else order.index(column),
            change=say.signed(result.score[column]),
            total=say.number(total),
            won=column in view.winners,
        )
        for column, total in enumerate(view.totals)
    )
    return Middle(captions=tuple(captions), scores=scores)
