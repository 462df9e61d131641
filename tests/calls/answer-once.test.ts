import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { endpoints } from '../../api/interface/index.ts';
import { basketOf, initiated, psu } from '../approval/baskets.ts';
import {
  bulkItem,
  bulkPath,
  bulkPayment,
  periodicPath,
  periodicPayment,
  singlePath,
  singlePayment,
} from '../lab/bodies.ts';
import { rowsIn } from '../lab/rows.ts';
import { startTestBank, validCertificate, type Reply } from '../lab/server.ts';
import { testBank } from '../support/test-bank.ts';
import { tempFolder } from '../support/temp-folder.ts';

const folder = tempFolder();

/* P9b over signed HTTP: one X-Request-ID, one thing made, for every call that makes something. */
const now = '2027-03-24T12:00:00+01:00';
const who = { 'x-psu-identity': psu, 'psu-context': 'PRIVATE' };
const later = { requestedExecutionDate: '2027-04-15' };
const isTaken = { status: 400, body: { tppMessages: [{ code: 'FORMAT_ERROR', path: 'x-request-id' }] } };

const bank = testBank(now);
let kroner = 100;

/** A call that makes something: method, target and body. */
interface Making {
  readonly method: 'GET' | 'POST';
  readonly target: string;
  readonly body?: unknown;
}

const another = (): Promise<string> => initiated(bank, (kroner += 1), later);
const amount = (): object => ({ instructedAmount: { amount: `${(kroner += 1)}.00`, currency: 'NOK' } });

async function deleted(): Promise<string> {
  const { body } = await bank.signed('POST', singlePath, {
    body: singlePayment({ ...later, ...amount() }),
    headers: who,
  });
  await bank.approve(body, psu);
  expect((await bank.signed('DELETE', `${singlePath}/${body.paymentId}`)).status).toBe(202);
  return body.paymentId;
}

/** Every call of the interface that makes something, by its endpoint. */
const makings: Record<string, () => Promise<Making>> = {
  'POST /payments/:product': async () => ({ method: 'POST', target: singlePath, body: singlePayment(amount()) }),
  'POST /periodic-payments/:product': async () => ({
    method: 'POST',
    target: periodicPath,
    body: periodicPayment(amount()),
  }),
  'POST /bulk-payments/:product': async () => ({
    method: 'POST',
    target: bulkPath,
    body: bulkPayment([bulkItem(`${(kroner += 1)}.00`)]),
  }),
  'POST /payments/:product/:paymentId/authorisations': async () => ({
    method: 'POST',
    target: `${singlePath}/${await another()}/authorisations`,
  }),
  'POST /payments/:product/:paymentId/cancellation-authorisations': async () => ({
    method: 'POST',
    target: `${singlePath}/${await deleted()}/cancellation-authorisations`,
  }),
  'POST /periodic-payments/:product/:paymentId/authorisations': () => startOf(periodicPath, periodicPayment(amount())),
  'POST /periodic-payments/:product/:paymentId/cancellation-authorisations': () =>
    startOf(periodicPath, periodicPayment(amount()), 'cancellation-'),
  'POST /bulk-payments/:product/:paymentId/authorisations': () =>
    startOf(bulkPath, bulkPayment([bulkItem(`${(kroner += 1)}.00`)], later)),
  'POST /bulk-payments/:product/:paymentId/cancellation-authorisations': () =>
    startOf(bulkPath, bulkPayment([bulkItem(`${(kroner += 1)}.00`)], later), 'cancellation-'),
  'POST /signing-baskets': async () => ({
    method: 'POST',
    target: '/v1/signing-baskets',
    body: { paymentIds: [await another()] },
  }),
  'POST /signing-baskets/:basketId/authorisations': async () => {
    const { body } = await basketOf(bank, [await another()]);
    return { method: 'POST', target: `/v1/signing-baskets/${body.basketId}/authorisations` };
  },
  'GET /users': async () => ({ method: 'GET', target: '/v1/users' }),
  'GET /user': async () => ({ method: 'GET', target: '/v1/user' }),
  'POST /bank-offered-consents': async () => ({ method: 'POST', target: '/v1/bank-offered-consents' }),
  'POST /consents': async () => ({ method: 'POST', target: '/v1/consents' }),
};

async function startOf(path: string, body: object, what = ''): Promise<Making> {
  const { body: made } = await bank.signed('POST', path, { body, headers: who });
  const target = `${path}/${made.paymentId}`;
  if (what !== '') {
    await bank.approve(made, psu);
    await bank.signed('DELETE', target);
  }
  return { method: 'POST', target: `${target}/${what}authorisations` };
}

const send = ({ method, target, body }: Making, id: string, sent: object = {}): Promise<Reply> =>
  bank.signed(method, target, { body, headers: { ...who, 'x-request-id': id }, ...sent });

/** How much of everything that a call can make there is. */
async function counts(): Promise<unknown> {
  return rowsIn(
    bank.bank,
    `select (select count(*) from payment) as payments, (select count(*) from signing_basket) as baskets,
        (select count(*) from sca) as scas`,
  );
}

/** POSTs that make nothing that a repetition would make twice. */
const makesNothing = ['POST /user/verification'];

test('every POST of the interface, and each GET that opens an SCA, is among them', () => {
  const posts = endpoints
    .filter(({ method, path }) => method === 'POST' && !path.startsWith('/sandbox'))
    .map(({ method, path }) => `${method} ${path}`)
    .filter((name) => !makesNothing.includes(name));
  expect(Object.keys(makings).sort()).toEqual([...posts, 'GET /users', 'GET /user'].sort());
});

describe.each(Object.entries(makings))('P9b: %s', (_, prepare) => {
  test('the same again, also at the same moment: the first answer, and nothing is made twice', async () => {
    const making = await prepare();
    const id = randomUUID();
    const first = await send(making, id);
    expect(first.status).toBe(making.method === 'GET' ? 200 : 201);
    const before = await counts();
    const others = await Promise.all([send(making, id), send(making, id.toUpperCase()), send(making, id)]);
    for (const again of others) expect([again.status, again.body]).toEqual([first.status, first.body]);
    expect(await counts()).toEqual(before);
  });

  test('three at once make one', async () => {
    const making = await prepare();
    const id = randomUUID();
    const answers = await Promise.all([send(making, id), send(making, id), send(making, id)]);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  });

  test('the same id for another PSU is a FORMAT_ERROR', async () => {
    const making = await prepare();
    const id = randomUUID();
    await send(making, id);
    expect(
      await send(making, id, { headers: { ...who, 'x-psu-identity': '12085592767', 'x-request-id': id } }),
    ).toMatchObject(isTaken);
  });
});

describe('P9b: the same id', () => {
  test('with another body on the same path: FORMAT_ERROR, also where the body is ignored', async () => {
    const id = randomUUID();
    const basket = { method: 'POST', target: '/v1/signing-baskets', body: { paymentIds: [await another()] } } as const;
    expect((await send(basket, id)).status).toBe(201);
    expect(await send({ ...basket, body: { paymentIds: [await another()] } }, id)).toMatchObject(isTaken);
    const consent = { method: 'POST', target: '/v1/consents' } as const;
    await send(consent, id);
    expect(await send({ ...consent, body: {} }, id)).toMatchObject(isTaken);
  });

  test('on another path, by another method or of another TPP is another call', async () => {
    const id = randomUUID();
    const answers = [
      await send({ method: 'POST', target: '/v1/consents' }, id),
      await send({ method: 'POST', target: '/v1/bank-offered-consents' }, id),
      await send({ method: 'GET', target: '/v1/users' }, id),
      await send({ method: 'GET', target: '/v1/user' }, id),
      await send({ method: 'GET', target: '/v1/user' }, id, {
        certificate: validCertificate({ organizationIdentifier: 'PSDNO-FSA-222222222' }),
      }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 200, 200, 200]);
    expect(new Set(answers.map(({ body }) => body._links.scaRedirect.href)).size).toBe(5);
  });

  test('the other prefix, and a percent-encoded id in the path, are the same path', async () => {
    const id = randomUUID();
    const payment = await another();
    const first = await send({ method: 'POST', target: `${singlePath}/${payment}/authorisations` }, id);
    const encoded = `/api-sandbox${singlePath}/${encodeURIComponent(payment)}/authorisations`;
    expect((await send({ method: 'POST', target: encoded }, id)).body).toEqual(first.body);
  });

  test('after a refusal is judged anew', async () => {
    const id = randomUUID();
    const payment = await another();
    const start = { method: 'POST', target: `${singlePath}/${payment}/cancellation-authorisations` } as const;
    expect((await send(start, id)).status).toBe(409);
    const { body } = await bank.signed('POST', `${singlePath}/${payment}/authorisations`);
    await bank.approve(body, psu);
    await bank.signed('DELETE', `${singlePath}/${payment}`);
    expect((await send(start, id)).status).toBe(201);
  });
});

describe('P9b: what was made lives no more', () => {
  test.each([
    ['approved', { outcome: 'approve', psu, context: 'PRIVATE' }],
    ['cancelled', { outcome: 'cancel' }],
  ])('an SCA link that was used (%s): a new one, which is then the first answer', async (_, outcome) => {
    for (const making of [await makings['GET /users']?.(), await makings['POST /consents']?.()]) {
      if (making === undefined) throw new Error('it is among them');
      const id = randomUUID();
      const first = await send(making, id);
      const scaId = first.body._links.scaRedirect.href.split('/').at(-1);
      expect((await bank.control('POST', `/sandbox/sca/${scaId}`, outcome)).status).toBe(200);
      const second = await send(making, id);
      expect(second.status).toBe(first.status);
      expect(second.body._links.scaRedirect.href).not.toBe(first.body._links.scaRedirect.href);
      expect((await send(making, id)).body).toEqual(second.body);
    }
  });

  test('of a payment that is signed by now there is no new one', async () => {
    const start = { method: 'POST', target: `${singlePath}/${await another()}/authorisations` } as const;
    const id = randomUUID();
    const { body } = await send(start, id);
    await bank.approve(body, psu);
    expect(await send(start, id)).toMatchObject({ status: 409, body: { tppMessages: [{ code: 'STATUS_INVALID' }] } });
  });

  test('a basket that was removed: a new one', async () => {
    await using other = await startTestBank(now);
    const payment = await initiated(other, 1, later);
    const sent = { body: { paymentIds: [payment] }, headers: { 'x-request-id': randomUUID() } };
    const first = await other.signed('POST', '/v1/signing-baskets', sent);
    await other.advance({ by: 'PT23H59M' });
    expect((await other.signed('POST', '/v1/signing-baskets', sent)).body).toEqual(first.body);
    await other.advance({ by: 'PT1M' });
    const second = await other.signed('POST', '/v1/signing-baskets', sent);
    expect(second.status).toBe(201);
    expect(second.body.basketId).not.toBe(first.body.basketId);
  });

  test('an SCA whose PSU was deleted: the call is judged anew', async () => {
    await using other = await startTestBank(now);
    const sent = { headers: { ...who, 'x-request-id': randomUUID() } };
    expect((await other.signed('POST', '/v1/consents', sent)).status).toBe(201);
    const { body } = await other.signed('GET', '/v1/sandbox/customers');
    const customers: { customerNumber: string; _links: { self: { href: string } } }[] = body.customers ?? body;
    const nora = customers.find(({ customerNumber }) => customerNumber === psu);
    expect((await other.signed('DELETE', nora?._links.self.href ?? '')).status).toBeLessThan(300);
    expect((await other.signed('POST', '/v1/consents', sent)).status).toBe(401);
  });
});

test('P9b: what is remembered survives a restart', async () => {
  const ledger = ['--ledger', join(folder, 'ledger.sqlite')];
  const sent = { headers: { ...who, 'x-request-id': randomUUID() } };
  const before = await startTestBank(now, ledger);
  const first = await before.signed('GET', '/v1/users', sent);
  await before.stop();
  const after = await startTestBank(now, ledger);
  const second = await after.signed('GET', '/v1/users', sent);
  await after.stop();
  expect(second.body).toEqual(first.body);
});
