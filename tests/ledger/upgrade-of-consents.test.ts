import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import BetterSqlite3 from 'better-sqlite3';
import { openBank, type Bank } from '../../engine/bank.ts';
import { randomIds } from '../../engine/bank/ids.ts';
import { listAccounts } from '../../engine/consents/list-accounts.ts';
import { at, calendar, knownState, manualClock } from '../support/bank.ts';
import { orRefusal, pay, people, tpp, type Person } from '../support/payments.ts';
import { brokenProofs } from '../support/proof.ts';
import { rowsOf } from '../support/rows.ts';

/*
 * What the program wrote before migration 011 (commit d1fdcf2), as `sqlite3 .dump` shows it. To one TPP, at 2027-04-13 09:00:
 * Nora signed a payment, then consented to two of her accounts; Even granted a consent directly with the bank; Kari consented
 * in an SCA that named her and had no session; Anne consented to no account, in one that named nobody and had no session;
 * Per consented to his account, then to none.
 */
const older = readFileSync(new URL('ledger-of-008-consents.sql', import.meta.url), 'utf8');
const start = at('2027-04-13T09:00:00+02:00');

let folder: string;
let bank: Bank;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sandbank-upgrade-'));
  const ledger = join(folder, 'ledger.sqlite');
  const file = new BetterSqlite3(ledger);
  file.exec(older);
  file.close();
  bank = await openBank({ ledger, wall: manualClock(start), ids: randomIds, calendar, knownState });
});
afterEach(async () => {
  await bank.close();
  rmSync(folder, { recursive: true, force: true });
});

async function column(statement: string): Promise<unknown[]> {
  const rows = await bank.ledger.read((reader) => rowsOf(reader, statement));
  return rows.map(({ value }) => value);
}

test('011, A5: a PSU is known where the ledger shows an SCA: a session, a signature, or an approved SCA that awaited it', async () => {
  const known = `select customer_number as value from psu join customer c on c.id = psu.customer_id
    where known_by_sca = 1 order by psu.id`;
  expect(await column(known)).toEqual([people.nora.psu, people.kari.psu, people.per.psu]);
  expect((await pay(bank, { from: 'nora', to: 'savings', amount: '2.00' })).payment.status).toBe('PDNG');
});

test('011, A7c: a consent to no account is none any more; the others are as they were', async () => {
  const request = { tpp, context: null, redirectUri: 'https://tpp.example/back', sessionId: null, psuIsPresent: true };
  const read = async (person: Person): Promise<unknown> => {
    const psu = { psuIdentity: people[person].psu };
    const accounts = await orRefusal(listAccounts(bank, { ...request, psu }, false));
    return typeof accounts === 'string' ? accounts : accounts.length;
  };
  expect([await read('nora'), await read('even'), await read('kari')]).toEqual([2, 4, 2]);
  expect([await read('anne'), await read('per')]).toEqual(['CONSENT_INVALID', 'CONSENT_INVALID']);
  expect(await column('select ended_at is null as value from consent order by id')).toEqual([1, 1, 1, 0, 0, 0]);
  expect(await brokenProofs(bank)).toEqual({});
});
