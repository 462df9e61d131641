import { renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '../support/temp-folder.ts';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { hashLedger } from '../../engine/bank/change-state.ts';
import { takeLedgerImage, saveSnapshot } from '../../engine/bank/snapshots.ts';
import { type Bank, checkLedger } from '../../engine/open-bank.ts';
import { resetBank, restoreSnapshot, takeBackMove } from '../../engine/reset-and-restore.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { proveLedger } from '../../engine/proof/prove-ledger.ts';
import { at, knownState, memoryBank } from '../lab/bank.ts';

/* Another program has the ledger file open while a server uses it. */

const now = '2027-03-24T12:00:00+01:00';
const folder = tempFolder();

let count = 0;
let path: string;
let bank: Bank;
let other: BetterSqlite3.Database;
let plain: string;

/** The clock of the bank, as the other program sees it. */
const clock = (): unknown => other.prepare('select clock_value from bank_state').pluck().get();

beforeEach(async () => {
  path = join(folder, `${(count += 1)}.sqlite`);
  bank = await memoryBank(now, { ledger: path, ids: { seed: 'other program' } });
  plain = await hashLedger(bank, 'included');
  await saveSnapshot(bank, 'before');
  other = new BetterSqlite3(path, { timeout: 0, fileMustExist: true });
  other.exec('begin');
  clock();
});
afterEach(async () => {
  other.close();
  await bank.close();
});

describe('B8: a ledger that another program reads all the time', () => {
  const waysBack: readonly (readonly [string, () => Promise<void>])[] = [
    ['a reset', () => resetBank(bank)],
    ['a reset to another beginning', () => resetBank(bank, knownState, { now: at(now) })],
    ['a restore', () => restoreSnapshot(bank, 'before')],
  ];

  test.each(waysBack)('%s writes into the file, and the other program sees it', async (_what, goBack) => {
    const [{ ino }, first] = [statSync(path), clock()];
    await advanceClock(bank, at('2027-04-20T12:00:00+02:00'));
    await goBack();
    other.exec('rollback');
    expect(statSync(path).ino).toBe(ino);
    expect(clock()).toBe(first);
    expect(await hashLedger(bank, 'included')).toBe(plain);
    await bank.close();
    expect(await checkLedger(path, 'here')).toBe(true);
  });

  test('an undone move of the clock too', async () => {
    const image = await takeLedgerImage(bank);
    await advanceClock(bank, at('2027-04-20T12:00:00+02:00'));
    await takeBackMove(bank, image);
    expect(await hashLedger(bank, 'included')).toBe(plain);
  });

  test('a restore waits for a program that writes', async () => {
    await advanceClock(bank, at('2027-03-26T12:00:00+01:00'));
    other.exec('rollback; begin immediate');
    setTimeout(() => other.exec('rollback'), 100);
    await restoreSnapshot(bank, 'before');
    expect(await hashLedger(bank, 'included')).toBe(plain);
  });

  test('a reset of a ledger that was moved meanwhile makes a new one, and the other program keeps the old one', async () => {
    const first = clock();
    await advanceClock(bank, at('2027-04-20T12:00:00+02:00'));
    renameSync(path, `${path}.moved`);
    await resetBank(bank);
    other.exec('rollback');
    expect(clock()).not.toBe(first);
    other.pragma('wal_checkpoint(truncate)');
    await advanceClock(bank, at('2027-03-26T12:00:00+01:00'));
    await bank.close();
    expect(await checkLedger(path, 'here')).toBe(true);
  });

  test.each(['passive', 'full', 'restart', 'truncate'])('survives its checkpoint: %s', async (mode) => {
    other.exec('rollback');
    for (let day = 25; day < 28; day += 1) {
      await advanceClock(bank, at(`2027-03-${day}T12:00:00+01:00`));
      other.pragma(`wal_checkpoint(${mode})`);
    }
    expect((await proveLedger(bank)).ok).toBe(true);
    await bank.ledger.check();
    expect(bank.ledger.trouble()).toBeNull();
  });
});
