"""Detection of stored figures that need a rebuild."""

from __future__ import annotations

from bot.storage import Store

ONE, TWO = 1, 2


async def test_new_database_has_the_derivation_of_its_first_program(store: Store) -> None:
    assert not await store.history.is_outdated(TWO)
    assert not await store.history.is_outdated(TWO)
    assert await store.history.is_outdated(ONE)


async def test_rounds_of_another_derivation_are_outdated_until_a_rebuild(store: Store) -> None:
    assert not await store.history.is_outdated(ONE)
    assert await store.history.is_outdated(TWO)
    await store.history.rebuild(lambda *_: None, TWO, 0)
    assert not await store.history.is_outdated(TWO)
