import { describe, expect, test } from '@jest/globals';
import { allTrials } from '../../api/gauntlet/trials.ts';
import { placesOnDays } from '../../engine/accounts/places-on-days.ts';
import { localDate } from '../../engine/values/local-date.ts';
import { accountIdOf } from '../lab/consented.ts';
import { testBankForEach } from '../support/test-bank.ts';

/* Q31, H73: entryReference is a place, not an id. */
const bank = testBankForEach('2027-03-24T12:00:00+01:00', ['--quirks', 'positional-references']);
const nora = '09232911044';

interface Shown {
  readonly entryReference: string;
  readonly transactionId: string;
  readonly remittanceInformationUnstructured: string;
}

const accountPath = async (): Promise<string> =>
  `/v1/sandbox/accounts/${encodeURIComponent(await accountIdOf(bank.bank, 'nora'))}`;

async function post(path: string, text: string, bookingDate: string): Promise<void> {
  const dates = { bookingDate, valueDate: bookingDate };
  const body = [{ amount: '-10.00', currency: 'NOK', ...dates, remittanceInformationUnstructured: text }];
  expect((await bank.signed('POST', `${path}/transactions`, { body })).status).toBe(201);
}

async function listed(query = ''): Promise<Shown[]> {
  const headers = await bank.consents();
  const { body } = await bank.signed('GET', '/v1/accounts', { headers });
  const account = body.accounts.find((each: { bban: string }) => each.bban === nora);
  const path = `/v1/accounts/${encodeURIComponent(account.resourceId)}/transactions?bookingStatus=booked${query}`;
  return (await bank.signed('GET', path, { headers })).body.transactions.booked;
}

describe('Q31, H73: an entry that is booked late moves those after it, and transactionId stays', () => {
  test('a client that keeps transactions by entryReference loses a purchase', async () => {
    const path = await accountPath();
    await post(path, 'Kiosk', '2027-03-22');
    await post(path, 'Bakeri', '2027-03-22');
    const before = await listed();
    const named = (list: readonly Shown[]) =>
      list.map(({ entryReference, remittanceInformationUnstructured: text }) => `${entryReference} ${text}`);
    expect(named(before)).toEqual(['2027-03-22-1 Bakeri', '2027-03-22-2 Kiosk']);
    await post(path, 'Sen kiosk', '2027-03-22');
    const after = await listed();
    expect(named(after)).toEqual(['2027-03-22-1 Sen kiosk', '2027-03-22-2 Bakeri', '2027-03-22-3 Kiosk']);
    const by = (member: 'entryReference' | 'transactionId'): Map<string, string> =>
      new Map([...before, ...after].map((each) => [each[member], each.remittanceInformationUnstructured]));
    expect(new Set(by('transactionId').values()).size).toBe(3);
    // What it had as the bakery is now the late kiosk: the second sync has overwritten it.
    expect(by('entryReference').get(before[0]?.entryReference ?? '')).toBe('Sen kiosk');
    // A page has the places of the whole day.
    expect(named(await listed('&limit=1&offset=2'))).toEqual(['2027-03-22-3 Kiosk']);
  });
});

test('Q31: a list whose account is gone when the places are read has none', async () => {
  const day = localDate('2027-03-22');
  expect(await placesOnDays(bank.bank, 'gone', [{ bookingDate: day }])).toEqual(new Map());
});

test('Q31: the gauntlet tries it, and says the mistake', async () => {
  const trial = (await allTrials()).find(({ name }) => name === 'positional-references');
  expect(JSON.stringify(trial)).toContain('overwrites one purchase with another');
});
