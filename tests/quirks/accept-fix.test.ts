import { beforeAll, describe, expect, test } from '@jest/globals';
import { loadProfile } from '../../api/start/profile.ts';
import { cards, consentedHeaders, purchase, sandboxCards, scriptedCard } from '../cards/card-client.ts';
import { testBank } from '../support/test-bank.ts';

/* rules.md Q20: `accept-fix-dates`. The bank is on the last day before the first date of the document and of Sogn og Fjordane. */
const amounts = 'cardaccount-switch-originalamount-and-transactionamount';
const longName = `${'x'.repeat(33)}åø${'y'.repeat(30)}`;
const shortName = longName.slice(0, 35);
const bank = testBank('2024-09-04T12:00:00+02:00');
let psu: Record<string, string>;

beforeAll(async () => {
  const bought = { ...purchase, bookingDate: '2024-09-03', transactionDate: '2024-09-02' };
  const { originalAmount: _none, ...inNok } = { ...bought, cardTransactionId: 'purchase-2' };
  const account = {
    customerNumber: '13039319955',
    accountName: longName,
    bban: '90412263056',
    currency: 'NOK',
    balances: [{ balanceType: 'EXPECTED', balanceAmount: { amount: 100, currency: 'NOK' } }],
  };
  await bank.signed('POST', '/v1/sandbox/accounts', { body: account });
  const card = (await bank.signed('POST', sandboxCards, { body: { ...scriptedCard, name: longName } })).body;
  await bank.signed('POST', `${sandboxCards}/${card.resourceId}/transactions`, { body: [bought] });
  await bank.signed('POST', `${sandboxCards}/${card.resourceId}/transactions`, { body: [inNok] });
  psu = await consentedHeaders(bank);
});

const get = async (path: string, sent: string | null) => {
  const { status, body } = await bank.signed('GET', path, { headers: { ...psu, 'x-accept-fix': sent } });
  expect(status).toBe(200);
  return body;
};

/** What a client that sends this header sees: the amounts of both purchases, and the names in lists and alone. */
async function seen(sent: string | null): Promise<{ readonly amounts: string[]; readonly names: string[] }> {
  const { accounts } = await get('/v1/accounts', sent);
  const account = accounts.find(({ bban }: Record<string, string>) => bban === '90412263056');
  const { cardAccounts } = await get(cards, sent);
  const card = cardAccounts.find((each: Record<string, string>) => each['name']?.startsWith('xxx'));
  const { booked } = (await get(`${cards}/${card.resourceId}/transactions`, sent)).cardTransactions;
  const alone = [
    (await get(`/v1/accounts/${account.resourceId}`, sent)).account,
    (await get(`${cards}/${card.resourceId}`, sent)).cardAccount,
  ];
  const text = (amount?: Record<string, string>) =>
    amount === undefined ? '-' : `${amount['amount']} ${amount['currency']}`;
  return {
    amounts: booked.map(
      ({ transactionAmount, originalAmount }: Record<string, Record<string, string>>) =>
        `${text(transactionAmount)} of ${text(originalAmount)}`,
    ),
    names: [...new Set<string>([account, card, ...alone].map(({ name }) => name))],
  };
}

const under = async (value: string | boolean) => {
  const { status } = await bank.quirks({ 'accept-fix-dates': value });
  expect(status).toBe(200);
};
const ofSogn = String((await loadProfile('sparebank1-sogn-og-fjordane')).quirks['accept-fix-dates']);
const right = ['1165.50 NOK of -', '1165.50 NOK of 100.00 EUR'];
const exchanged = ['1165.50 NOK of -', '100.00 EUR of 1165.50 NOK'];

describe('Q20b: before the dates of the document', () => {
  test.each([
    ['by default', false, null, right, longName],
    ['register 45: nothing sent', true, null, exchanged, shortName],
    ['register 45: an empty header', true, '', exchanged, shortName],
    ['register 45: a value that is unknown', true, 'none', exchanged, shortName],
    ['register 45: the amounts sent', true, amounts, right, shortName],
    ['register 45: the names sent', true, 'longer-names', exchanged, longName],
    ['register 45: both sent', true, `longer-names, ${amounts}`, right, longName],
    ['Q1c: one day after the start, on the day of the start', 'card-amounts:P1D', null, exchanged, shortName],
    ['register 46: those of Sogn og Fjordane, a day before', ofSogn, null, exchanged, shortName],
    ['register 46: one date moved', 'card-amounts:2024-09-04', null, right, shortName],
  ])('%s', async (_what, value, sent, cardAmounts, name) => {
    await under(value);
    expect(await seen(sent)).toEqual({ amounts: cardAmounts, names: [name] });
  });
});

test('Q20: a text has the amount of the purchase, though it is shown exchanged', async () => {
  await under(true);
  await bank.quirks({ 'text-forms': 'bien' });
  const { cardAccounts } = await get(cards, null);
  const card = cardAccounts.find((each: Record<string, string>) => each['name']?.startsWith('xxx'));
  const { booked } = (await get(`${cards}/${card.resourceId}/transactions`, null)).cardTransactions;
  await bank.quirks({ 'text-forms': false });
  expect(booked[1]).toMatchObject({
    transactionAmount: { amount: '100.00', currency: 'EUR' },
    transactionDetails: '*4321 02.09 EUR 100.00 Supermercado Kurs: 11.6550',
  });
});

test('register 46: each change is the default from its date on', async () => {
  const advance = (to: string) => bank.advance({ to });
  await under('card-amounts:2024-09-05');
  const days = [await seen(null)];
  for (const to of ['2024-09-05T00:00:00+02:00', '2024-09-30T23:59:59+02:00', '2024-10-01T00:00:00+02:00']) {
    await advance(to);
    days.push(await seen(null));
  }
  expect(days).toEqual([
    { amounts: exchanged, names: [shortName] },
    { amounts: right, names: [shortName] },
    { amounts: right, names: [shortName] },
    { amounts: right, names: [longName] },
  ]);
  // The document's date of the amounts is later.
  await under(true);
  expect(await seen(null)).toEqual({ amounts: exchanged, names: [longName] });
  await advance('2024-11-13T00:00:00+01:00');
  expect(await seen(null)).toEqual({ amounts: right, names: [longName] });
});

test.each([
  ['longer-names:2024-10-32'],
  ['longer-names'],
  ['longer-names:2024-10-01/longer-names:2024-10-02'],
  ['group-batch:2020-08-01'],
  [`${amounts}:2024-11-13`],
  ['longer-names:2024-10-01:2'],
  [''],
])('Q20: the value %j is refused with what would do', async (value) => {
  const { status, body } = await bank.quirks({ 'accept-fix-dates': value });
  expect([status, body.errors[0].path]).toEqual([400, 'quirks.accept-fix-dates']);
  expect(body.errors[0].detail).toMatch(
    /: expected card-amounts:2024-11-13\/longer-names:2024-10-01, with card-amounts, longer-names, amount-as-string, each at most once/,
  );
});

test('Q1c: a day after the start of the clock the change is the default', async () => {
  await under('card-amounts:P1D');
  await bank.advance({ by: 'P1D' });
  expect((await seen(null)).amounts).toEqual(right);
});
