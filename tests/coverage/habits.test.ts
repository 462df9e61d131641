import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Quirk } from '../../engine/bank/rules/quirk.ts';
import { allQuirks } from '../../api/habits/index.ts';
import { listBehaviours } from '../../api/coverage/behaviours.ts';
import { periodicPath, periodicPayment, singlePath, singlePayment } from '../lab/bodies.ts';
import { dayAfter } from '../lab/simulation/days.ts';
import { paid, sepaPayment } from '../lab/products.ts';
import { cards, consentedHeaders } from '../cards/card-client.ts';
import { Statement } from '../habits/statement.ts';

/* Coverage, kind habit: one is met by an answer that it changed. */
let statement: Statement;
beforeAll(async () => {
  statement = await Statement.begin();
});
afterAll(() => statement.stop());

const habits = (await listBehaviours()).filter(({ kind }) => kind === 'habit').map(({ name }) => name as Quirk);
const psu = { 'x-psu-identity': '13039319955', 'psu-context': 'PRIVATE' };

/** Names of the habits that the TPP has met by this. */
async function metBy(story: () => Promise<unknown>): Promise<string[]> {
  await statement.bank.control('DELETE', '/sandbox/coverage', {});
  await story();
  const { body } = await statement.bank.control('GET', '/sandbox/coverage');
  return body.behaviours
    .filter((one: { kind: string; met: boolean }) => one.kind === 'habit' && one.met)
    .map(({ name }: { name: string }) => name);
}

async function initiated({ isSigned = false, to = '90491105991' } = {}): Promise<string> {
  const creditorAccount = { bban: to, currency: 'NOK' };
  const sent = { body: singlePayment({ creditorAccount }), headers: psu };
  const { body } = await statement.bank.signed('POST', `${singlePath}?allowLogicalDuplicate=true`, sent);
  const { scaRedirect } = body._links;
  // What a known PSU pays to itself needs no SCA.
  if (isSigned && scaRedirect !== undefined) await statement.bank.approve(scaRedirect.href, psu['x-psu-identity']);
  return `${singlePath}/${encodeURIComponent(body.paymentId)}`;
}

/** An entry of an earlier day that was posted last stands first in the order of posting. */
async function listLate(): Promise<void> {
  await statement.post([-1], '2027-03-15');
  await statement.list();
}

/** Posts a mock transaction on the Monday of last week, with these members; without the quirk of its dates the bank may refuse it. */
async function listDated(members: (day: (days: number) => string) => object): Promise<void> {
  const { now } = (await statement.bank.control('GET', '/sandbox/clock')).body;
  const today = now.slice(0, 10);
  const monday = dayAfter(today, -6 - new Date(today).getUTCDay());
  await statement
    .post(
      [-1],
      monday,
      members((days) => dayAfter(monday, days)),
    )
    .catch(() => null);
  await statement.list();
}

/** A fee that the last run of the next month charges that ends on a weekend, in the list of the month after. */
async function listFee(): Promise<void> {
  const { now } = (await statement.bank.control('GET', '/sandbox/clock')).body;
  const to = now < '2028-04-28' ? '2028-04-28T14:00:00+02:00' : '2028-09-29T14:00:00+02:00';
  await statement.bank.control('POST', '/sandbox/clock/advance', { to });
  await paid(statement.bank, 'sepa', sepaPayment());
  await askedAfter(wait('P4D'), '/v1/accounts/{account}/transactions');
}

/** One page of many. */
const listPage = (): Promise<unknown> => statement.list('bookingStatus=booked&limit=1');

/** The PSU consents to `accounts` (left out: all), something happens, the TPP asks, perhaps alone, and the PSU consents to all again. */
async function askedAfter(
  happens: () => Promise<unknown>,
  path: string,
  { accounts, isAlone = false }: { readonly accounts?: readonly string[]; readonly isAlone?: boolean } = {},
): Promise<void> {
  const { bank } = statement;
  const headers = await consentedHeaders(bank, accounts);
  const { body } = await bank.signed('GET', '/v1/accounts', { headers });
  await happens();
  await bank.signed('GET', path.replace('{account}', body.accounts[0].resourceId), {
    headers: { ...headers, ...(isAlone && { 'psu-ip-address': null }) },
  });
  await consentedHeaders(bank);
}

const wait = (by: string) => (): Promise<unknown> => statement.bank.control('POST', '/sandbox/clock/advance', { by });

async function revoke(): Promise<void> {
  const { consents } = (await statement.bank.control('GET', '/sandbox/consents')).body;
  await statement.bank.control('DELETE', `/sandbox/consents/${consents.at(-1).consentId}`);
}

const list = (): Promise<unknown> => statement.list();
/** What a client does to meet a habit; the list of an account shows the others. */
const stories: Readonly<Partial<Record<Quirk, () => Promise<unknown>>>> = {
  'status-before-approval': async () => statement.bank.signed('GET', `${await initiated()}/status`, { headers: psu }),
  'lenient-headers': () =>
    statement.bank.signed('POST', periodicPath, {
      body: periodicPayment(),
      headers: { ...psu, 'x-accept-fix': null, 'tpp-session-id': null },
    }),
  'id-lengths': () => statement.bank.signed('GET', '/v1/accounts', { headers: statement.headers }),
  order: listLate,
  'no-next-link': listPage,
  'full-history': () => askedAfter(wait('PT61M'), '/v1/accounts/{account}/transactions?dateFrom=2020-01-01'),
  'consent-days': () => askedAfter(wait('P91D'), '/v1/accounts'),
  'details-days': () => askedAfter(wait('P91D'), '/v1/accounts/{account}/transactions/any', { isAlone: true }),
  'revoked-403': () => askedAfter(revoke, '/v1/accounts'),
  'no-cards-404': () => askedAfter(wait('PT1M'), cards, { accounts: ['09232911044'] }),
  'fee-indicator': () => initiated(),
  'sca-query': () => initiated(),
  'status-lag': async () =>
    statement.bank.signed('GET', `${await initiated({ isSigned: true })}/status`, { headers: psu }),
  'accept-fix-dates': () => statement.cardList('bookingStatus=booked&dateFrom=2027-03-01'),
  'own-accounts-at-once': () => paidInside('70323119469'),
  'same-bank-at-once': () => paidInside('74712699947'),
  'value-date': async () => {
    const { now } = (await statement.bank.control('GET', '/sandbox/clock')).body;
    const evening = `${now.slice(0, 10)}T23:00:00${now.slice(-6)}`;
    await statement.bank.control('POST', '/sandbox/clock/advance', { to: evening });
    await paidInside('74712699947');
  },
  'card-value-dates': () => listDated(() => ({ originalAmount: { amount: -10, currency: 'EUR' } })),
  'weekend-values': () => listDated((day) => ({ valueDate: day(-2) })),
  'month-end-bookings': listFee,
  'no-status-in-details': async () => statement.bank.signed('GET', await initiated(), { headers: psu }),
};

/** The PSU signs a payment to an account of this bank, and the TPP asks for its status. */
async function paidInside(to: string): Promise<unknown> {
  return statement.bank.signed('GET', `${await initiated({ isSigned: true, to })}/status`, { headers: psu });
}

/** Values that show a quirk at the time of this bank, where the usual one does not. */
const values: Readonly<Partial<Record<Quirk, string>>> = { 'accept-fix-dates': 'card-amounts:2030-01-01' };

test('they are the quirks that a bank was seen to have', async () => {
  const seen = (await allQuirks()).filter(({ banks }) => banks.length > 0);
  expect(habits).toEqual(seen.map(({ name }) => name));
});

describe.each(habits)('%s', (name) => {
  const story = stories[name] ?? list;

  test('is met by an answer that it changed', async () => {
    await statement.under({ [name]: values[name] ?? true });
    expect(await metBy(story)).toContain(name);
  });

  test('is not met without it', async () => {
    await statement.under({});
    expect(await metBy(story)).toEqual([]);
  });
});

test('a habit that changed nothing of an answer is not met', async () => {
  await statement.under({ 'fee-indicator': true, 'pending-dates': true, 'text-forms': true });
  expect(await metBy(() => statement.bank.signed('GET', '/v1/accounts', { headers: statement.headers }))).toEqual([]);
});

test('of two quirks that share a habit the one is met that concerns the answer', async () => {
  await statement.under({ 'id-lengths': true, 'reissued-ids': true });
  expect(await metBy(() => statement.bank.signed('GET', '/v1/accounts', { headers: statement.headers }))).toEqual([
    'id-lengths',
  ]);
});

test('a refusal can be changed too, and one before the request was understood', async () => {
  await statement.under({ 'plain-json': true });
  expect(await metBy(() => statement.bank.raw('GET', '/v1/nothing'))).toEqual(['plain-json']);
});

test('a consent that has lapsed without consent-days too is none of it', async () => {
  await statement.under({ 'consent-days': true });
  expect(await metBy(() => askedAfter(wait('P181D'), '/v1/accounts'))).toEqual([]);
});

test('a TPP has met what it was shown', async () => {
  await statement.under({ 'pending-dates': true });
  await metBy(list);
  const { body } = await statement.bank.control('GET', '/sandbox/coverage?tpp=nobody');
  expect(body.behaviours.filter(({ met }: { met: boolean }) => met)).toEqual([]);
});
