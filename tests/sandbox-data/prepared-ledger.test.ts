import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { storedQuirks } from '../../engine/bank/bank-context.ts';
import type { Bank, BankOptions, PreparedLedger } from '../../engine/open-bank.ts';
import { findBankState } from '../../engine/bank/rows/bank-state.ts';
import { hashLedger } from '../../engine/bank/change-state.ts';
import { listSnapshots, saveSnapshot } from '../../engine/bank/snapshots.ts';
import { systemDisk } from '../../engine/ledger/ledger-files.ts';
import { proveLedger } from '../../engine/proof/prove-ledger.ts';
import { resetBank, restoreSnapshot } from '../../engine/reset-and-restore.ts';
import { prepare, preparedFrom } from '../../scripts/build/prepare.ts';
import { at, knownState, memoryBank } from '../lab/bank.ts';

let fingerprint: string;
let bytes: Buffer;
let folder: string;
let asked: number;
let prepared: PreparedLedger;

beforeAll(async () => {
  const { ledger } = await prepare();
  fingerprint = ledger.fingerprint;
  bytes = zstdDecompressSync(Buffer.from(ledger.image, 'base64'));
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbank-prepared-test-'));
  asked = 0;
  prepared = {
    fingerprint,
    image: () => {
      asked += 1;
      return bytes;
    },
  };
});
afterEach(() => rmSync(folder, { recursive: true }));

const begins: readonly (readonly [string, Partial<BankOptions>])[] = [
  ['2027-03-24T12:00:00+01:00', {}],
  ['2027-03-28T00:30:00+01:00', {}],
  ['2027-05-17T05:30:00+02:00', { quirks: storedQuirks('strict-signing') }],
  ['1993-01-01', { start: { mode: 'frozen', now: at('1993-01-01') } }],
  ['2098-12-31', { start: { mode: 'frozen', now: at('2098-12-31'), rate: 60 } }],
  ['2027-03-24T12:00:00Z', { start: { mode: 'running', now: at('2027-03-24'), since: at('2027-03-20') } }],
];

async function contentOf(bank: Bank): Promise<object> {
  // Each ledger draws keys of its own.
  const state = { ...(await bank.ledger.read(findBankState)), list_key: null, access_key: null, wire_key: null };
  const { ok } = await proveLedger(bank);
  const names = (await listSnapshots(bank)).map(({ name, now }) => [name, now]);
  return { hash: await hashLedger(bank, 'left-out'), state, ok, names, now: bank.steady.now() };
}

describe.each(['in memory', 'in a file'])('a new ledger %s, from the prepared one', (where) => {
  const file = (): string => (where === 'in memory' ? ':memory:' : join(folder, 'ledger.sqlite'));

  test.each(begins)('that begins at %s is what inserting each row makes of it', async (now, options) => {
    await using rowByRow = await memoryBank(now, { ...options, preparedLedger: null });
    await using copied = await memoryBank(now, { ...options, ledger: file(), preparedLedger: prepared });
    expect(await contentOf(copied)).toEqual(await contentOf(rowByRow));
    expect(asked).toBe(1);
  });

  test('has ids of its own, and refuses changes of entries', async () => {
    const banks = [1, 2].map((turn) => {
      const ledger = where === 'in memory' ? ':memory:' : join(folder, `${turn}.sqlite`);
      return memoryBank('2027-03-24', { ledger, preparedLedger: prepared });
    });
    const [one, other] = await Promise.all(banks);
    const template = new BetterSqlite3(bytes);
    const taken = template
      .prepare<[], string>(
        'select resource_id from account union all select resource_id from customer union all select resource_id from card_account union all select resource_id from agreement',
      )
      .pluck()
      .all();
    const ids = (bank: Bank | undefined): Promise<string[]> =>
      bank?.ledger.read(async (reader) => {
        const tables = ['account', 'customer', 'card_account', 'agreement'] as const;
        const rows = await Promise.all(tables.map((table) => reader.selectFrom(table).select('resource_id').execute()));
        return rows.flat().map((row) => row.resource_id);
      }) ?? Promise.resolve([]);
    const all = [...taken, ...(await ids(one)), ...(await ids(other))];
    expect(all).toHaveLength(46 * 3);
    expect(new Set(all).size).toBe(all.length);
    const change = one?.ledger.write((tx) => tx.updateTable('entry').set({ amount_minor: 1n }).execute());
    await expect(change).rejects.toThrow('entries are never changed');
    await one?.close();
    await other?.close();
  });

  test('resets, and restores snapshots, as any other', async () => {
    await using bank = await memoryBank('2027-03-24', { ledger: file(), preparedLedger: prepared });
    const begun = await hashLedger(bank, 'included');
    await bank.ledger.write((tx) => tx.updateTable('customer').set({ name: 'Somebody else' }).execute());
    await saveSnapshot(bank, 'changed');
    const changed = await hashLedger(bank, 'included');
    await resetBank(bank);
    expect(await hashLedger(bank, 'included')).toBe(begun);
    await restoreSnapshot(bank, 'changed');
    expect(await hashLedger(bank, 'included')).toBe(changed);
  });

  test.each<readonly [string, Partial<BankOptions>]>([
    ['other settlement times', { settlementTimes: { private: ['12:00'], corporate: ['12:00'] } }],
    ['ids that follow from a seed', { ids: { seed: 'one' } }],
    ['another known state', { knownState: { ...knownState, agreements: [] } }],
  ])('is not taken for %s', async (_what, options) => {
    await using rowByRow = await memoryBank('2027-03-24', { ...options, preparedLedger: null });
    await using bank = await memoryBank('2027-03-24', { ...options, ledger: file(), preparedLedger: prepared });
    expect(asked).toBe(0);
    expect(await contentOf(bank)).toEqual(await contentOf(rowByRow));
  });
});

describe('where something is already', () => {
  test('a ledger stays as it is', async () => {
    const ledger = join(folder, 'ledger.sqlite');
    const first = await memoryBank('2027-03-24', { ledger, preparedLedger: null });
    const before = await hashLedger(first, 'included');
    await first.close();
    await using again = await memoryBank('2027-04-24', { ledger, preparedLedger: prepared });
    expect([await hashLedger(again, 'included'), asked]).toEqual([before, 0]);
  });

  test.each([
    ['an empty file', (path: string) => writeFileSync(path, '')],
    ['a link to a file that does not exist', (path: string) => symlinkSync(`${path}.target`, path)],
    ['the log of a ledger that was taken away', (path: string) => writeFileSync(`${path}-wal`, 'not a log')],
  ])('%s: each row is inserted', async (_what, make) => {
    const ledger = join(folder, 'ledger.sqlite');
    make(ledger);
    const bank = await memoryBank('2027-03-24', { ledger, preparedLedger: prepared });
    expect([(await proveLedger(bank)).ok, asked]).toEqual([true, 0]);
    await bank.close();
    expect(statSync(ledger).size).toBeGreaterThan(100_000);
  });

  test('a disk that fails leaves no ledger, and the next start makes it', async () => {
    const ledger = join(folder, 'ledger.sqlite');
    const sync = (): Promise<void> => Promise.reject(Object.assign(new Error('no room'), { code: 'ENOSPC' }));
    const failing = memoryBank('2027-03-24', { ledger, preparedLedger: prepared, disk: { ...systemDisk, sync } });
    await expect(failing).rejects.toThrow('no room');
    expect(readdirSync(folder).filter((name) => name.startsWith('ledger.sqlite'))).toEqual([]);
    await using bank = await memoryBank('2027-03-24', { ledger, preparedLedger: prepared });
    expect((await proveLedger(bank)).ok).toBe(true);
  });
});

test('what the build has checked is what stands in the fixtures', async () => {
  const { checked, ledger } = await prepare();
  const hashes = preparedFrom.map((file) => createHash('sha256').update(readFileSync(file)).digest('hex'));
  expect(checked).toEqual(hashes);
  expect(hashes).toHaveLength(9);
  expect(ledger.fingerprint).toBe(fingerprint);
});
