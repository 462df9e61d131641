import { beforeEach, describe, expect, test } from '@jest/globals';
import { memoryBankForEach, testBankForEach } from '../support/test-bank.ts';
import { localDate } from '../../engine/values/local-date.ts';
import { transactionIdOf } from '../../engine/accounts/rules/transaction-list.ts';
import { addTransactions } from '../../engine/accounts/mock-transactions.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { listAccounts, readAccount, readBalances } from '../../engine/consents/read-account.ts';
import { listTransactions, readTransaction } from '../../engine/consents/list-transactions.ts';
import type { AccountRequest } from '../../engine/consents/account-access.ts';
import { at } from '../lab/bank.ts';
import { type Reply } from '../lab/server.ts';
import { rowsIn } from '../lab/rows.ts';
import { accountIdOf, consented, everything, otherTpp, refusalOf } from '../lab/consented.ts';

const bank = memoryBankForEach('2027-03-24T12:00:00+01:00');
let alone: AccountRequest;
let account: string;
let transaction: string;

beforeEach(async () => {
  alone = { ...(await consented(bank, 'nora')), psuIsPresent: false };
  account = await accountIdOf(bank, 'nora');
  const date = localDate('2027-03-01');
  const mock = { amount: -2110n, currency: 'NOK', bookingDate: date, valueDate: date, details: {} } as const;
  const [added] = await addTransactions(bank, account, [mock]);
  transaction = transactionIdOf(added?.transactionNumber ?? 0);
});

const reads: readonly (readonly [string, (request: AccountRequest) => Promise<unknown>])[] = [
  ['balances', (request) => readBalances(bank, request, account)],
  ['an account with its balances', (request) => readAccount(bank, request, account, true)],
  ['all accounts with their balances', (request) => listAccounts(bank, request, true)],
  ['transactions', (request) => listTransactions(bank, request, account, everything)],
  ['one transaction', (request) => readTransaction(bank, request, account, transaction)],
];

async function times(count: number, work: () => Promise<unknown>): Promise<void> {
  for (let done = 0; done < count; done++) await work();
}

describe('A8: four reads of each kind, account and 24 hours without the PSU', () => {
  test.each(reads)('%s', async (_, read) => {
    await times(4, () => read(alone));
    const refusal = await refusalOf(read(alone));
    expect(refusal).toMatchObject({ code: 'ACCESS_EXCEEDED', scaId: null });
    expect(refusal.text).toContain('Read again from 2027-03-25T12:00:00.000+01:00 on');
    await times(5, () => read({ ...alone, psuIsPresent: true }));
  });

  test('A7e: the first read of a day notes the use of the consent in its own commit', async () => {
    const used = () => rowsIn(bank, 'select used_on from consent');
    for (const day of ['2027-03-24', '2027-03-25']) {
      const before = bank.ledger.version();
      await readBalances(bank, alone, account);
      expect(bank.ledger.version() - before).toBe(1);
      expect(await used()).toEqual([{ used_on: day }]);
      await advanceClock(bank, at('2027-03-25T12:00:00+01:00'));
    }
  });

  test('the window slides with the bank clock: each read is free again 24 hours after it was made', async () => {
    const read = () => readBalances(bank, alone, account);
    await times(3, read);
    await advanceClock(bank, at('2027-03-24T18:00:00+01:00'));
    await read();
    await advanceClock(bank, at('2027-03-25T11:59:59.999+01:00'));
    expect((await refusalOf(read())).code).toBe('ACCESS_EXCEEDED');
    await advanceClock(bank, at('2027-03-25T12:00:00+01:00'));
    await times(3, read);
    const refusal = await refusalOf(read());
    expect(refusal.text).toContain('Read again from 2027-03-25T18:00:00.000+01:00 on');
  });

  test('what no longer counts is forgotten', async () => {
    await times(4, () => readBalances(bank, alone, account));
    await advanceClock(bank, at('2027-03-26T12:00:00+01:00'));
    await readBalances(bank, alone, account);
    expect(await rowsIn(bank, 'select * from unattended_read')).toHaveLength(1);
  });

  test('accounts, kinds and TPPs are counted each for itself', async () => {
    const [, second] = await listAccounts(bank, alone, false);
    await times(4, () => readBalances(bank, alone, account));
    await times(4, () => listTransactions(bank, alone, account, everything));
    await times(4, () => listTransactions(bank, alone, second?.account.resource_id ?? '', everything));
    await times(4, () => readTransaction(bank, alone, account, transaction));
    await times(4, () => readBalances(bank, alone, second?.account.resource_id ?? ''));
    const others = { ...(await consented(bank, 'nora', { tpp: otherTpp })), psuIsPresent: false };
    await times(4, () => readBalances(bank, others, account));
    expect((await refusalOf(readBalances(bank, others, account))).code).toBe('ACCESS_EXCEEDED');
  });

  test('the list of accounts without balances, and reads that were refused, are not counted', async () => {
    await times(9, () => listAccounts(bank, alone, false));
    const never = { ...everything, dateFrom: localDate('2027-03-24'), dateTo: localDate('2027-03-23') };
    await times(9, () => refusalOf(listTransactions(bank, alone, account, never)));
    await times(9, () => refusalOf(readTransaction(bank, alone, account, 'enc!!none')));
    expect(await rowsIn(bank, 'select * from unattended_read')).toEqual([]);
  });
});

describe('A8: how far back without the PSU', () => {
  test('90 days are open; before that PERIOD_INVALID, even in a live session, and nothing is counted', async () => {
    const from = (date: string) => ({ ...everything, dateFrom: localDate(date) });
    expect((await listTransactions(bank, alone, account, from('2026-12-24'))).booked).toHaveLength(1);
    const refusal = await refusalOf(listTransactions(bank, alone, account, from('2026-12-23')));
    expect(refusal).toMatchObject({ code: 'PERIOD_INVALID', path: 'dateFrom', scaId: null });
    expect(refusal.text).toContain('before 2026-12-24');
    const present = { ...alone, psuIsPresent: true };
    expect((await listTransactions(bank, present, account, from('2026-12-23'))).booked).toHaveLength(1);
    expect(await rowsIn(bank, 'select * from unattended_read')).toHaveLength(1);
  });

  test('a single transaction that is older: PERIOD_INVALID', async () => {
    await advanceClock(bank, at('2027-06-30T12:00:00+02:00'));
    expect((await refusalOf(readTransaction(bank, alone, account, transaction))).code).toBe('PERIOD_INVALID');
  });

  test('180 days after the last SCA access has lapsed: CONSENT_EXPIRED', async () => {
    await advanceClock(bank, at('2027-09-20T12:00:00+02:00'));
    await readBalances(bank, alone, account);
    await advanceClock(bank, at('2027-09-20T12:00:01+02:00'));
    expect((await refusalOf(readBalances(bank, alone, account))).code).toBe('CONSENT_EXPIRED');
  });
});

describe('A8b: on the wire', () => {
  const server = testBankForEach('2027-03-24T12:00:00+01:00');
  let headers: Record<string, string | null>;
  let path: string;
  beforeEach(async () => {
    headers = { ...(await server.consents()), 'psu-ip-address': null };
    const list = await server.signed('GET', '/v1/accounts', { headers });
    path = `/v1/accounts/${list.body.accounts[0].resourceId}/transactions`;
  });

  const get = (target: string): Promise<Reply> => server.signed('GET', target, { headers });
  const advance = (by: string): Promise<Reply> => server.advance({ by });

  test('interface, PSU identification 12: H32, register 39: transactions are read unattended four times in 24 hours, 90 days back, without a session', async () => {
    headers = { ...headers, 'tpp-session-id': null };
    await advance('PT2H');
    for (let call = 0; call < 4; call += 1) expect((await get(`${path}?dateFrom=2026-12-24`)).status).toBe(200);
    expect((await get(path)).body.tppMessages[0].code).toBe('ACCESS_EXCEEDED');
    await advance('P1D');
    const tooOld = await get(`${path}?dateFrom=2026-12-24`);
    expect([tooOld.status, tooOld.body.tppMessages[0].code]).toEqual([400, 'PERIOD_INVALID']);
    expect((await get(path)).status).toBe(200);
  });

  test('each page of a list is one of the four reads, and the refusal says so', async () => {
    for (let page = 0; page < 4; page += 1) expect((await get(`${path}?limit=1&offset=${page}`)).status).toBe(200);
    const fifth = await get(`${path}?limit=1&offset=4`);
    expect(fifth.status).toBe(429);
    expect(fifth.body.tppMessages[0].text).toContain('Each page of a list is one read');
    for (let call = 0; call < 4; call += 1) await get(path.replace('transactions', 'balances'));
    const balances = await get(path.replace('transactions', 'balances'));
    expect([balances.status, balances.body.tppMessages[0].text]).toEqual([429, expect.not.stringContaining('page')]);
  });

  test('Retry-After is the bank time until the next read: one second less and it is refused', async () => {
    await get(path);
    await advance('PT1H');
    for (let call = 0; call < 3; call += 1) await get(path);
    await advance('PT30M');
    const refused = await get(path);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, String(22.5 * 3600)]);
    await advance('PT22H29M59S');
    expect((await get(path)).headers.get('retry-after')).toBe('1');
    await advance('PT1S');
    const allowed = await get(path);
    expect([allowed.status, allowed.headers.get('retry-after')]).toEqual([200, null]);
  });

  test('a provoked one is a day', async () => {
    await server.control('POST', '/sandbox/faults', { code: 'ACCESS_EXCEEDED' });
    const refused = await get('/v1/accounts');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '86400']);
  });
});
