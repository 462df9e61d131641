import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { expect, test } from '@jest/globals';
import { localDate } from '../../engine/values/local-date.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { resetBank } from '../../engine/reset-and-restore.ts';
import { at, memoryBank } from '../lab/bank.ts';
import { order, sign, paySigned } from '../lab/payments.ts';

/** An insert whose rows come from a select that leaves their order to the query plan. */
function leavesOrderOpen(statement: string): boolean {
  return /^\s*(with\b[\s\S]*?)?insert\b[\s\S]*?\bselect\b/i.test(statement) && !/\border by\b/i.test(statement);
}

test('it is told from one that says the order, and from plain rows', () => {
  expect(leavesOrderOpen('insert into a (b) select c from d')).toBe(true);
  expect(leavesOrderOpen('INSERT INTO a\n (b)\n SELECT c FROM (values (1), (2))')).toBe(true);
  expect(leavesOrderOpen('insert into a (b) select c from d order by c')).toBe(false);
  expect(leavesOrderOpen('insert into a (b) values (1)')).toBe(false);
  expect(leavesOrderOpen('select * from a')).toBe(false);
});

test('in the sources every insert from a select says the order of its rows', () => {
  const texts = readdirSync('engine', { recursive: true, encoding: 'utf8' })
    // A migration has landed; the one that inserts fills a table whose key is what it selects.
    .filter((name) => name.endsWith('.ts') && !name.startsWith(join('ledger', 'migrations')))
    .flatMap((name) => [...readFileSync(join('engine', name), 'utf8').matchAll(/`([^`]*)`/g)].map(([, text]) => text));
  const inserts = texts.filter((text) => text !== undefined && /insert into/.test(text));
  expect(inserts.length).toBeGreaterThan(2);
  expect(inserts.filter((text) => leavesOrderOpen(text ?? ''))).toEqual([]);
});

test('and every statement that a bank at work prepares', async () => {
  const prepared = new Set<string>();
  const { prepare } = BetterSqlite3.prototype;
  BetterSqlite3.prototype.prepare = function (this: BetterSqlite3.Database, text: string) {
    prepared.add(text);
    return prepare.call(this, text);
  } as typeof prepare;
  try {
    await using bank = await memoryBank('2027-03-24T12:00:00+01:00');
    // Two, as a single row needs no order.
    for (const amount of ['10.00', '11.00']) {
      await paySigned(bank, { from: 'nora', to: 'even', amount }, localDate('2027-03-30'));
    }
    const standing = await order(
      bank,
      { from: 'nora', to: 'even', amount: '5.00' },
      { frequency: 'Daily', startDate: localDate('2027-03-25') },
    );
    await sign(bank, standing.payment.resource_id, 'nora');
    await advanceClock(bank, at('2027-04-10'));
    await resetBank(bank);
  } finally {
    BetterSqlite3.prototype.prepare = prepare;
  }
  const inserts = [...prepared]
    .filter((text) => /^\s*insert/i.test(text) && /\bselect\b/i.test(text))
    // The migration's.
    .filter((text) => !text.startsWith('insert into payment_initiation (payment_id, body) select'));
  for (const table of ['entry', 'attempt', 'execution', 'status_change']) {
    expect(inserts.some((text) => text.startsWith(`insert into ${table} `))).toBe(true);
  }
  expect(inserts.filter(leavesOrderOpen).map((text) => text.slice(0, 200))).toEqual([]);
});
