import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import type { KnownState } from '../../engine/bank/known-state.ts';
import { consentedHeaders } from '../cards/card-client.ts';
import { bodyFaults, changed } from '../pipeline/faults-of.ts';
import { testBank } from '../support/test-bank.ts';

/* rules.md D4c: `--fixtures twins`, purchases that are equal but for their ids (register 11). */
// oxlint-disable-next-line typescript/no-explicit-any -- tests read members of answers whose shape they assert
type Shown = any;

const number = '09232911044';
const bank = testBank('2027-03-24T12:00:00+01:00', ['--fixtures=twins']);

/** The booked transactions of the account, and their details. */
async function booked(): Promise<{ readonly listed: Shown[]; readonly details: Shown[] }> {
  const headers = await consentedHeaders(bank);
  const get = async (path: string): Promise<Shown> => (await bank.signed('GET', path, { headers })).body;
  const { accounts } = await get('/v1/accounts');
  const { resourceId } = accounts.find(({ bban }: Shown) => bban === number);
  const path = `/v1/accounts/${resourceId}/transactions`;
  const listed: Shown[] = (await get(`${path}?dateFrom=2027-01-01&bookingStatus=booked`)).transactions.booked;
  const read = listed.map(async ({ transactionId }) => (await get(`${path}/${transactionId}`)).transactionsDetails);
  return { listed, details: await Promise.all(read) };
}

/** An item as text, without its id and the links that hold it. */
function withoutId(item: Shown): string {
  const text = JSON.stringify({ ...item, transactionId: undefined });
  return text.replaceAll(encodeURIComponent(item.transactionId), 'ID').replaceAll(item.transactionId, 'ID');
}

/** The items by all that they have but their ids: how many have it, if several. */
function twinsAmong(items: readonly Shown[]): number[] {
  const groups = Map.groupBy(items, withoutId);
  return [...groups.values()].map(({ length }) => length).filter((length) => length > 1);
}

describe('the fixtures twins', () => {
  test('H28, register 11: five groups are equal in date, amount, text and all else, in the list and alone; each has its id', async () => {
    const { listed, details } = await booked();
    expect(new Set(listed.map(({ transactionId }) => transactionId)).size).toBe(19);
    expect(listed).toHaveLength(19);
    expect([twinsAmong(listed).toSorted(), twinsAmong(details).toSorted()]).toEqual([
      [2, 2, 2, 2, 3],
      [2, 2, 2, 2, 3],
    ]);
  });

  test('register 11: some that are no twins share the text and the amount, or the text and the day', async () => {
    const { listed } = await booked();
    const alike = (key: (item: Shown) => unknown) => new Set(listed.map((item) => JSON.stringify(key(item)))).size;
    const different = alike((item) => [
      item.bookingDate,
      item.transactionAmount,
      item.remittanceInformationUnstructured,
    ]);
    expect(alike((item) => [item.transactionAmount, item.remittanceInformationUnstructured])).toBeLessThan(different);
    expect(alike((item) => [item.bookingDate, item.remittanceInformationUnstructured])).toBeLessThan(different);
    expect(different).toBe(19 - 6);
  });

  test('D4c: they are booked on banking days before the first bank date; the balance is the opening balance with them', async () => {
    const { listed } = await booked();
    const days = [...new Set<string>(listed.map(({ bookingDate }) => bookingDate))];
    // 5 and 64 days before Wednesday 24 March.
    expect([days[0], days.at(-1)]).toEqual(['2027-03-19', '2027-01-19']);
    expect(days.map((day) => new Date(day).getUTCDay()).filter((day) => day === 0 || day === 6)).toEqual([]);
    const account = await bank.control('GET', `/sandbox/accounts/${number}?from=2026-01-01`);
    const { booked: balance, entries } = account.body;
    const first = entries.map((entry: Shown) => entry.bookingDate).toSorted()[0];
    expect(first).toBe('2027-01-18');
    const sum = listed.reduce((total, { transactionAmount }) => total + Number(transactionAmount.amount), 18_000);
    expect(Number(balance.amount)).toBeCloseTo(sum, 5);
    expect((await bank.control('GET', '/sandbox/ledger/proof')).body).toMatchObject({ ok: true });
  });

  test('D4c: a reset to another beginning dates them anew', async () => {
    await bank.control('POST', '/sandbox/reset', { now: '2027-06-10T12:00:00+02:00' });
    const { listed } = await booked();
    // 5 days before Thursday 10 June is a Saturday.
    expect(listed[0].bookingDate).toBe('2027-06-04');
    expect(twinsAmong(listed).toSorted()).toEqual([2, 2, 2, 2, 3]);
  });
});

test('register 11: the known state has no twins, as it has no transactions', () => {
  const { customers } = JSON.parse(readFileSync('fixtures/known-state.json', 'utf8')) as KnownState;
  expect(customers.flatMap(({ accounts }) => accounts).filter((account) => 'transactions' in account)).toEqual([]);
});

describe('D4c: a wrong transaction of a known state is refused with its place and what would do', () => {
  const twins = JSON.parse(readFileSync('fixtures/twins.json', 'utf8')) as KnownState;
  const place = 'customers.0.accounts.0.transactions.1';
  test.each([
    ['daysAgo', 0, 'a whole number from 1 to 300'],
    ['daysAgo', 301, 'a whole number from 1 to 300'],
    ['daysAgo', 1.5, 'a whole number from 1 to 300'],
    ['daysAgo', undefined, 'a whole number from 1 to 300'],
    ['amount', '0.00', 'is zero'],
    ['amount', '-1.5', 'is refused'],
    ['amount', -42, 'Send it as a string'],
    ['remittanceInformationUnstructured', 'x'.repeat(141), 'at most 140 fit'],
    ['text', 'x', 'remittanceInformationUnstructured'],
  ])('%s: %j', (member, value, text) => {
    const faults = bodyFaults('known-state', changed(twins, `${place}.${member}`, value));
    expect(faults).toEqual([
      expect.objectContaining({
        path: `customers[0].accounts[0].transactions[1].${member}`,
        text: expect.stringContaining(text),
      }),
    ]);
  });
});
