import time
from pathlib import Path
from tests.cogs.table_play import *
async def test_try(tmp_path):
    t=time.perf_counter()
    async with a_world(tmp_path) as world:
        print("start", time.perf_counter()-t); t=time.perf_counter()
        people=world.people("Ada","Ben","Cai","Dan")
        players=await world.seat_all(people,target=1000)
        tid=world.table().id
        print("seated", time.perf_counter()-t); t=time.perf_counter()
        await play_on(world,players,over(world))
        print("played", time.perf_counter()-t); t=time.perf_counter()
        from collections import Counter
        print(Counter(c for p in players for c in p.clicked), len(await world.bot.store.rounds(tid)), len(await world.bot.store.actions(tid)))
        print(Counter((r.method, r.path.split('/')[1]) for r in world.env.http_requests), world.env.now())
        print(players[0].text())
    print("end", time.perf_counter()-t)
