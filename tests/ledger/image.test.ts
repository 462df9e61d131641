import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import BetterSqlite3 from 'better-sqlite3';
import { hashLedger } from '../../engine/bank/change-state.ts';
import { saveSnapshot, takeLedgerImage } from '../../engine/bank/snapshots.ts';
import { readClock } from '../../engine/bank/read-clock.ts';
import { LedgerUnavailable } from '../../engine/open-bank.ts';
import { systemDisk } from '../../engine/ledger/ledger-files.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { resetBank, restoreSnapshot, setClock } from '../../engine/reset-and-restore.ts';
import { Refusal } from '../../engine/values/fault.ts';
import { localDate } from '../../engine/values/local-date.ts';
import { at, manualClock, memoryBank } from '../lab/bank.ts';
import { paySigned } from '../lab/payments.ts';
import { brokenProofs } from '../lab/proof.ts';

const now = '2027-03-24T12:00:00+01:00';
let folder: string;
let ledger: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbank-image-'));
  ledger = join(folder, 'ledger.sqlite');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('the image of a ledger file is opened in memory, with its content and its clock', async () => {
  const bank = await memoryBank(now, { ledger });
  await paySigned(bank, { from: 'nora', to: 'even', amount: '10.00' }, localDate('2027-03-25'));
  await advanceClock(bank, at('2027-03-31'));
  const image = await takeLedgerImage(bank);
  const hash = await hashLedger(bank, 'left-out');
  await bank.close();
  expect(readdirSync(`${ledger}.snapshots`).filter((name) => name.includes('image'))).toEqual([]);
  rmSync(folder, { recursive: true });
  await using opened = await memoryBank('2031-01-01', { copied: { ...image, mode: 'frozen' } });
  // Its SCA links are made anew (rules.md B6): ids alone differ.
  expect(await hashLedger(opened, 'left-out')).toBe(hash);
  expect(await readClock(opened)).toMatchObject({ now: at('2027-03-31'), mode: 'frozen' });
  expect(await brokenProofs(opened)).toEqual({});
});

test('T7: the clock of an image stands still at its time, however fast it went and however much later that is', async () => {
  const wall = manualClock(at(now));
  const bank = await memoryBank(now, { wall, start: { mode: 'running', now: at(now) } });
  await setClock(bank, { now: null, mode: null, rate: 3600 });
  wall.set(at('2027-03-24T12:00:10+01:00'));
  const image = await takeLedgerImage(bank);
  expect(image.now).toBe(at('2027-03-24T22:00:00+01:00'));
  await bank.close();
  const later = manualClock(at('2027-08-01'));
  await using opened = await memoryBank(now, { copied: { ...image, mode: 'frozen' }, wall: later });
  later.set(at('2027-08-02'));
  expect(await readClock(opened)).toMatchObject({ now: image.now, mode: 'frozen', rate: 3600 });
  expect(await advanceClock(opened, 'now')).toMatchObject({ runs: [] });
});

test.each([
  ['a later version', "insert into kysely_migration values ('099-later', '2030')", 'outdated'],
  ['a version before 0.1.0', "update kysely_migration set name = '001-ledger'", 'outdated'],
  ['somebody who changed its tables', 'create table more (x)', 'damaged'],
  ['somebody who took a row away', 'pragma foreign_keys = off; delete from account where id = 1', 'damaged'],
])('an image by %s is refused', async (_who, sql, why) => {
  const bank = await memoryBank(now);
  const { bytes } = await takeLedgerImage(bank);
  await bank.close();
  const changed = new BetterSqlite3(bytes);
  changed.exec(sql);
  await expect(memoryBank(now, { copied: { bytes: changed.serialize(), now: at(now) } })).rejects.toMatchObject({
    why,
  });
});

test.each([
  ['without room', 'ENOSPC', Refusal, null],
  ['that fails', 'EIO', LedgerUnavailable, 'unwritable'],
  ['that may not be written', 'EACCES', Refusal, null],
])('of a ledger on a disk %s no image is made, and nothing is left', async (_what, code, refusal, trouble) => {
  const failure = Object.assign(new Error(code), { code });
  const disk = { ...systemDisk };
  await using bank = await memoryBank(now, { ledger, disk });
  disk.makeFolder = () => Promise.reject(failure);
  await expect(takeLedgerImage(bank)).rejects.toThrow(refusal);
  expect(bank.ledger.trouble()?.kind ?? null).toBe(trouble);
  disk.makeFolder = systemDisk.makeFolder;
  expect((await takeLedgerImage(bank)).now).toBe(at(now));
  expect(readdirSync(`${ledger}.snapshots`).filter((name) => name.includes('image'))).toEqual([]);
});

test.each(['ENOSPC', 'EDQUOT', 'SQLITE_FULL'])(
  'K1: without room (%s) a save and a restore are refused, and the ledger stays; at its end a restore may have replaced it',
  async (code) => {
    const disk = { ...systemDisk };
    await using bank = await memoryBank(now, { ledger, disk });
    await saveSnapshot(bank, 'before');
    const hash = await hashLedger(bank, 'left-out');
    const failing = (): Promise<void> => Promise.reject(Object.assign(new Error(code), { code }));
    disk.chmod = failing;
    const refused = {
      faults: [{ code: 'SYSTEM_ERROR', place: 'unavailable' }],
      message: expect.stringMatching(/no room.*stays/),
    };
    await expect(saveSnapshot(bank, 'after')).rejects.toMatchObject(refused);
    await expect(restoreSnapshot(bank, 'before')).rejects.toMatchObject(refused);
    await expect(resetBank(bank)).rejects.toMatchObject(refused);
    expect([bank.ledger.trouble(), await hashLedger(bank, 'left-out')]).toEqual([null, hash]);
    disk.chmod = systemDisk.chmod;
    await restoreSnapshot(bank, 'before');
    disk.rename = (from, to) => (to === ledger ? failing() : systemDisk.rename(from, to));
    await expect(restoreSnapshot(bank, 'before')).rejects.toThrow(LedgerUnavailable);
    expect([bank.ledger.trouble()?.kind, await hashLedger(bank, 'left-out')]).toEqual(['unwritable', hash]);
  },
);

test('K1: a full disk is over when a whole call has room, not the smallest write alone', async () => {
  const disk = { ...systemDisk };
  await using bank = await memoryBank(now, { ledger, disk });
  const failing = (): Promise<void> => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }));
  disk.rename = (from, to) => (to === ledger ? failing() : systemDisk.rename(from, to));
  await expect(resetBank(bank)).rejects.toThrow(LedgerUnavailable);
  disk.rename = systemDisk.rename;
  const trouble = async (): Promise<string | undefined> => {
    await new Promise((resolve) => setTimeout(resolve, 600));
    await bank.ledger.check();
    return bank.ledger.trouble()?.kind;
  };
  disk.makeFolder = failing;
  expect(await trouble()).toBe('unwritable');
  disk.makeFolder = systemDisk.makeFolder;
  // A process that was killed may have left its own.
  writeFileSync(join(`${ledger}.snapshots`, 'room.partial'), 'left');
  const sizes: number[] = [];
  disk.remove = (path) => {
    if (path.endsWith('room.partial') && existsSync(path)) sizes.push(statSync(path).size);
    return systemDisk.remove(path);
  };
  expect(await trouble()).toBeUndefined();
  expect(sizes).toEqual([4, 1024 * 1024]);
  expect(readdirSync(`${ledger}.snapshots`).filter((name) => name.endsWith('.partial'))).toEqual([]);
});
