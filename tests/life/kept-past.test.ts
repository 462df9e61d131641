import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import type { Bank, BankOptions } from '../../engine/open-bank.ts';
import { hashLedger } from '../../engine/bank/change-state.ts';
import { storedQuirks } from '../../engine/bank/bank-context.ts';
import { findBankState } from '../../engine/bank/rows/bank-state.ts';
import type { KnownState } from '../../engine/bank/known-state.ts';
import { listSnapshots } from '../../engine/bank/snapshots.ts';
import { proveLedger } from '../../engine/proof/prove-ledger.ts';
import { resetBank } from '../../engine/reset-and-restore.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { randomIds } from '../../engine/bank/ids.ts';
import { at } from '../lab/bank.ts';
import { family, knownState, now, open, personaNamed } from './lived-banks.ts';

const short = { ...personaNamed('short-of-funds') };
const lived: KnownState = {
  ...knownState('25000.00', '2000.00'),
  customers: knownState('25000.00', '2000.00').customers.map((customer) => ({
    ...customer,
    accounts: customer.accounts.slice(0, 2).map((account, index) => ({
      ...account,
      persona: [family, short][index % 2] ?? family,
    })),
  })),
};

/** Where pasts are kept, and how many were found there. */
function countedPasts() {
  const images = new Map<string, Buffer>();
  const counts = { found: 0, kept: 0 };
  const keptPasts = {
    find: (key: string) => {
      const image = images.get(key) ?? null;
      if (image !== null) counts.found += 1;
      return image;
    },
    keep: (key: string, image: Buffer) => {
      counts.kept += 1;
      images.set(key, image);
    },
  };
  return { keptPasts, counts };
}

async function contentOf(bank: Bank): Promise<object> {
  const state = { ...(await bank.ledger.read(findBankState)), list_key: null, access_key: null, wire_key: null };
  const ids = bank.ids.follow === undefined ? 'left-out' : 'included';
  const names = (await listSnapshots(bank)).map(({ name, now: saved }) => [name, saved]);
  return { hash: await hashLedger(bank, ids), state, names, ok: (await proveLedger(bank)).ok };
}

test.each<readonly [string, Partial<BankOptions>, string]>([
  ['seeded ids, in memory', { ids: { seed: 'kept' } }, now],
  ['random ids, in a file', { ids: randomIds, ledger: 'file' }, '2026-11-23T10:20:00+01:00'],
])(
  'L10: a bank with a kept past is the bank whose past is made, with %s',
  async (_what, options, later) => {
    const folder = mkdtempSync(join(tmpdir(), 'sandbank-kept-'));
    const file = (name: string): string => (options.ledger === 'file' ? join(folder, name) : ':memory:');
    const { keptPasts, counts } = countedPasts();
    await (await open({ ...options, ledger: file('first'), knownState: lived, keptPasts })).close();
    const kept = await open({ ...options, ledger: file('kept'), knownState: lived, keptPasts, now: later });
    expect(counts).toEqual({ found: 1, kept: 1 });
    const made = await open({
      ...options,
      ledger: file('made'),
      knownState: lived,
      keptPasts: countedPasts().keptPasts,
      now: later,
    });
    expect(await contentOf(kept)).toEqual(await contentOf(made));
    for (const bank of [kept, made]) await advanceClock(bank, at('2026-12-27T10:00:00+01:00'));
    expect(await contentOf(kept)).toEqual(await contentOf(made));
    await resetBank(kept);
    await resetBank(made);
    expect(await contentOf(kept)).toEqual(await contentOf(made));
    await kept.close();
    await made.close();
    rmSync(folder, { recursive: true });
  },
  30_000,
);

test('L10: a kept past serves its fixtures, settings, seed and step of the clock only, and no bank has the ids of another', async () => {
  const { keptPasts, counts } = countedPasts();
  const [first] = lived.customers;
  const one: KnownState = {
    customers: [{ ...first, accounts: first?.accounts.slice(0, 1) ?? [] }] as never,
    agreements: [],
  };
  const openOne = async (options: Partial<BankOptions> & { readonly now?: string } = {}): Promise<string[]> => {
    const bank = await open({ ids: randomIds, knownState: one, keptPasts, ...options });
    const ids = await bank.ledger.read(async (reader) => {
      const tables = ['account', 'customer', 'payment', 'reservation'] as const;
      const rows = await Promise.all(tables.map((table) => reader.selectFrom(table).select('resource_id').execute()));
      return rows.flat().map((row) => row.resource_id);
    });
    await bank.close();
    return ids;
  };
  const ids = [...(await openOne()), ...(await openOne()), ...(await openOne())];
  expect(counts).toEqual({ found: 2, kept: 1 });
  expect(new Set(ids).size).toBe(ids.length);
  await openOne({ now: '2026-11-23T11:30:00+01:00' });
  await openOne({ quirks: storedQuirks('weekend-values') });
  await openOne({ ids: { seed: 'a' } });
  await openOne({ settlementTimes: { private: ['06:00'], corporate: ['06:00'] } });
  await openOne({
    knownState: { ...one, customers: [...one.customers, { ...first, customerNumber: '2', accounts: [] }] as never },
  });
  expect(counts).toEqual({ found: 2, kept: 6 });
}, 30_000);
