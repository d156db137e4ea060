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
    Caption,
    Mark,
    Middle,
    Note,
    SceneCall,
    SceneSeat,
    Score,
    TableScene,
)
from bot.table.match_length import winners_of
from bot.table.state import Chair, Game, Lobby
from bot.text.cards import Speaker, cards_in_play_order
from bot.text.labels import title
from bot.text.options import game_title, length, round_name
from bot.text.people import person_name, visible
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

    After a round it shows the people who have played it, even if other people have their seats now.
    """
    return (
        _game_scene(state.with_round_players(), words)
        if isinstance(state, Game)
        else _lobby_scene(state, words)
    )


def replaced_names(state: Lobby | Game, words: Speaker) -> tuple[Name, ...]:
    """Return the names on the picture of this table that are replaced for lack of letters."""
    state = state.with_round_players() if isinstance(state, Game) else state
    names = (
        _name_with_replacement(chair.name, chair.seat, words)
        for chair in state.chairs
        if visible(chair.name)
    )
    return tuple(name for name in names if not can_be_written(name.text))


# --- before the first deal ------------------------------------------------------------------------


def _lobby_scene(lobby: Lobby, words: Speaker) -> TableScene:
    """Return the scene of a lobby: its game, its players and its free seats.

    The number of missing players is in the text below the picture.
    """
    say, rules, game = words.say, lobby.options.rules, lobby.options.game
    taken = [chair for chair in lobby.chairs if chair.kind != "empty"]
    free = [chair for chair in lobby.chairs if chair.kind == "empty"]
    needed = max(0, game.people.start - len(taken))
    visible_chairs = list(lobby.chairs)
    if len(game.people) > 1:
        # The number of players varies. Show a free chair, even if there are enough players.
        visible_chairs = taken + free[: max(needed, 1)]
    seats = [_lobby_seat(lobby, chair, words) for chair in visible_chairs]
    if game.seat_count(rules) > game.chair_count(rules):
        # The Table is opposite the dealer; the picture shows the first seat as the dealer.
        seats.insert(2, _trichu_table_seat(len(seats), words))
    options = lobby.options
    match_length = [length(options, say)] if options.target is not None or options.rounds else []
    return TableScene(
        language=say.language,
        clockwise=rules.clockwise,
        heading=" · ".join([game_title(say, rules.variant), *match_length]),
        seats=tuple(seats),
        middle=Middle(cards=_special_cards(game.deck(rules))),
    )


def _lobby_seat(lobby: Lobby, chair: Chair, words: Speaker) -> SceneSeat:
    """Return a chair of a lobby as a seat of the scene."""
    say, teams = words.say, lobby.options.teams
    name = chair.name if chair.kind != "empty" else say("free")
    host = chair.user_id is not None and chair.user_id == lobby.host_id
    return SceneSeat(
        seat=chair.seat,
        name=_name_with_replacement(name, chair.seat, words),
        sitter="nobody" if chair.kind == "empty" else chair.kind,
        team=next((team for team, seats in enumerate(teams) if chair.seat in seats), None),
        notes=(say("host"),) if host else (),
    )


def _special_cards(deck: tuple[Card, ...]) -> tuple[str, ...]:
    """Return the special cards of the game, which decorate the table in a lobby."""
    return tuple(_card_name(card) for card in deck if card in SPECIALS)


def _trichu_table_seat(seat: Seat, words: Speaker) -> SceneSeat:
    """Return the seat of the Table, the imaginary player of Trichu, for a lobby."""
    return SceneSeat(
        seat=seat, name=_name_with_replacement(words.say("The Table"), seat, words), sitter="table"
    )


# --- a match --------------------------------------------------------------------------------------


def _game_scene(state: Game, words: Speaker) -> TableScene:
    """Return the scene of a match."""
    view, say, winners = state.views.public, words.say, winners_of(state.match)
    order = _seats_from_bottom(state, view)
    scores = tuple(
        Score(team=column, total=say.number(total), won=column in winners)
        for column, total in enumerate(view.totals)
    )
    return TableScene(
        language=say.language,
        clockwise=view.options.clockwise,
        heading=_heading(state, view, words),
        scores=scores if view.variant.fixed_partners else (),
        seats=tuple(_match_seat(state, view, seat, words) for seat in order),
        middle=_match_middle(state, view, order, words),
    )


def _seats_from_bottom(state: Game, view: View) -> tuple[Seat, ...]:
    """Return the seats in turn order, beginning with the one at the bottom of the picture.

    A person who plays alone with computers is at the bottom. In Trichu it is the dealer, so that
    the Table, whose cards need space, is opposite. If ranks decide the seating, it is the highest
    rank of this round. Otherwise it is seat 0, so people keep their places from round to round.
    """
    order = view.seating.order
    if state.alone:
        (first,) = (chair.seat for chair in state.people())
    elif view.variant.dealer_opposes_all:
        first = view.dealer
    elif view.variant.ranked and view.number > 1:
        first = order[-1]
    else:
        first = 0
    return (first, *view.seating.after(first)[:-1])


def _heading(state: Game, view: View, words: Speaker) -> str:
    """Return the number of the round and the length of the match."""
    say, options = words.say, state.options
    parts = [round_name(options, view.number, say)]
    if state.last_round:
        parts.append(say("last round"))
    elif not options.rounds:
        parts.append(length(options, say))
    return " · ".join(parts)


def _match_seat(state: Game, view: View, seat: Seat, words: Speaker) -> SceneSeat:
    """Return a seat of a match as a seat of the scene."""
    say = words.say
    public: SeatView = view.seats[seat]
    is_table = seat >= len(state.chairs)  # Trichu's Table, which has no chair
    teams = view.seating.teams
    notes = []
    if state.away(seat) and not is_table:
        # Translators: a badge in a picture, as short as “away”: of twelve players it is cut soon
        notes.append(say.sense("in a picture", "away"))
    mark = _mark(state, view, public)
    if view.variant.dealer_opposes_all and seat == view.dealer:
        notes.append(say("plays for the Table") if mark == "plays" else say("dealer"))
    hand = dict(view.hands).get(seat)
    return SceneSeat(
        seat=seat,
        name=_name_with_replacement(
            say("The Table") if is_table else _player_name(state.chairs[seat], words), seat, words
        ),
        sitter="table" if is_table else "computer" if _is_computer(state, seat) else "person",
        team=teams[seat] if set(teams) == {0, 1} else None,
        title=title(say, view.hierarchy.index(seat), len(view.hierarchy)) if view.hierarchy else "",
        badge=_badge(state, view, seat),
        cards=public.cards,
        open_cards=tuple(map(_card_name, sorted(indices(hand.cards), key=sort_key)))
        if hand
        else (),
        call=_seat_call(view, seat, words),
        score=say("{points} pts", points=say.number(view.totals[seat]))
        if view.totals and not view.variant.fixed_partners and view.phase not in OVER
        else "",
        place=public.place,
        mark=mark,
        word=say.sense("has passed", "pass") if mark == "passed" else "",
        notes=tuple(notes),
    )


def _is_computer(state: Game, seat: Seat) -> bool:
    """Return whether a seat is a computer's own, not one where it plays for an absent person."""
    return state.chairs[seat].kind == "computer"


def _badge(state: Game, view: View, seat: Seat) -> Badge:
    """Return the badge of a seat: crown for a winner or the highest rank, broom for the lowest.

    Other seats have none.
    """
    winners = winners_of(state.match)
    if winners and state.match.variant.column(state.round, seat) in winners:
        return "crown"
    if not view.hierarchy:
        return ""
    return {view.hierarchy[0]: "crown", view.hierarchy[-1]: "broom"}.get(seat, "")  # type: ignore[return-value]


def _seat_call(view: View, seat: Seat, words: Speaker) -> SceneCall | None:
    """Return the call of a seat and its outcome."""
    call = view.seats[seat].call
    if call is None:
        return None
    made = None if not view.out else view.out[0] == seat
    if view.phase in OVER:
        made = (seat, call, True) in view.results[-1].calls
    return SceneCall(text=words.call(call), grand=call is Call.GRAND, made=made)


def _mark(state: Game, view: View, public: SeatView) -> Mark:
    """Return the expected action of a seat.

    The winner of a trick has no mark, unless they must give the trick away. So the picture does not
    change when the last chance to bomb the trick has passed.
    """
    if public.waited_for:
        return "waiting"
    if view.phase is Phase.GRAND:
        return "ready" if view.variant.may_call_grand(view.seating, public.seat) else ""
    if view.phase is Phase.EXCHANGE:
        return "ready" if view.variant.receivers(view, public.seat) else ""
    is_asked = view.phase in PLAY_PHASES and (view.phase is not Phase.CLOSING or state.gift_due)
    if is_asked and public.seat == view.turn:
        return "turn"
    table_is_on_turn = view.turn >= len(state.chairs)
    if is_asked and table_is_on_turn and public.seat == view.dealer:
        return "plays"
    return "passed" if public.seat in _seats_that_passed(view) and public.cards else ""


def _seats_that_passed(view: View) -> set[Seat]:
    """Return the seats that have passed since the last play."""
    passed: set[Seat] = set()
    for step in reversed(view.trick):
        if step.combination is not None:
            break
        passed.add(step.seat)
    return passed


def _player_name(chair: Chair, words: Speaker) -> str:
    """Return the name of the player on a chair."""
    if chair.kind == "person":
        return person_name(words.say, chair.name, chair.user_id, chair.seat)
    return chair.name


def _name_with_replacement(name: str, seat: Seat, words: Speaker) -> Name:
    """Return a name, with the number of the seat as its replacement."""
    return Name(name, words.say("Player {number}", number=seat + 1))


def _card_name(card: Card) -> str:
    """Return a card in notation, without the number of its copy."""
    return face(card_text(card))


# --- the middle -----------------------------------------------------------------------------------


def _match_middle(state: Game, view: View, order: tuple[Seat, ...], words: Speaker) -> Middle:
    """Return the content of the middle of the table in a match."""
    say = words.say
    if view.phase is Phase.GRAND:
        return _opening_middle(say("Grand Tichu?"), state, view, words)
    if view.phase is Phase.EXCHANGE:
        return _opening_middle(say("Cards are being passed"), state, view, words)
    if view.phase in OVER:
        return _result_middle(state, view, order, words)
    if view.top is None:
        caption = Caption(text=say("{name} leads", name=NAME), named=order.index(view.turn))
        return Middle(captions=(caption,), notes=_trick_notes(state, view, words))
    plays = [step for step in view.trick if step.combination is not None]
    captions = [Caption(text=words.combination(view.top))]
    player = order.index(view.top_seat)
    if view.phase in (Phase.CLOSING, Phase.GIFT) and state.gift_due:
        text = say("{name} gives the trick away", name=NAME)
        captions.append(Caption(text=text, named=player))
    elif view.phase is Phase.CLOSING:
        captions.append(Caption(text=say("{name} takes the trick", name=NAME), named=player))
    else:
        captions.append(Caption(text=NAME, named=player))
    return Middle(
        cards=_play_cards(plays[-1]),
        before=_play_cards(plays[-2]) if len(plays) > 1 else (),
        captions=tuple(captions),
        notes=_trick_notes(state, view, words),
    )


def _opening_middle(text: str, state: Game, view: View, words: Speaker) -> Middle:
    """Return the middle before the first lead.

    It has the current question (`text`) and the number of players who still have to answer.
    """
    missing = sum(public.waited_for for public in view.seats)
    captions = [Caption(text=text)]
    if missing:
        waiting = words.say.many("Waiting for {n} player", "Waiting for {n} players", missing)
        captions.append(Caption(text=waiting))
    return Middle(captions=tuple(captions), notes=_pause_note(state, words))


def _pause_note(state: Game, words: Speaker) -> tuple[Note, ...]:
    """Return the note about a pause, if the table is paused within a round."""
    if not (state.running and state.timers.paused):
        return ()
    return (Note(icon="paused", text=words.say("Paused")),)


def _trick_notes(state: Game, view: View, words: Speaker) -> tuple[Note, ...]:
    """Return the notes about a bomb, the points in the trick, the wish, and a pause.

    There is no note about the bomb window, because such a note would change the picture when the
    window ends, so that each play would cost two requests instead of one.
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
    return (*notes, *_pause_note(state, words))


def _play_cards(step: TrickStep) -> tuple[str, ...]:
    """Return the cards of a play in display order."""
    assert step.combination is not None
    return tuple(map(_card_name, cards_in_play_order(step.combination)))


def _result_middle(state: Game, view: View, order: tuple[Seat, ...], words: Speaker) -> Middle:
    """Return the middle after a round or match: the result, and the points."""
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
            won=column in winners_of(state.match),
        )
        for column, total in enumerate(view.totals)
    )
    return Middle(captions=tuple(captions), scores=scores)
