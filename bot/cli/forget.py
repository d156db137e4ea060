"""`python -m bot forget USER`: erase a user who cannot use **Forget me**.

It does the same as the button. The user leaves their tables. Messages about that are posted when
the bot starts again.
"""

from __future__ import annotations

import argparse
import asyncio
import random
from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from bot.cli.console import complain, settings_and_logs, warn_of_new_database
from bot.cli.exclusive import only_process
from bot.ids import UserId

if TYPE_CHECKING:
    from bot.storage import Store
    from bot.storage.forgetting import StoredData

NAME = "forget"
HELP = "forget a person; the bot must be stopped"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the user and the option to skip the confirmation."""
    parser.add_argument(
        "user",
        metavar="USER",
        type=_discord_id,
        help="their Discord id: Developer Mode on, right-click the person, Copy User ID",
    )
    parser.add_argument("--yes", action="store_true", help="do not ask again")


def carry_out(arguments: argparse.Namespace) -> int:
    """Print what is stored of the user, ask for confirmation, and erase them.

    Raise `SettingsError`. Return the exit status: 1 if nothing is stored of the user or the
    operator does not confirm, 2 if the database is unavailable, for example because the bot runs.
    """
    from bot.rating.ledger import LEDGER
    from bot.storage import StorageError, Store, backends, instance_lock

    settings = settings_and_logs(with_token=False)
    warn_of_new_database(settings)

    async def work() -> int:
        store = await Store.open(settings.database_url, LEDGER)
        try:
            async with only_process(settings, store):
                return await _erase(
                    store, arguments.user, confirm=lambda: arguments.yes or _ask_for_confirmation()
                )
        finally:
            await store.close()

    try:
        with backends.lock(settings.database_url, NAME):
            return asyncio.run(work())
    except instance_lock.InUse as error:
        return complain(f"{error} Or they press Forget me in /tichu settings, while the bot runs.")
    except StorageError as error:
        return complain(str(error))


def _discord_id(text: str) -> UserId:
    """Return the id in an argument. Raise `argparse.ArgumentTypeError` with a sentence."""
    if not text.isdecimal() or not 0 < int(text) < 2**63:
        raise argparse.ArgumentTypeError(f"{text!r} is no Discord id: that is a long number")
    return UserId(int(text))


async def _erase(store: Store, user_id: UserId, confirm: Callable[[], bool]) -> int:
    """Erase a user if confirmed, and return the exit status. Raise `StorageError`."""
    from bot.computers.decision_scheduler import DecisionScheduler
    from bot.live.service import Tables
    from bot.runtime.clock import Clock

    stored = await store.people.known(user_id)
    if stored is None:
        return complain(f"Nothing is stored of {user_id}.", status=1)
    print(_summary(user_id, stored))
    if not confirm():
        return complain("Nothing was changed.", status=1)
    clock = Clock(_utc_now, _sleep_for_ever)
    scheduler = DecisionScheduler(_utc_now, lambda *_: None, None, random.Random())
    tables = Tables(store, clock, scheduler)
    try:
        await tables.open()
        await tables.forgetting.forget(user_id)
        await store.people.sweep()
    finally:
        tables.close()
    print("Forgotten. Backups still know them: delete those, or let them expire.")
    return 0


def _utc_now() -> datetime:
    return datetime.now(UTC)


async def _sleep_for_ever(_: float) -> None:
    """Sleep until cancelled, so that no timer fires and no computer moves meanwhile."""
    await asyncio.Event().wait()


def _summary(user_id: UserId, known: StoredData) -> str:
    """Return a sentence about what is stored of a user."""
    names = ", ".join(known.names) or "no name"
    return (
        f"{user_id} ({names}): {known.tables} tables, and {known.others} rows of settings, ratings "
        "and leaderboards. There is no way back."
    )


def _ask_for_confirmation() -> bool:
    """Ask the operator on the terminal, and return whether they confirm."""
    try:
        return input("Forget them? Type yes: ").strip().casefold() == "yes"
    except EOFError:
        return False
