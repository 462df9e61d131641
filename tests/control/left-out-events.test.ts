import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { EventLog, kept } from '../../api/control/events/event-log.ts';
import type { Bank } from '../../engine/open-bank.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { openBenchBank } from '../bench/bench-bank.ts';
import { at } from '../lab/bank.ts';
import { partSize } from '../../engine/values/lists.ts';
import { bookStatements, measuredRun } from '../lab/book.ts';

/* A run of more payments than the log keeps names only what somebody wants; the history has them all. */

// More than the bank reads at a time, too.
const due = kept + partSize;
let bank: Bank;
let log: EventLog;
beforeEach(async () => {
  bank = await openBenchBank(':memory:');
  await bank.ledger.write(async (tx) => {
    for (const statement of bookStatements({ accounts: 20, due, history: 0 })) await sql.raw(statement).execute(tx);
  });
  log = new EventLog(bank, fail);
});
afterEach(async () => {
  log.close();
  await bank.close();
});

function fail(error: unknown): void {
  throw error;
}

const settle = () => advanceClock(bank, at(measuredRun));
const statuses = (texts: readonly string[] | null): string[] =>
  (texts ?? []).flatMap((text) => /"status":"(\w+)"/.exec(text)?.[1] ?? []);

test('without a reader the last of them are kept, all are counted, and a client that comes back has missed some', async () => {
  await settle();
  // PDNG at midnight, ACSC in the run, and the run and the clock.
  expect(log.last).toBeGreaterThanOrEqual(2 * due + 1);
  const texts = log.textsAfter(log.last - kept, kept);
  expect(statuses(texts).every((status) => status === 'ACSC')).toBe(true);
  expect(statuses(texts).length).toBeGreaterThan(kept - 10);
  expect(log.textsAfter(0, kept)).toBeNull();
  expect(log.numberOf(log.idOf(0))).toBeNull();
});

test('what was told before the events that are left out is forgotten with them', async () => {
  log.add({ kind: 'reset', at: at(measuredRun), cause: 'reset' });
  await settle();
  expect(log.textsAfter(0, 1)).toBeNull();
});

test('with a reader every one of them is told', async () => {
  const stream = new AbortController();
  log.read(0, stream);
  await settle();
  const all = statuses(log.textsAfter(0, 4 * due));
  expect(all.filter((status) => status === 'PDNG')).toHaveLength(due);
  expect(all.filter((status) => status === 'ACSC')).toHaveLength(due);
  stream.abort();
});

test('the history has each of them, named or not', async () => {
  await settle();
  const { rows } = await bank.ledger.read((reader) =>
    sql<{ n: number }>`select count(*) as n from status_change where status = 'ACSC'`.execute(reader),
  );
  expect(rows[0]?.n).toBe(due);
});
