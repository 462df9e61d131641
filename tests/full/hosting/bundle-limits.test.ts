import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type BetterSqlite3 from 'better-sqlite3';
import { savedBanks, type SavedBank } from '../../lab/saved-banks.ts';
import { readBundle } from '../../../api/hosting/bundle/bundle.ts';
import { contentOf, forged } from '../../lab/forged-bundle.ts';
import { patched, rowsChanged } from '../../lab/patched-ledger.ts';
import { runMain } from '../../support/recorded-terminal.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const folder = tempFolder();
let banks: readonly SavedBank[];
beforeAll(async () => {
  banks = await savedBanks();
}, 60_000);

function bankOf(name: string): SavedBank {
  const found = banks.find((bank) => bank.name === name);
  if (found === undefined) throw new Error(`there is no bank ${name}`);
  return found;
}

/** What `sandbank open` says of a bundle in one line, without the name of the file; its exit code is 2. */
async function refusalOf(file: Buffer): Promise<string> {
  const path = join(folder, 'x.sandbank');
  writeFileSync(path, file);
  const { code, lines, errors } = await runMain(['open', path]);
  expect([code, lines, errors]).toEqual([2, [], [expect.not.stringContaining('\n')]]);
  return errors[0] ?? '';
}

describe('B2: a ledger is refused in one line, 2', () => {
  test.each<[what: string, change: (sqlite: BetterSqlite3.Database) => void, said: RegExp]>([
    [
      'with a balance that its entries do not give',
      rowsChanged('update account set balance_minor = 7'),
      /carries 0.07/,
    ],
    [
      'with entries that do not sum to zero',
      rowsChanged(
        'update entry set amount_minor = amount_minor + 1 where id = 1',
        'update account set balance_minor = balance_minor + 1 where id = (select account_id from entry where id = 1)',
      ),
      /do not sum to zero/,
    ],
    [
      'with a row that refers to none',
      rowsChanged('update payment set customer_id = 9999'),
      /refers to one that is not/,
    ],
    ['with a row that breaks a rule', rowsChanged('update account set customer_id = null'), /CHECK constraint failed/],
    ['with a trigger', (sqlite) => void sqlite.exec(trigger), /trigger more is not the ledger's/],
    [
      'without an index',
      (sqlite) => void sqlite.exec('drop index customer_number_in_use'),
      /customer_number_in_use is/,
    ],
  ])('%s', async (_what, change, said) => {
    const bank = bankOf('straks');
    const ledger = patched(bank.ledger, change);
    expect(ledger.equals(bank.ledger)).toBe(false);
    expect(await refusalOf(forged(contentOf(bank.json, ledger), bank))).toMatch(said);
  });

  test('the banks themselves are opened', async () => {
    for (const bank of banks) {
      const { copied: image } = await readBundle(forged(contentOf(bank.json, bank.ledger), bank));
      expect(image.bytes.equals(bank.ledger)).toBe(true);
    }
  });
});

const trigger = 'create trigger more after insert on payment begin delete from payment; end';

describe('B2: what goes beyond a limit of a running bank is refused, not cut', () => {
  const fault = { id: 1, code: 'SERVICE_BLOCKED', method: null, path: '/v1/users', times: 2, remaining: 1 };
  const many = (count: number, changes: object = {}): object[] =>
    Array.from({ length: count }, (_, index) => ({ ...fault, ...changes, id: index + 1 }));
  const entry = {
    ...{ key: 'k', at: null, wall: 0, method: 'GET', target: '/v1/users', rawHeaders: [], body: null, packet: null },
    ...{ status: 200, isDelivered: true, answer: null, facts: {}, touched: [], beforeReset: false },
  };
  const body = (length: number): object => ({ body: { latin1: 'x'.repeat(length), length } });
  test.each<[string, object, RegExp]>([
    ['101 armed faults', { faults: many(101) }, /faults: It has 101 items, at most 100 fit/],
    ['a fault for more calls than one may have', { faults: many(1, { times: 1_000_001 }) }, /faults\[0\]\.times/],
    ['a fault without calls left', { faults: many(1, { remaining: 0 }) }, /faults\[0\]\.remaining/],
    ['a fault of another path', { faults: many(1, { path: '/sandbox' }) }, /faults\[0\]\.path/],
    ['a fault without a method', { faults: many(1, { method: undefined }) }, /faults\[0\]\.method/],
    [
      'a fault that does nothing',
      { faults: many(1, { code: undefined }) },
      /faults\[0\]\.code: The fault does nothing/,
    ],
    ['a fault that does two things', { faults: many(1, { cut: true }) }, /faults\[0\]\.cut: code and cut cannot/],
    ['a code after the call', { faults: many(1, { when: 'after' }) }, /faults\[0\]\.when: A call that is refused/],
    ['a delay of an hour', { faults: many(1, { delay: 'PT60M' }) }, /faults\[0\]\.delay: "PT60M" is no delay/],
    ['half a window', { faults: many(1, { until: '2027-03-25T12:00:00+01:00' }) }, /faults\[0\]\.status: A window has/],
    ['more calls left than it had', { faults: many(1, { remaining: 3 }) }, /faults\[0\]\.remaining: .* fewer calls, 2/],
    ['two faults of one number', { faults: [fault, fault] }, /faults\[1\]\.id: Another fault has it/],
    ['501 requests', { requests: Array.from({ length: 501 }, () => entry) }, /requests: It has 501 items/],
    ['a body of more than 64 KB', { requests: [{ ...entry, ...body(65_537) }] }, /requests\[0\]\.body\.latin1/],
    [
      'a journal of more than 16 MB',
      { requests: Array(300).fill({ ...entry, ...body(65_536) }) },
      /a journal 16777216/,
    ],
    ['letters that are no bytes', { requests: [{ ...entry, body: { latin1: 'Ω', length: 1 } }] }, /latin1/],
    ['a status that is none', { requests: [{ ...entry, status: 7 }] }, /requests\[0\]\.status/],
    ['a key that leads elsewhere', { requests: [{ ...entry, key: '../x' }] }, /requests\[0\]\.key/],
    ['headers without an end', { requests: [{ ...entry, rawHeaders: Array(4_001).fill('a') }] }, /rawHeaders/],
    ['more CAs than a list has', { trustedCas: Array(1_001).fill('x') }, /trustedCas/],
    ['a long setting', { settings: { SANDBANK_QUIRKS: 'x'.repeat(9_000) } }, /^.{0,1200}$/],
  ])('%s', async (_what, changes, said) => {
    const bank = bankOf('straks');
    expect(await refusalOf(forged(contentOf({ ...bank.json, ...changes }, bank.ledger), bank))).toMatch(said);
  });

  test('E6f: the window of a fault that is over at its clock is left out, and one that is not is taken', async () => {
    const bank = bankOf('straks');
    const instantAt = (ms: number): string => new Date(Number(bank.json.now) + ms).toISOString();
    const windowUntil = (id: number, ms: number): object => {
      const { code: _none, ...rest } = { ...fault, method: null, path: null, id, times: 1 };
      return { ...rest, status: 503, from: instantAt(-3_600_000), until: instantAt(ms) };
    };
    const faults = [windowUntil(1, -1), windowUntil(2, 0), windowUntil(3, 1)];
    const read = await readBundle(forged(contentOf({ ...bank.json, faults }, bank.ledger), bank));
    expect(read.faults.map(({ id }) => id)).toEqual([3]);
  });

  test('100 armed faults, 500 requests and a body of 64 KB are taken', async () => {
    const bank = bankOf('straks');
    const requests = [...Array<object>(499).fill(entry), { ...entry, ...body(65_536) }];
    const bundle = await readBundle(
      forged(contentOf({ ...bank.json, faults: many(100), requests }, bank.ledger), bank),
    );
    expect([bundle.faults.length, bundle.entries.length]).toEqual([100, 500]);
  });
});
