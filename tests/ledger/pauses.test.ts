import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { openLedger } from '../../engine/ledger/database.ts';
import { nextTurn, systemClock } from '../../engine/time/clock.ts';

/* docs/decisions/0021: a long transaction lets everything else run every few milliseconds. */

function busyFor(ms: number): void {
  const end = systemClock.monotonic() + ms;
  while (systemClock.monotonic() < end);
}

test('a long transaction pauses between two statements, and between two rows', async () => {
  const ledger = await openLedger(':memory:');
  let [turns, isOver] = [0, false];
  const work = ledger.write(async (tx) => {
    for (let statement = 0; statement < 20; statement += 1) {
      busyFor(4);
      await sql`select 1`.execute(tx);
    }
    const turnsOfStatements = turns;
    const rows = sql<{ value: number }>`select value from json_each('[1,2,3,4,5,6,7,8,9,10]')`.compile(tx);
    for await (const _row of tx.getExecutor().stream(rows, 1)) busyFor(4);
    return [turnsOfStatements, turns - turnsOfStatements];
  });
  const done = work.finally(() => (isOver = true));
  while (!isOver) {
    await nextTurn();
    turns += 1;
  }
  const [ofStatements, ofRows] = await done;
  expect(ofStatements).toBeGreaterThanOrEqual(19);
  expect(ofRows).toBeGreaterThanOrEqual(9);
  await ledger.close();
});

test('in one pause a new connection is accepted and read', async () => {
  const ledger = await openLedger(':memory:');
  let read = 0;
  const server = createServer((socket) => socket.on('data', () => (read += 1)));
  await once(server.listen(0), 'listening');
  const { port } = server.address() as AddressInfo;
  const readAfterPause = await ledger.write(async (tx) => {
    const socket = connect(port).unref();
    socket.write('a request');
    busyFor(4);
    await sql`select 1`.execute(tx);
    socket.destroy();
    return read;
  });
  server.close();
  await ledger.close();
  expect(readAfterPause).toBe(1);
});

test('a short transaction does not pause', async () => {
  const ledger = await openLedger(':memory:');
  let [turns, isOver] = [0, false];
  const counting = (async () => {
    for (; !isOver; turns += 1) await nextTurn();
  })();
  const passed = (): Promise<number> =>
    ledger.write(async (tx) => {
      const begun = turns;
      for (let statement = 0; statement < 5; statement += 1) await sql`select 1`.execute(tx);
      return turns - begun;
    });
  // On a busy machine some of them take long.
  const all: number[] = [];
  for (let tries = 0; tries < 20; tries += 1) all.push(await passed());
  isOver = true;
  await counting;
  await ledger.close();
  expect(all).toContain(0);
});
