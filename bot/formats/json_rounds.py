"""Rounds as JSON. docs/replay.md describes the document and its version."""

from __future__ import annotations

import json
from typing import Any

from bot import __version__
from bot.formats.game import Game, deal_record, dealt_hands
from bot.history.played_round import PlayedRound
from engine import RoundResult, cards_text

FORMAT, VERSION = "tichu-rounds", 1


def write_document(game: Game) -> str:
    """Return the JSON document as text."""
    return json.dumps(document(game), ensure_ascii=False, indent=1) + "\n"


def document(game: Game) -> dict[str, Any]:
    """Return the document as Python values for `json.dumps`.

    Cards and actions are in notation, seats are counted from 0, times are in UTC.
    """
    return {
        "format": FORMAT,
        "version": VERSION,
        "program": f"tichu-bot {__version__}",
        "table": game.table,
        "variant": game.options.variant,
        "options": game.options.non_defaults(),
        **({} if game.match_rounds is None else {"matchRounds": game.match_rounds}),
        "seats": list(game.names[-1]),
        "rounds": [
            round_document(played, names)
            for played, names in zip(game.rounds, game.names, strict=True)
        ],
    }


def round_document(played: PlayedRound, names: tuple[str, ...]) -> dict[str, Any]:
    """Return one round as Python values; `names` are the players at its end, by seat."""
    dealt = played.dealt.round
    assert dealt is not None
    return {
        "number": played.number,
        "seats": list(names),
        "dealer": dealt.dealer,
        "order": list(dealt.seating.order),
        "teams": list(dealt.seating.teams),
        "deal": deal_record(played),
        "hands": [
            {"first": cards_text(first).split(), "all": cards_text(hand).split()}
            for first, hand in dealt_hands(played)
        ],
        "leftOver": cards_text(dealt.opening.left_over).split(),
        "actions": [
            {"seat": action.seat, "action": action.text, "at": action.at.isoformat()}
            for action in played.actions[1:]
        ],
        "result": _result(played.result),
    }


def _result(result: RoundResult) -> dict[str, Any]:
    return {
        "out": list(result.out),
        "calls": [
            {"seat": seat, "call": call.name.lower(), "made": made}
            for seat, call, made in result.calls
        ],
        "cards": list(result.cards),
        "score": list(result.score),
        "totals": list(result.totals),
        "sweep": result.sweep,
        "penalty": result.penalty,
    }
