import { beforeAll, describe, expect, test } from '@jest/globals';
import { debtorBban, singlePath, singlePayment } from '../lab/bodies.ts';
import { EventClient } from '../lab/event-client.ts';
import type { Reply } from '../lab/server.ts';
import { consentedTransactions } from '../support/transactions.ts';
import { testBank } from '../support/test-bank.ts';

/* rules.md Q3, control plane C13: under quirks that change ids the control plane takes and shows both. */

const psu = '13039319955';
const quirks = { 'id-lengths': 'transaction:241/payment:69/resource:120', 'reissued-ids': 'P30D' };
const ledgerForm = /^enc!![\w-]{42}==$/;

const bank = testBank('2027-03-24T12:00:00+01:00');
let psuId = '';
/** Ids as the wire has them. */
const wire = { payment: '', account: '', basket: '', transaction: '' };
/** The same payment as the ledger has it. */
let ledgerPayment = '';
beforeAll(async () => {
  await bank.control('PUT', '/sandbox/quirks', { quirks });
  await bank.control('POST', `/sandbox/accounts/${debtorBban}/top-up`, {
    amount: { amount: '10.00', currency: 'NOK' },
  });
  const { path, booked, headers } = await consentedTransactions(bank, psu, debtorBban);
  psuId = headers['psu-id'] ?? '';
  wire.account = decodeURIComponent(path.split('/')[3] ?? '');
  wire.transaction = booked[0].transactionId;
  wire.payment = await paid();
  wire.basket = (await asPsu('POST', '/v1/signing-baskets', { paymentIds: [wire.payment] })).body.basketId;
  await asPsu('POST', `/v1/signing-baskets/${wire.basket}/authorisations`);
  ledgerPayment = (await get(`payments/${encodeURIComponent(wire.payment)}`)).body.paymentId;
});

const get = (path: string) => bank.control('GET', `/sandbox/${path}`);
const asPsu = (method: string, path: string, body?: unknown) =>
  bank.signed(method, path, { body, headers: { 'psu-id': psuId, 'psu-context': 'PRIVATE' } });

async function paid(on = '2027-04-15'): Promise<string> {
  const body = singlePayment({ requestedExecutionDate: on });
  const made = await asPsu('POST', `${singlePath}?allowLogicalDuplicate=true`, body);
  expect(made.status).toBe(201);
  return made.body.paymentId;
}

async function signed(on?: string): Promise<string> {
  const id = await paid(on);
  const { body } = await asPsu('POST', `${singlePath}/${id}/authorisations`);
  await bank.approve(body);
  return id;
}

type Members = Readonly<Record<string, unknown>>;

/** Every object of an answer. */
function objectsIn(value: unknown): Members[] {
  if (typeof value !== 'object' || value === null) return [];
  return [...(Array.isArray(value) ? [] : [value as Members]), ...Object.values(value).flatMap(objectsIn)];
}

/** The members that an answer of the control plane has beside those of the ledger, by what shows them. */
const shows: readonly (readonly [path: () => string, name: string, wireName: string, id: () => string])[] = [
  [() => 'payments', 'paymentId', 'wirePaymentId', () => wire.payment],
  [() => `payments/${encodeURIComponent(ledgerPayment)}`, 'paymentId', 'wirePaymentId', () => wire.payment],
  [() => `search?q=${ledgerPayment.slice(5, 15)}`, 'id', 'wireId', () => wire.payment],
  [() => 'sca', 'basketId', 'wireBasketId', () => wire.basket],
  [() => 'consents', 'id', 'wireId', () => wire.account],
  [() => `accounts/${debtorBban}`, 'transactionId', 'wireTransactionId', () => wire.transaction],
];

describe('it shows both', () => {
  test.each(shows)('C13: %p has %s and %s', async (path, name, wireName, id) => {
    const { status, body } = await get(path());
    expect(status).toBe(200);
    const found = objectsIn(body).find((each) => each[wireName] === id());
    expect(found?.[name]).toMatch(/^enc!![\w-]{42}==$|^enc!![\w-]{22}==$/);
    await bank.quirks({ 'id-lengths': false, 'reissued-ids': false });
    const usual = await get(path());
    await bank.control('PUT', '/sandbox/quirks', { quirks });
    expect(objectsIn(usual.body).filter((each) => wireName in each)).toEqual([]);
    expect(objectsIn(usual.body).find((each) => each[name] === found?.[name])).toBeDefined();
  });

  test('C13: an open SCA names the payments that it signs', async () => {
    const { body } = await get('sca');
    const own = body.scas.find(({ wireBasketId }: { wireBasketId?: string }) => wireBasketId === wire.basket);
    expect([own.payments, own.wirePayments]).toEqual([[ledgerPayment], [wire.payment]]);
  });

  test('C13: the forecast and the report of a run', async () => {
    await bank.control('POST', '/sandbox/snapshots', { name: 'runs' });
    const id = await signed('2027-04-01');
    const { body: forecast } = await get('forecast?to=P30D');
    expect(objectsIn(forecast).map(({ wirePaymentId }) => wirePaymentId)).toContain(id);
    await bank.advance({ to: '2027-04-07' });
    const { body: run } = await get('runs/2027-04-01-1');
    expect(objectsIn(run).map(({ wirePaymentId }) => wirePaymentId)).toContain(id);
    await bank.control('POST', '/sandbox/snapshots/runs/restore', {});
  });

  test('C13: a transaction has the id of now, and a payment keeps its own', async () => {
    await bank.control('POST', '/sandbox/snapshots', { name: 'before' });
    await bank.advance({ by: 'P30D' });
    const [entry] = objectsIn((await get(`accounts/${debtorBban}`)).body).filter((each) => 'wireTransactionId' in each);
    expect(entry?.['wireTransactionId']).not.toBe(wire.transaction);
    const { path, booked } = await consentedTransactions(bank, psu, debtorBban);
    expect(path).toContain(encodeURIComponent(wire.account));
    const ids = booked.map(({ transactionId }: { transactionId: string }) => transactionId);
    expect(ids).toContain(entry?.['wireTransactionId']);
    expect((await get(`payments/${encodeURIComponent(wire.payment)}`)).body.paymentId).toBe(ledgerPayment);
    await bank.control('POST', '/sandbox/snapshots/before/restore', {});
  });

  test('C13: the journal has what was sent, and leads to the payment', async () => {
    await asPsu('GET', `${singlePath}/${wire.payment}`);
    const { body } = await get('requests?limit=1');
    const [{ requestId, target }] = body.requests;
    expect(target).toBe(`${singlePath}/${wire.payment}`);
    const [whole] = (await get(`requests/${encodeURIComponent(requestId)}`)).body.requests;
    expect(whole.links).toEqual([expect.objectContaining({ paymentId: ledgerPayment, wirePaymentId: wire.payment })]);
    expect([whole.answer.paymentId, whole.answer.wirePaymentId]).toEqual([wire.payment, undefined]);
  });
});

test('C13: an answer that was recorded before the quirk is shown as it was', async () => {
  await bank.quirks({ 'id-lengths': false, 'reissued-ids': false });
  const id = await paid();
  await bank.control('PUT', '/sandbox/quirks', { quirks });
  const all: readonly { requestId: string }[] = (await get('requests?limit=1')).body.requests;
  const [whole] = (await get(`requests/${all[0]?.requestId}`)).body.requests;
  expect([whole.answer.paymentId, whole.answer.wirePaymentId]).toEqual([id, undefined]);
  expect(whole.links[0].wirePaymentId).toHaveLength(69);
});

describe('it takes both', () => {
  const both = [
    ['the wire', () => wire.payment],
    ['the ledger', () => ledgerPayment],
  ] as const;

  test.each(both)('C13: a payment by the id of %s', async (_whose, id) => {
    const { status, body } = await get(`payments/${encodeURIComponent(id())}`);
    expect([status, body.paymentId, body.wirePaymentId]).toEqual([200, ledgerPayment, wire.payment]);
  });

  test.each(both)('C13: a search for the id of %s', async (_whose, id) => {
    const { body } = await get(`search?q=${encodeURIComponent(` ${id()} `)}`);
    expect(body.results).toEqual([
      expect.objectContaining({ kind: 'payment', id: ledgerPayment, wireId: wire.payment }),
    ]);
  });

  test('C13: an unknown id is unknown, and named as it was sent', async () => {
    // The first letters are filler, the same in every id of the bank.
    const other = wire.payment.replace(/(?<=^enc!!)./, (letter) => (letter === 'A' ? 'B' : 'A'));
    const { status, body } = await get(`payments/${encodeURIComponent(other)}`);
    expect(status).toBe(404);
    expect(body.detail).toContain(`There is no payment ${other}.`);
  });

  const acts = [
    ['POST', '/reject', { reason: 'the account is closed' }],
    ['POST', '/status', { status: 'ACWC' }],
    ['POST', '/cancel', {}],
    ['PATCH', '', { amount: { amount: '5.00', currency: 'NOK' } }],
  ] as const;
  test.each(acts)('C13: %s of a payment%s by the id of the wire', async (method, act, body) => {
    const id = await signed();
    const done = await bank.control(method, `/sandbox/payments/${encodeURIComponent(id)}${act}`, body);
    expect([done.status, done.body.wirePaymentId]).toEqual([200, id]);
  });

  test('C13: an advance until a payment has a status, as JSON and as events', async () => {
    await bank.control('POST', '/sandbox/snapshots', { name: 'advance' });
    const until = (id: string): object => ({ until: { paymentId: id, status: 'ACSC' } });
    const answer = await bank.advance(until(await signed('2027-03-30')));
    expect([answer.status, answer.body.reached]).toEqual([200, true]);
    const body = JSON.stringify(until(await signed('2027-04-06')));
    const headers = { 'content-type': 'application/json', accept: 'text/event-stream' };
    const events = await fetch(`${bank.address}/sandbox/clock/advance`, { method: 'POST', headers, body });
    expect(await events.text()).toMatch(/event: done\ndata: .*"reached":true/);
    await bank.control('POST', '/sandbox/snapshots/advance/restore', {});
  });

  test('C13: accounts that a PSU grants, directly and in an SCA', async () => {
    const tpp = (await get('consents')).body.consents[0].tpp;
    const direct = await bank.control('POST', '/sandbox/consents', { tpp, psu, accounts: [wire.account] });
    expect(direct.body.accounts.map((one: { wireId: string }) => one.wireId)).toEqual([wire.account]);
    const offered = await bank.signed('POST', '/v1/bank-offered-consents', { headers: { 'psu-context': 'PRIVATE' } });
    await bank.approve(offered.body, psu, { accounts: [wire.account] });
    const { body } = await asPsu('GET', '/v1/accounts');
    expect(body.accounts.map((one: { resourceId: string }) => one.resourceId)).toEqual([wire.account]);
  });
});

test('C13: events have both ids of a payment', async () => {
  const client = await EventClient.open(bank.address);
  const id = await signed();
  await client.until(() => client.events.some(({ event, data }) => event === 'payment' && data.status === 'ACSP'));
  client.close();
  const told = client.events.filter(({ event }) => event === 'payment' || event === 'sca').map(({ data }) => data);
  expect(told.length).toBeGreaterThan(2);
  for (const data of told) expect([data.wirePaymentId, ledgerForm.test(data.paymentId)]).toEqual([id, true]);
});

test('C13: the page of a payment in the console shows both, by either', async () => {
  for (const id of [wire.payment, ledgerPayment]) {
    const page = await fetch(`${bank.address}/console/payments/${encodeURIComponent(id)}`);
    const text = await page.text();
    expect(page.status).toBe(200);
    expect(text).toContain(ledgerPayment);
    expect(text).toContain(wire.payment);
  }
});

test('Q3: the examples of the API document name ids of the wire', async () => {
  const { body }: Reply = await bank.raw('GET', '/openapi.json');
  const parameter = body.components.parameters.accountId;
  expect(JSON.stringify(parameter)).toMatch(/enc!![\w-]{114}=/);
});

test('C13: without such a quirk nothing shows an id of the wire', async () => {
  await bank.quirks({ 'id-lengths': false, 'reissued-ids': false });
  const id = await signed();
  const answers = ['payments', 'sca', 'consents', 'forecast', 'info', `accounts/${debtorBban}`, 'requests?limit=5'];
  for (const path of [...answers, `payments/${encodeURIComponent(id)}`]) {
    expect(JSON.stringify((await get(path)).body)).not.toContain('wire');
  }
  expect((await get(`payments/${encodeURIComponent(wire.payment)}`)).status).toBe(404);
});
