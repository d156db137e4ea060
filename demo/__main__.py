"""`python -m demo`: runs the real bot in a simulated Discord, on a page in the browser."""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import signal
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from simcord import ChannelHandle, Env, MemberActor

    from demo.serve import Bot, Sleep

LOCALES = {
    "en": "en-GB",
    "de": "de",
    "fr": "fr",
    "it": "it",
    "es": "es-ES",
    "pt-BR": "pt-BR",
    "uk": "uk",
}
"""Languages of the demo, with Discord's code for each."""


def main() -> int:
    """Serve the demo until it is ended. Returns the exit status."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # ends like Ctrl-C, at any moment
    arguments = _arguments()
    with suppress(KeyboardInterrupt), tempfile.TemporaryDirectory(prefix="tichu-demo-") as folder:
        return _serve(arguments, Path(folder))
    return 0


def _serve(arguments: argparse.Namespace, folder: Path) -> int:
    """Serve the demo with its files in `folder`. Returns the exit status."""
    # These imports take a second. Here `main` already handles Ctrl-C.
    from simcord import SetupError

    from demo.past.book import read_book
    from demo.past.loading import load
    from demo.reviews import make_reviews_outside
    from demo.serve import PEOPLE, SECOND_CHANNEL, Place, serve
    from demo.welcome import welcome

    async def load_past(place: Place) -> None:
        await load(database(folder), read_book(), place)

    async def begin(env: Env, channel: ChannelHandle, people: Sequence[MemberActor]) -> None:
        make_reviews_outside(env)
        await welcome(env, channel, people)

    def make_bot(sleep: Sleep) -> Bot:
        return real_bot(folder, sleep, arguments.seed)

    def greet(url: str) -> None:
        others = ", ".join(PEOPLE[1:])
        print(
            f"The demo is open at {url}\n"
            f"  1. Open it. A table is ready: press Start, then My hand.\n"
            f'  2. You are {PEOPLE[0]}. Be {others} under "Viewing as", or in more tabs.\n'
            f"  3. For another game open {SECOND_CHANNEL}, type / and pick tichu new.\n"
            f"  4. Its past: /tichu leaderboard, /tichu profile, /tichu history, /tichu replay.\n"
            f"  5. Press Ctrl-C here to end it; nothing stays behind.",
            flush=True,
        )

    try:
        asyncio.run(
            serve(
                make_bot,
                port=arguments.port,
                speed=arguments.speed,
                locale=LOCALES[arguments.language],
                greet=greet,
                prepare=load_past,
                begin=begin,
            )
        )
    except SetupError as error:
        print(f"The demo cannot go on: {error}.", file=sys.stderr)
        return 1
    return 0


def database(folder: Path) -> str:
    """Return the URL of the demo's database."""
    return f"sqlite+aiosqlite:///{folder}/demo.db"


def real_bot(folder: Path, sleep: Sleep, seed: int | None) -> Bot:
    """Return the real bot; all its files are in `folder`.

    With a `seed` the cards are the same every time, computer players are Novices, and there are no
    hints.
    """
    from pydantic import SecretStr

    from bot.client import TichuBot
    from bot.runtime.settings import Settings
    from engine.fair_deal import SECRET_BYTES

    # Empty: numba caches compiled code beside the players for the next demo. Otherwise the bot
    # would cache it in `folder`, which is deleted.
    os.environ.setdefault("NUMBA_CACHE_DIR", "")
    settings = Settings(
        _env_file=None,
        discord_token=SecretStr("demo"),
        database_url=database(folder),
        heartbeat_file=folder / "heartbeat",
    )
    if seed is None:
        return TichuBot(settings, sleep=sleep, shard_count=1)
    # An Expert's choice may depend on the speed of the machine. A Novice's does not.
    settings = settings.model_copy(update={"worker_processes": 0})
    # The decks have a separate random source, so they do not depend on how people play.
    rng, decks = random.Random(seed), random.Random(seed)
    return TichuBot(
        settings,
        sleep=sleep,
        rng=rng,
        draw_secret=lambda: decks.randbytes(SECRET_BYTES),
        shard_count=1,
    )


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m demo", description=__doc__)
    parser.add_argument(
        "--port", type=int, default=0, help="port of the page (default: a free one)"
    )
    parser.add_argument(
        "--speed", type=float, default=1.0, help="how fast the clock runs (default: 1)"
    )
    parser.add_argument(
        "--seed", type=int, help="deal the same cards every time, to Novices; no hints"
    )
    parser.add_argument(
        "--language", choices=LOCALES, default="en", help="what everybody reads (default: en)"
    )
    arguments = parser.parse_args()
    if not 0 <= arguments.port <= 65535:
        parser.error("--port must be from 0 to 65535")
    if not 0 < arguments.speed <= 1000:
        parser.error("--speed must be above 0 and at most 1000")
    return arguments


if __name__ == "__main__":
    sys.exit(main())
