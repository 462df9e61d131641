import { describe, expect, test } from '@jest/globals';
import { quirksOf } from '../../api/start/profile.ts';
import { listed, memberOf } from '../../api/bodies/rule.ts';
import { documentUnder } from '../../scripts/drift/document.ts';
import { bulkItem, bulkPath, bulkPayment, singlePath, singlePayment } from '../lab/bodies.ts';
import { psuHeaders, startTestBank } from '../lab/server.ts';
import { statementForAll } from './statement.ts';
import { testBank } from '../support/test-bank.ts';

/* Quirks that were seen once, or at one bank. */
const psu = { 'x-psu-identity': '13039319955', 'psu-context': 'PRIVATE' };
const statement = statementForAll();

test('Q3b, register 7: in lists booked transactions have no id; the details by the id of the sandbox data have', async () => {
  await statement.under({});
  const [{ transactionId, ...usual }] = (await statement.list()).booked;
  await statement.under({ 'no-transaction-ids': true });
  const { booked } = await statement.list();
  expect(booked[0]).toEqual(usual);
  expect(booked.filter((one) => 'transactionId' in one)).toEqual([]);
  expect(await statement.details(transactionId)).toMatchObject({ transactionId });
});

test.each([
  ['37 hours after 00:00 of its booking date', 'PT37H', true],
  ['38 hours after it: the next read is too early', 'PT38H', false],
])('Q5i, register 20: a transfer in shows the account of its debtor %s', async (_when, value, isShown) => {
  // It is 13:45 on the day after the booking.
  await statement.under({ 'late-counterparty': value });
  const transfer = await statement.one('250.00');
  expect([transfer.debtorName, transfer.debtorAccount]).toEqual([
    'Ola Nordmann',
    isShown ? { bban: '90491105991', iban: 'NO6290491105991' } : undefined,
  ]);
  expect((await statement.one('-11.00')).creditorAccount === undefined).toBe(!isShown);
  expect((await statement.one('-49.90')).creditorName).toBe('Kiosken');
});

test.each([
  ['499', 3],
  ['2', 2],
])('Q10g, register 36: limit=%s under limit-cap=3 gives %i', async (limit, count) => {
  await statement.under({ 'limit-cap': '3' });
  const { booked, _links } = await statement.list(`bookingStatus=booked&limit=${limit}`);
  expect(booked).toHaveLength(count);
  const next = await statement.follow(_links.next);
  expect(next.booked).toHaveLength(count);
  expect(next.booked[0]).not.toEqual(booked[0]);
});

test('E10, Q10g: under limit-cap the document has no maximum of limit, and the bank takes any whole number', async () => {
  await statement.under({ 'limit-cap': '3' });
  const { paths } = await documentUnder(quirksOf({ quirks: { 'limit-cap': '3' } }), false);
  const lists = Object.entries(paths).filter(
    ([path]) => /accounts\/[^/]*\/transactions$/.test(path) && !path.startsWith('/sandbox'),
  );
  expect(lists).toHaveLength(2);
  for (const [, { get }] of lists) {
    const limits = listed(get?.['parameters']).filter(({ name }) => name === 'limit');
    expect(limits.map(({ schema }) => [memberOf(schema, 'minimum'), memberOf(schema, 'maximum')])).toEqual([
      [1, undefined],
    ]);
  }
  expect((await statement.list('bookingStatus=booked&limit=1001')).booked).toHaveLength(3);
  expect((await statement.list('bookingStatus=booked&limit=99999999999')).booked).toHaveLength(3);
  for (const limit of ['0x7d0', '2e3', '4.5', '%205'])
    await expect(statement.list(`bookingStatus=booked&limit=${limit}`)).rejects.toThrow('400');
});

test('E10, Q3: with payment ids of 256 characters the document bounds those of a basket as the bank does', async () => {
  await using own = await startTestBank('2027-03-24T12:00:00+01:00', ['--quirks', 'id-lengths=payment:256']);
  const { schemas } = (await own.raw('GET', '/openapi.json')).body.components;
  const { minLength, maxLength } = schemas.SigningBasket.properties.paymentIds.items;
  expect({ minLength, maxLength }).toEqual({ minLength: 1, maxLength: 512 });
  const { paymentId } = await own.initiates(singlePath, singlePayment());
  expect(paymentId).toHaveLength(256);
  const basketOf = (id: string) =>
    own.signed('POST', '/v1/signing-baskets', { headers: psuHeaders(), body: { paymentIds: [id] } });
  expect((await basketOf(paymentId)).status).toBe(201);
  const codeOf = async (length: number): Promise<string> =>
    (await basketOf('a'.repeat(length))).body.tppMessages[0].code;
  expect([await codeOf(maxLength), await codeOf(maxLength + 1)]).toEqual(['RESOURCE_UNKNOWN', 'FORMAT_ERROR']);
});

describe('A2g, register 52: sca-query', () => {
  const page = async (href: string): Promise<number> => (await fetch(href)).status;

  test('the address has a query, and no page without it', async () => {
    await statement.under({ 'sca-query': true });
    const { body } = await statement.bank.signed('POST', singlePath, { body: singlePayment(), headers: psu });
    const { href } = body._links.scaRedirect;
    const [address, id] = /^(.*\/sca\/([\w-]+))\?/.exec(href)?.slice(1) ?? [];
    expect(href).toBe(`${address}?route_secesb_id=1&flow=psd2&state=${id}&context=PRIVATE`);
    expect([await page(href), await page(`${address}?lang=en`), await page(`${address}?state=other`)]).toEqual([
      200, 404, 404,
    ]);
    await statement.under({});
    expect(await page(String(address))).toBe(200);
  });
});

describe('register 45: amount-as-string', () => {
  const later = 'amount-as-string:2030-01-01';
  test.each([
    ['a number', later, null, 100],
    ['a text, if x-accept-fix names it', later, 'amount-as-string', '100.00'],
    ['a text by default', undefined, null, '100.00'],
    ['a text after the date', 'amount-as-string:2027-03-16', null, '100.00'],
  ])('the amount of a payment is %s', async (_what, value, sent, amount) => {
    await statement.under(value === undefined ? {} : { 'accept-fix-dates': value });
    const path = `${singlePath}?allowLogicalDuplicate=true`;
    const made = await statement.bank.signed('POST', path, { body: singlePayment(), headers: psu });
    const headers = { ...psu, 'x-accept-fix': sent };
    const { body } = await statement.bank.signed('GET', `${singlePath}/${made.body.paymentId}`, { headers });
    expect(body.instructedAmount.amount).toBe(amount);
  });

  test('register 45: and so are those of the items of a bulk payment', async () => {
    await statement.under({ 'accept-fix-dates': later });
    const sent = { body: bulkPayment([bulkItem('13.50')]), headers: psu };
    const { body } = await statement.bank.signed('POST', bulkPath, sent);
    const read = await statement.bank.signed('GET', `${bulkPath}/${body.paymentId}`, { headers: psu });
    expect(read.body.payments[0].instructedAmount.amount).toBe(13.5);
  });
});

describe('Q11b, register 66: leaves', () => {
  const bank = testBank('2027-03-22T12:00:00+01:00', ['--quirks=leaves=P2D']);

  test('from its date on every call under /v1 is a page, 404; the control plane goes on', async () => {
    const status = async () => (await bank.signed('GET', '/v1/users')).status;
    const [open, { body }] = [await status(), await bank.control('GET', '/sandbox/quirks')];
    await bank.advance({ to: '2027-03-23T23:59:59+01:00' });
    const before = await status();
    await bank.advance({ by: 'PT1S' });
    const { status: after, headers } = await bank.raw('POST', '/v1/nothing');
    expect([open, before, await status(), after]).toEqual([200, 200, 404, 404]);
    expect([body.quirks, headers.get('content-type')]).toEqual([{ leaves: 'P2D' }, 'text/html']);
    expect((await bank.control('GET', '/sandbox/clock')).status).toBe(200);
  });

  test.each(['P0D', 'P3651D', 'P1M', '2027-02-30', 'soon'])('leaves=%s is refused', async (value) => {
    const { body } = await bank.quirks({ leaves: value });
    const form = "a date as YYYY-MM-DD, or P1D to P3650D after the start of the bank's clock";
    expect(body.errors).toEqual([{ path: 'quirks.leaves', detail: `leaves: expected P30D, ${form}.` }]);
  });
});
