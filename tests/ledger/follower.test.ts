import { mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { hashLedger } from '../../engine/bank/change-state.ts';
import { takeLedgerImage, saveSnapshot } from '../../engine/bank/snapshots.ts';
import { type Bank, checkLedger } from '../../engine/bank.ts';
import { resetBank, restoreSnapshot, takeBackMove } from '../../engine/reset-and-restore.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { proveLedger } from '../../engine/proof/prove-ledger.ts';
import { checkpoints, Follower } from '../lab/follower.ts';
import { at, knownState, memoryBank } from '../lab/bank.ts';
import { followerTables } from '../../engine/ledger/schema.ts';

const now = '2027-03-24T12:00:00+01:00';
const folder = mkdtempSync(join(tmpdir(), 'sandbank-follower-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let count = 0;
let path: string;
let bank: Bank;
let follower: Follower;
let plain: string;

beforeEach(async () => {
  path = join(folder, `${(count += 1)}.sqlite`);
  bank = await memoryBank(now, { ledger: path, ids: { seed: 'follower' } });
  plain = await hashLedger(bank, 'included');
  await saveSnapshot(bank, 'before');
  follower = new Follower(path);
});
afterEach(async () => {
  follower.sqlite.close();
  await bank.close();
});

function tablesOf(bytes: Buffer | string): unknown[] {
  const sqlite = new BetterSqlite3(bytes);
  try {
    return sqlite.prepare(`select name from sqlite_schema where name like '%litestream%'`).pluck().all();
  } finally {
    sqlite.close();
  }
}

describe('B1, H: the tables of a follower', () => {
  test('are no damage in a served file and not in its hash; neither snapshot nor bundle has them', async () => {
    expect(await hashLedger(bank, 'included')).toBe(plain);
    expect(await checkLedger(path, 'here')).toBe(true);
    await saveSnapshot(bank, 'followed');
    const snapshot = join(`${path}.snapshots`, `followed@${at(now)}.sqlite`);
    expect(tablesOf(snapshot)).toEqual([]);
    const { bytes } = await takeLedgerImage(bank);
    expect(tablesOf(bytes)).toEqual([]);
    // Unused pages have no byte of them either.
    follower.checkpoint('truncate');
    expect(readFileSync(path).includes('_litestream')).toBe(true);
    for (const copy of [readFileSync(snapshot), bytes]) expect(copy.includes('_litestream')).toBe(false);
    await bank.close();
    bank = await memoryBank(now, { ledger: path });
    expect(await hashLedger(bank, 'included')).toBe(plain);
  });

  test.each([
    ['with a trigger', 'create trigger t after update on _litestream_seq begin select 1; end'],
    ['with an index', 'create index i on _litestream_lock (id)'],
    ['of another text', 'drop table _litestream_lock; create table _litestream_lock (id INTEGER, x)'],
    ['of another name', 'create table _litestream_more (id INTEGER)'],
    ['as a view', 'drop table _litestream_lock; create view _litestream_lock as select 1'],
  ])('are damage %s', async (_what, text) => {
    follower.release();
    follower.sqlite.exec(text);
    await expect(checkLedger(path, 'here')).rejects.toThrow(/is not the ledger's/);
  });

  test('are damage in a bundle', async () => {
    const { bytes, now: instant } = await takeLedgerImage(bank);
    const file = join(folder, 'image.sqlite');
    writeFileSync(file, bytes);
    new Follower(file).sqlite.close();
    const copy = new BetterSqlite3(file);
    const followed = copy.serialize();
    copy.close();
    const opened = memoryBank(now, { ledger: { bytes: followed, now: instant } });
    await expect(opened).rejects.toThrow("the table _litestream_seq is not the ledger's");
  });
});

describe('H: a ledger that a follower reads all the time', () => {
  const waysBack: readonly (readonly [string, () => Promise<void>])[] = [
    ['a reset', () => resetBank(bank)],
    ['a reset to another beginning', () => resetBank(bank, knownState, { now: at(now) })],
    ['a restore', () => restoreSnapshot(bank, 'before')],
  ];

  test.each(waysBack)('%s writes into the file, and the follower sees it', async (_what, goBack) => {
    const [{ ino }, first] = [statSync(path), follower.clock()];
    await advanceClock(bank, at('2027-04-20T12:00:00+02:00'));
    await goBack();
    follower.release();
    follower.hold();
    expect(statSync(path).ino).toBe(ino);
    expect(follower.clock()).toBe(first);
    expect(tablesOf(path)).toEqual([...followerTables.keys()]);
    expect(await hashLedger(bank, 'included')).toBe(plain);
    follower.release();
    follower.bump();
    await bank.close();
    expect(await checkLedger(path, 'here')).toBe(true);
  });

  test('an undone move of the clock too', async () => {
    const image = await takeLedgerImage(bank);
    await advanceClock(bank, at('2027-04-20T12:00:00+02:00'));
    await takeBackMove(bank, image);
    expect(await hashLedger(bank, 'included')).toBe(plain);
  });

  test('a restore waits for a follower that writes', async () => {
    await advanceClock(bank, at('2027-03-26T12:00:00+01:00'));
    follower.release();
    follower.sqlite.exec('begin immediate');
    setTimeout(() => follower.release(), 100);
    await restoreSnapshot(bank, 'before');
    expect(await hashLedger(bank, 'included')).toBe(plain);
  });

  test('a reset of a ledger that was moved meanwhile makes a new one, and the follower keeps the old one', async () => {
    const first = follower.clock();
    await advanceClock(bank, at('2027-04-20T12:00:00+02:00'));
    renameSync(path, `${path}.moved`);
    await resetBank(bank);
    follower.release();
    expect(follower.clock()).not.toBe(first);
    follower.sqlite.pragma('wal_checkpoint(truncate)');
    await advanceClock(bank, at('2027-03-26T12:00:00+01:00'));
    await bank.close();
    expect(await checkLedger(path, 'here')).toBe(true);
    expect(tablesOf(path)).toEqual([]);
  });

  test.each(checkpoints)('survives its checkpoint: %s', async (mode) => {
    for (let day = 25; day < 28; day += 1) {
      await advanceClock(bank, at(`2027-03-${day}T12:00:00+01:00`));
      follower.checkpoint(mode);
    }
    expect((await proveLedger(bank)).ok).toBe(true);
    expect(bank.ledger.trouble()).toBeNull();
    await bank.ledger.check();
    expect(bank.ledger.trouble()).toBeNull();
  });
});
