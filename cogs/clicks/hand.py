"""Controls of a hand: actions of the game, choices made in several steps, hints, reactions."""

from __future__ import annotations

from dataclasses import replace

from bot.errors import Reason, Refused
from bot.ids import ChannelId
from bot.table.commands import (
    Act,
    ComeBack,
    Command,
    GiveCards,
    GoOn,
    HoldWindow,
    LeadDog,
    PassTrick,
    Pause,
    TakeBack,
    ThrowBomb,
)
from bot.table.permission import acting_seat, bombs_on
from bot.table.state import Game
from cogs.clicks.context import ClickContext
from cogs.clicks.limits import PAGE, REACTION_PAUSE_S
from cogs.clicks.registry import CONTROLS, Where, Who, control
from cogs.clicks.rights import reaches
from cogs.clicks.table_actions import act, change_hand, show_hand
from cogs.pages.controls import read_number
from cogs.pages.hand.choices import Draft
from cogs.pages.hand.exchange_choices import read_gift_cards, read_gifts
from cogs.pages.hand.hints import DO_IT_VERBS, do_it_args, hint_text
from cogs.pages.hand.play_choices import read_choice
from cogs.pages.table.reactions import (
    SentReaction,
    check_offered,
    reaction_confirmation,
    read_reaction,
)
from cogs.pages.verbs import Verb
from engine import (
    DOGS,
    MAHJONGS,
    AnswerGrand,
    AnswerWithdraw,
    Call,
    CallTichu,
    GiveTrick,
    IllegalAction,
    Pass,
    Play,
    Seat,
    read_cards,
    verify,
)
from engine import Reason as RulesReason

# --- showing the hand ----------------------------------------------------------------------------


@control(Verb.HAND, who=Who.ANYBODY, where=Where.ANYWHERE)
async def hand(ctx: ClickContext) -> None:
    """Show the user's hand."""
    await _show_own_hand(ctx)


@control(Verb.REFRESH, who=Who.ANYBODY, where=Where.ANYWHERE)
async def refresh(ctx: ClickContext) -> None:
    """Show the user's hand without the choice that they have begun, and with empty selects."""
    await _show_own_hand(ctx, Draft(select_suffix=str(ctx.interaction.id % 1000)))


async def _show_own_hand(ctx: ClickContext, draft: Draft | None = None) -> None:
    """Show the user's hand at the table of the button, or at the current table of the channel.

    The button may be old. The channel's table is shown if the button's table is over. It is also
    shown if the button's table has paused and yields its channel, unless the user sits only there.
    """
    user_id, tables = ctx.user_id, ctx.bot.tables
    table = tables.find(ctx.click.table_id)
    current = tables.in_channel(ChannelId(ctx.interaction.channel_id or 0), user_id)
    if current is not None and not reaches(ctx.interaction, current):
        current = None
    plays_here = current is not None and not current.yields and current.seat_of(user_id) is not None
    if table is None or (table.yields and (plays_here or table.seat_of(user_id) is None)):
        table = current
    if table is None:
        table = ctx.table  # raises `Refused`, because it is over or damaged
    await show_hand(ctx, table, draft)


async def _show_draft(ctx: ClickContext, game: Game, draft: Draft) -> None:
    """Show the hand with the choices that the user has made so far."""
    if draft.seat is None:
        draft = replace(draft, seat=ctx.click.seat)
    await show_hand(ctx, game, draft)


def _game_and_seat(ctx: ClickContext, *, any_revision: bool = False) -> tuple[Game, Seat]:
    """Return the current game, and the seat for which the user acts.

    Raises `Stale` if the control was made at another revision, unless `any_revision`.
    """
    revision = None if any_revision else ctx.click.revision
    return acting_seat(ctx.table, ctx.user_id, ctx.click.seat, revision)


# --- calls ---------------------------------------------------------------------------------------


@control(Verb.GRAND_ASK, who=Who.SEATED, where=Where.ANYWHERE)
async def confirm_grand(ctx: ClickContext) -> None:
    """Ask for a confirmation of a Grand Tichu, because it cannot be taken back."""
    game, seat = _game_and_seat(ctx)
    verify(game.match, AnswerGrand(seat, True))
    await _show_draft(ctx, game, Draft(confirm=Call.GRAND))


@control(Verb.GRAND, who=Who.SEATED, where=Where.ANYWHERE)
async def answer_grand(ctx: ClickContext) -> None:
    """Call a Grand Tichu, or decline to call one."""
    await act(ctx, AnswerGrand(ctx.click.seat, ctx.click.args == "yes"))


@control(Verb.WITHDRAW, who=Who.SEATED, where=Where.ANYWHERE)
async def answer_withdraw(ctx: ClickContext) -> None:
    """Withdraw one of two simultaneous calls, or keep it (N78)."""
    await act(ctx, AnswerWithdraw(ctx.click.seat, ctx.click.args == "yes"))


@control(Verb.TICHU, who=Who.SEATED, where=Where.ANYWHERE)
async def confirm_tichu(ctx: ClickContext) -> None:
    """Ask for a confirmation of a Tichu, at any revision, because it cannot be taken back."""
    game, seat = _game_and_seat(ctx, any_revision=True)
    verify(game.match, CallTichu(seat))
    await _show_draft(ctx, game, Draft(confirm=Call.TICHU))


@control(Verb.TICHU_YES, who=Who.SEATED, where=Where.ANYWHERE)
async def call_tichu(ctx: ClickContext) -> None:
    """Call a Tichu, at any revision."""
    await change_hand(ctx, Act(CallTichu(ctx.click.seat)))


# --- the exchange --------------------------------------------------------------------------------


@control(Verb.PICK, who=Who.SEATED, where=Where.ANYWHERE)
async def pick(ctx: ClickContext) -> None:
    """Pick a card to pass; the arguments are the cards picked after this click."""
    game, seat = _game_and_seat(ctx)
    gifts = game.situation(seat).current.gifts
    if not gifts:
        raise Refused(Reason.UNKNOWN_BUTTON)
    await _show_draft(ctx, game, Draft(picks=read_gifts(gifts, ctx.click.args)))


@control(Verb.GIVE, who=Who.SEATED, where=Where.ANYWHERE)
async def give(ctx: ClickContext) -> None:
    """Pass the picked cards."""
    click = ctx.click
    await change_hand(ctx, GiveCards(click.seat, read_gift_cards(click.args), click.revision))


# --- plays ---------------------------------------------------------------------------------------


@control(Verb.PLAY, who=Who.SEATED, where=Where.ANYWHERE)
async def play(ctx: ClickContext) -> None:
    """Play cards; first ask for a wish with the Mah Jong, or for a target with a Dog."""
    click = ctx.click
    cards, phoenix = read_choice(click.chosen)
    if cards & MAHJONGS:
        game, seat = _game_and_seat(ctx)
        if not cards & ~game.round.hands[seat].cards:
            await _show_draft(ctx, game, Draft(wish_for=(cards, phoenix)))
            return
    command: Command = LeadDog(click.seat, click.revision)
    if cards & ~DOGS:  # not only a Dog
        command = Act(Play(click.seat, cards, phoenix or None), click.revision)
    try:
        await change_hand(ctx, command)
    except IllegalAction as error:
        if error.code != RulesReason.DOG_TARGET:
            raise
        game, _ = _game_and_seat(ctx)
        await _show_draft(ctx, game, Draft(dog=True))


@control(Verb.CARDS, who=Who.SEATED, where=Where.ANYWHERE)
async def choose_cards(ctx: ClickContext) -> None:
    """Show the cards chosen one by one, with the name of their combination."""
    game, _ = _game_and_seat(ctx)
    await _show_draft(ctx, game, Draft(chosen=read_cards(" ".join(ctx.click.values))))


@control(Verb.WISH, who=Who.SEATED, where=Where.ANYWHERE)
async def play_and_wish(ctx: ClickContext) -> None:
    """Play the Mah Jong, and wish for a rank."""
    click = ctx.click
    choice, _, wish = click.args.partition(">")
    cards, phoenix = read_choice(choice)
    wished = None if wish == "none" else read_number(wish)
    action = Play(click.seat, cards, phoenix or None, wished)
    await act(ctx, action)


@control(Verb.DOG, who=Who.SEATED, where=Where.ANYWHERE)
async def lead_dog(ctx: ClickContext) -> None:
    """Lead the Dog to the chosen player."""
    click = ctx.click
    command = LeadDog(click.seat, click.revision, read_number(click.args))
    await change_hand(ctx, command)


@control(Verb.PASS, who=Who.SEATED, where=Where.ANYWHERE)
async def pass_turn(ctx: ClickContext) -> None:
    """Pass the turn."""
    await act(ctx, Pass(ctx.click.seat))


@control(Verb.AUTO_PASS, who=Who.SEATED, where=Where.ANYWHERE)
async def pass_trick(ctx: ClickContext) -> None:
    """Switch automatic passing on or off for the rest of a trick, at any revision."""
    switch, _, trick = ctx.click.args.partition(".")
    await change_hand(ctx, PassTrick(ctx.click.seat, switch == "on", trick))


@control(Verb.GIFT, who=Who.SEATED, where=Where.ANYWHERE)
async def give_trick(ctx: ClickContext) -> None:
    """Give the Dragon trick to an opponent."""
    await act(ctx, GiveTrick(ctx.click.seat, read_number(ctx.click.args)))


@control(Verb.TAKE_BACK, who=Who.SEATED, where=Where.ANYWHERE)
async def take_back(ctx: ClickContext) -> None:
    """Take back a choice that is not carried out yet."""
    await change_hand(ctx, TakeBack(ctx.click.seat, ctx.click.revision))


@control(Verb.GO_ON, who=Who.SEATED, where=Where.ANYWHERE)
async def go_on(ctx: ClickContext) -> None:
    """Close the bomb window, which at turn-based pace waits for this click."""
    await change_hand(ctx, GoOn(ctx.click.revision))


@control(Verb.WAIT, who=Who.SEATED, where=Where.ANYWHERE)
async def hold_window(ctx: ClickContext) -> None:
    """Hold the bomb window open."""
    await change_hand(ctx, HoldWindow(read_number(ctx.click.args)))


@control(Verb.BOMBS, who=Who.SEATED, where=Where.ANYWHERE)
async def choose_bomb(ctx: ClickContext) -> None:
    """Ask which of several bombs to throw."""
    click = ctx.click
    game, bombs = bombs_on(ctx.table, ctx.user_id, click.seat, click.args)
    await _show_draft(ctx, game, Draft(bombs=bombs))


@control(Verb.BOMB, who=Who.SEATED, where=Where.ANYWHERE)
async def throw_bomb(ctx: ClickContext) -> None:
    """Throw a bomb on a certain play, no matter who has passed since.

    A button names its bomb; with several bombs, the user chooses one in a select.
    """
    click = ctx.click
    target, _, button_choice = click.args.partition(",")
    cards, _ = read_choice(click.values[0] if click.values else button_choice)
    await change_hand(ctx, ThrowBomb(click.seat, cards, target))


@control(Verb.TURN_TO, who=Who.SEATED, where=Where.ANYWHERE)
async def turn_to(ctx: ClickContext) -> None:
    """Show the other hand of a player who decides for two seats."""
    game, seat = _game_and_seat(ctx)
    await _show_draft(ctx, game, Draft(seat=seat))


# --- hints ---------------------------------------------------------------------------------------


@control(Verb.HINT, who=Who.SEATED, where=Where.ANYWHERE, cost=PAGE)
async def show_hint(ctx: ClickContext) -> None:
    """Show an Expert's advice; cards picked for the exchange stay picked."""
    click = ctx.click
    advising = ctx.bot.tables.advise(click.table_id, ctx.user_id, click.revision, click.seat)
    game, seat, advice = await ctx.reply.read(advising)
    note = hint_text(game, seat, advice, ctx.words)
    picks = read_gifts(game.situation(seat).upcoming.gifts, click.args) or None
    await _show_draft(ctx, game, Draft(note=note, do=do_it_args(game, seat, advice), picks=picks))


@control(Verb.DO, who=Who.SEATED, where=Where.ANYWHERE)
async def follow_hint(ctx: ClickContext) -> None:
    """Follow the advice of a hint, by the handler of the button for that action."""
    verb, _, args = ctx.click.args.partition(">")
    if verb not in DO_IT_VERBS:
        raise Refused(Reason.UNKNOWN_BUTTON)
    ctx.click = replace(ctx.click, verb=verb, args=args)
    await CONTROLS[verb].handler(ctx)


# --- presence ------------------------------------------------------------------------------------


@control(Verb.BACK, who=Who.SEATED, where=Where.ANYWHERE)
async def come_back(ctx: ClickContext) -> None:
    """Come back from being away."""
    await change_hand(ctx, ComeBack(explicit=True))


@control(Verb.CONTINUE, who=Who.SEATED, where=Where.ANYWHERE)
async def continue_match(ctx: ClickContext) -> None:
    """Continue a paused match, from the list of tables."""
    await change_hand(ctx, Pause(False))


# --- reactions -----------------------------------------------------------------------------------


@control(Verb.SAY, who=Who.SEATED, where=Where.ANYWHERE)
async def offer_reactions(ctx: ClickContext) -> None:
    """Show the hand with a button for each reaction."""
    game, _ = acting_seat(ctx.table, ctx.user_id)
    await show_hand(ctx, game, Draft(offers_reactions=True))


@control(Verb.REACT, who=Who.SEATED, where=Where.ANYWHERE)
async def react(ctx: ClickContext) -> None:
    """Show a reaction at the table, at most one per `REACTION_PAUSE_S` and user."""
    game, _ = acting_seat(ctx.table, ctx.user_id)
    reaction = read_reaction(ctx.click.args)
    check_offered(game, reaction)
    if not ctx.services.limits.reactions.spend(ctx.user_id, REACTION_PAUSE_S):
        raise Refused(Reason.REACTED_JUST_NOW, seconds=REACTION_PAUSE_S)
    shown_soon = ctx.announcer.react(game, SentReaction(ctx.user_id, reaction))
    note = reaction_confirmation(reaction, ctx.words, is_delayed=not shown_soon)
    await show_hand(ctx, game, Draft(note=note))
