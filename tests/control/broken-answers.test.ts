import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ArmedFaults, maxWaiting } from '../../api/pipeline/armed-faults.ts';
import { busyPage, gatewayPage } from '../../api/pipeline/struck-call.ts';
import type { FaultEffect } from '../../api/pipeline/fault-effect.ts';
import { attempt, type Attempt } from '../lab/exchange.ts';
import { singlePath, singlePayment } from '../lab/bodies.ts';
import { EventClient, type Received } from '../lab/event-client.ts';
import { startTestBank, type Reply, type TestBank } from '../lab/server.ts';
import { testBank } from '../support/test-bank.ts';

/* Armed faults that break an answer or let it wait (rules.md E6c, E6e), over HTTP. */

const now = '2027-03-24T12:00:00+01:00';
const psu = { 'x-psu-identity': '13039319955', 'psu-context': 'PRIVATE' };

const bank = testBank(now);
beforeEach(() => bank.reset());
afterEach(() => bank.control('DELETE', '/sandbox/faults'));

const arm = (order: object): Promise<Reply> => bank.control('POST', '/sandbox/faults', order);

const amounts = new Map<string, string>();
/** The amount of an id, which no other id has: a payment that equals another would be a duplicate (rules.md P7). */
function amountOf(requestId: string): string {
  const amount = amounts.get(requestId) ?? `${amounts.size + 1}.00`;
  amounts.set(requestId, amount);
  return amount;
}

/** Nora's payment, as a client sends it that may get no answer. */
function pay(requestId: string = randomUUID(), at: TestBank = bank, giveUp?: AbortSignal): Promise<Attempt> {
  const sent = at.signedParts('POST', singlePath, {
    body: singlePayment({ instructedAmount: { amount: amountOf(requestId), currency: 'NOK' } }),
    headers: { ...psu, 'x-request-id': requestId },
  });
  return attempt(at.address + singlePath, { method: 'POST', ...sent, ...(giveUp !== undefined && { giveUp }) });
}

async function paymentIds(): Promise<readonly string[]> {
  const { body } = await bank.control('GET', '/sandbox/payments');
  return body.payments.map(({ paymentId }: { readonly paymentId: string }) => paymentId);
}

const idIn = ({ text }: Attempt): string => (JSON.parse(text) as { readonly paymentId: string }).paymentId;

/** All of an answer but the second in which it was sent. */
const undated = ({ headers, ...got }: Attempt): object => ({
  ...got,
  headers: [...headers].filter(([name]) => name !== 'date'),
});

async function entryOf(requestId: string): Promise<Reply['body']> {
  const { body } = await bank.control('GET', `/sandbox/requests/${requestId}`);
  return body.requests[0];
}

/** Waits until every armed fault has struck: its calls wait, or were answered. */
async function struck(): Promise<void> {
  while ((await bank.control('GET', '/sandbox/faults')).body.faults.length > 0);
}

const broken: readonly (readonly [string, FaultEffect, (got: Attempt) => void])[] = [
  [
    'status 503: the page of a gateway, no JSON',
    { status: 503 },
    ({ headers, ...got }) => {
      expect(got).toMatchObject({ got: 'whole', status: 503, text: gatewayPage });
      expect(headers.get('content-type')).toBe('text/html');
    },
  ],
  [
    'status 429: the page of a gateway that gets too many calls',
    { status: 429 },
    ({ headers, ...got }) => {
      expect(got).toMatchObject({ got: 'whole', status: 429, text: busyPage });
      expect([headers.get('content-type'), headers.get('retry-after')]).toEqual(['text/html', '1']);
    },
  ],
  [
    'cut: the answer ends in its middle',
    { cut: true },
    (got) => {
      expect(got.got).toBe('cut');
      expect(got.text.length).toBeGreaterThan(20);
      expect(() => void JSON.parse(got.text)).toThrow(SyntaxError);
    },
  ],
  ['close: no byte', { close: true }, (got) => expect(got).toMatchObject({ got: 'nothing', status: 0 })],
];

describe.each(broken)('E6c: %s', (_, effect, expectGot) => {
  test.each([{}, { when: 'after' }])(
    'after the commit (%j): the payment is there; a repeat gets its answer',
    async (when) => {
      const requestId = randomUUID();
      expect(await arm({ ...effect, ...when, method: 'POST' })).toMatchObject({ body: { ...effect, when: 'after' } });
      const first = await pay(requestId);
      expectGot(first);
      if ('cut' in effect) expect(first.status).toBe(201);
      const [made, ...others] = await paymentIds();
      expect([typeof made, others]).toEqual(['string', []]);
      const again = await pay(requestId);
      expect([again.got, again.status, idIn(again)]).toEqual(['whole', 201, made]);
      expect(await paymentIds()).toEqual([made]);
    },
  );

  test('before the commit: nothing is there; a repeat pays', async () => {
    const requestId = randomUUID();
    await arm({ ...effect, when: 'before', method: 'POST' });
    const first = await pay(requestId);
    expectGot(first);
    if ('cut' in effect) expect(first.status).toBe(500);
    expect(await paymentIds()).toEqual([]);
    const again = await pay(requestId);
    expect([again.got, again.status]).toEqual(['whole', 201]);
    expect(await paymentIds()).toEqual([idIn(again)]);
  });
});

describe('E6e: a delay', () => {
  test('after the commit: the payment is there before its answer, and a repeat gets that answer', async () => {
    const requestId = randomUUID();
    await arm({ delay: 'PT60S', method: 'POST' });
    const first = pay(requestId);
    await struck();
    const again = await pay(requestId);
    expect(await paymentIds()).toEqual([idIn(again)]);
    await bank.control('DELETE', '/sandbox/faults');
    expect(undated(await first)).toEqual(undated(again));
    expect(await paymentIds()).toEqual([idIn(again)]);
  });

  test('before the commit: the payment comes after the delay; a repeat that came earlier made it', async () => {
    const [late, twice] = [randomUUID(), randomUUID()];
    await arm({ delay: 'PT60S', when: 'before', method: 'POST', times: 2 });
    const [one, other] = [pay(late), pay(twice)];
    await struck();
    expect(await paymentIds()).toEqual([]);
    const again = await pay(twice);
    expect(await paymentIds()).toEqual([idIn(again)]);
    await bank.control('DELETE', '/sandbox/faults');
    expect(undated(await other)).toEqual(undated(again));
    expect((await paymentIds()).toSorted()).toEqual([idIn(again), idIn(await one)].toSorted());
  });

  test.each([
    [{ status: 503 }, 503],
    [{ close: true }, 0],
    [{ cut: true }, 201],
    [{ code: 'SERVICE_BLOCKED' }, 403],
  ])('comes before %j', async (effect, status) => {
    await arm({ ...effect, delay: 'PT60S', path: '/v1/payments' });
    const first = pay();
    await struck();
    expect(await paymentIds()).toHaveLength('code' in effect ? 0 : 1);
    await bank.control('DELETE', '/sandbox/faults');
    expect((await first).status).toBe(status);
  });

  test('ends by itself', async () => {
    await arm({ delay: 'PT0.05S', method: 'POST' });
    expect((await pay()).status).toBe(201);
  });

  test('holds no transaction and no lock: others pay, and the clock moves', async () => {
    await arm({ delay: 'PT60S', method: 'POST' });
    await arm({ delay: 'PT60S', when: 'before', method: 'POST' });
    const waiting = [pay(), pay()];
    await struck();
    expect((await pay()).status).toBe(201);
    expect((await bank.advance({ by: 'P1D' })).status).toBe(200);
    expect((await bank.control('POST', '/sandbox/snapshots', { name: 'meanwhile' })).status).toBe(200);
    await bank.control('DELETE', '/sandbox/faults');
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([201, 201]);
    expect(await paymentIds()).toHaveLength(3);
  });

  test.each([
    ['POST /sandbox/reset', () => bank.reset()],
    ['initialize', () => bank.signed('POST', '/v1/sandbox/initialize')],
  ])('%s closes the connection of a call that waits, and its payment never comes', async (_, reset) => {
    await arm({ delay: 'PT60S', when: 'before', path: '/v1/payments' });
    await arm({ delay: 'PT60S', path: '/v1/payments' });
    const requestId = randomUUID();
    const waiting = [pay(requestId), pay()];
    await struck();
    await reset();
    expect((await Promise.all(waiting)).map(({ got }) => got)).toEqual(['nothing', 'nothing']);
    expect(await paymentIds()).toEqual([]);
    expect((await entryOf(requestId)).notes).toEqual([
      expect.stringMatching(/^armed fault \d+ waited PT60S and closed the connection/),
    ]);
  });

  test('a call that was struck before a reset, and begins to wait after it, does not go on', async () => {
    const faults = new ArmedFaults(new AbortController().signal);
    const { resets } = faults;
    faults.end();
    expect(await faults.wait(60_000, { response: null, resets })).toBe(false);
  });

  test('a client that gives up before the commit is paid for all the same, once', async () => {
    await arm({ delay: 'PT60S', when: 'before', method: 'POST' });
    const requestId = randomUUID();
    const giveUp = new AbortController();
    const first = pay(requestId, bank, giveUp.signal);
    await struck();
    giveUp.abort();
    expect((await first).got).toBe('nothing');
    // The journal has the request when the bank has seen that its client is gone.
    while ((await bank.control('GET', `/sandbox/requests/${requestId}`)).status !== 200);
    await bank.control('DELETE', '/sandbox/faults');
    while ((await paymentIds()).length === 0);
    const again = await pay(requestId);
    expect(await paymentIds()).toEqual([idIn(again)]);
  });

  test(`of ${maxWaiting} calls at most: one more is not delayed, and says so`, async () => {
    await arm({ delay: 'PT60S', method: 'GET', path: '/v1/sandbox/customers', times: maxWaiting + 1 });
    const target = '/v1/sandbox/customers';
    const get = (requestId: string): Promise<Attempt> => {
      const sent = bank.signedParts('GET', target, { headers: { 'x-request-id': requestId } });
      return attempt(bank.address + target, { method: 'GET', ...sent });
    };
    const waiting = Array.from({ length: maxWaiting }, () => get(randomUUID()));
    const remaining = async (): Promise<number> =>
      (await bank.control('GET', '/sandbox/faults')).body.faults[0].remaining;
    while ((await remaining()) > 1);
    const requestId = randomUUID();
    expect((await get(requestId)).status).toBe(200);
    expect((await entryOf(requestId)).notes).toEqual([expect.stringContaining('did not wait')]);
    await bank.control('DELETE', '/sandbox/faults');
    expect(new Set((await Promise.all(waiting)).map(({ status }) => status))).toEqual(new Set([200]));
  });

  test('a server that stops, and a bank that is deleted, wait for none', async () => {
    const other = await startTestBank(now);
    const fault = { delay: 'PT60S', method: 'POST', when: 'before' };
    await other.control('POST', '/sandbox/banks', { name: 'second' });
    const waiting: Promise<Attempt>[] = [];
    for (const base of ['', '/banks/second']) {
      await other.control('POST', `${base}/sandbox/faults`, fault);
      const target = base + singlePath;
      const sent = other.signedParts('POST', target, { body: singlePayment(), headers: psu });
      waiting.push(attempt(other.address + target, { method: 'POST', ...sent }));
      while ((await other.control('GET', `${base}/sandbox/faults`)).body.faults.length > 0);
    }
    const [atRoot, atSecond] = waiting;
    await other.control('DELETE', '/sandbox/banks/second');
    expect((await atSecond)?.got).toBe('nothing');
    await other.stop();
    expect((await atRoot)?.got).toBe('nothing');
  });
});

describe('E6c: which calls and answers', () => {
  test('an answer without a body ends in its first line', async () => {
    const made = await pay();
    await arm({ cut: true, method: 'DELETE' });
    const target = `${singlePath}/${encodeURIComponent(idIn(made))}`;
    const sent = bank.signedParts('DELETE', target, { headers: psu });
    expect(await attempt(bank.address + target, { method: 'DELETE', ...sent })).toMatchObject({
      got: 'nothing',
      text: '',
    });
    const { body } = await bank.control('GET', `/sandbox/payments/${encodeURIComponent(idIn(made))}`);
    expect(body.status).toBe('CANC');
  });

  test('a read too, through the unsigned door too', async () => {
    await arm({ cut: true, path: '/v1/sandbox/customers' });
    const got = await attempt(`${bank.address}/sandbox/as/shop/v1/sandbox/customers`, {
      method: 'GET',
      headers: {},
      body: Buffer.alloc(0),
    });
    expect([got.got, got.status]).toEqual(['cut', 200]);
  });

  test.each(broken.map(([, effect]) => effect))('E6b: %j strikes no call that the bank refuses', async (effect) => {
    await arm({ ...effect, times: 2 });
    const { status, body } = await bank.signed('GET', `${singlePath}/a`);
    expect([status, body.tppMessages[0].code]).toEqual([403, 'RESOURCE_UNKNOWN']);
    expect((await bank.control('GET', '/sandbox/faults')).body.faults).toMatchObject([{ remaining: 2 }]);
  });

  test('a repeat is struck too, while calls are left', async () => {
    const requestId = randomUUID();
    await arm({ close: true, method: 'POST', times: 2 });
    expect([await pay(requestId), await pay(requestId)].map(({ got }) => got)).toEqual(['nothing', 'nothing']);
    expect(await paymentIds()).toEqual([idIn(await pay(requestId))]);
  });
});

describe('E6c: who tells of a fault', () => {
  test('the list has what was sent, and when', async () => {
    const sent = { close: true, delay: 'PT1M', method: 'POST', path: '/v1/payments', times: 3 };
    const armed = { id: expect.any(Number), ...sent, when: 'after', remaining: 3 };
    expect((await arm(sent)).body).toEqual(armed);
    expect((await bank.control('GET', '/sandbox/faults')).body).toEqual({ faults: [armed] });
  });

  test.each([
    [{ close: true }, { status: null, answer: null }, /closed the connection, after the commit$/],
    [{ cut: true, when: 'before' }, { status: 500 }, /ended the answer in its middle, before the commit$/],
    [{ status: 503 }, { status: 503, answer: gatewayPage }, /answered 503 as a gateway does, after the commit$/],
    [{ delay: 'PT0.01S' }, { status: 201 }, /waited PT0\.01S, after the commit$/],
    [{ code: 'SERVICE_BLOCKED' }, { status: 403, code: 'SERVICE_BLOCKED' }, /refused the call with SERVICE_BLOCKED$/],
  ])('journal and events: %j', async (effect, entry, note) => {
    const client = await EventClient.open(bank.address);
    const requestId = randomUUID();
    const { id, remaining: _, times: __, method: ___, ...own } = (await arm({ ...effect, method: 'POST' })).body;
    await pay(requestId);
    expect(await entryOf(requestId)).toMatchObject({
      ...entry,
      fault: { id, ...own },
      notes: [expect.stringMatching(note)],
    });
    const told = ({ event, data }: Received): boolean => event === 'request' && data.requestId === requestId;
    const events = await client.until((all) => all.some(told));
    expect(events.find(told)?.data.fault).toEqual({ id, ...own });
    client.close();
  });
});

test.each([
  [{ delay: 'PT5S' }, 'delay', 'method, path or both', ['method', 'path']],
  [{ delay: 'PT61S', method: 'GET' }, 'delay', '"PT61S" is no delay', { from: 'PT0.001S', to: 'PT60S' }],
  [{ delay: 'PT2M', method: 'GET' }, 'delay', 'from PT0.001S to PT60S', { from: 'PT0.001S', to: 'PT60S' }],
  [{ delay: '-PT5S', method: 'GET' }, 'delay', 'such as PT5S', { from: 'PT0.001S', to: 'PT60S' }],
  [{ delay: 'PT0S', method: 'GET' }, 'delay', 'from PT0.001S', { from: 'PT0.001S', to: 'PT60S' }],
  [{ delay: 'PT', method: 'GET' }, 'delay', 'is no delay', { from: 'PT0.001S', to: 'PT60S' }],
  [{ delay: '5', method: 'GET' }, 'delay', 'is no delay', { from: 'PT0.001S', to: 'PT60S' }],
  [{ delay: 5, method: 'GET' }, 'delay', '', undefined],
  [{ status: 503, cut: true }, 'cut', 'status and cut', ['code', 'status', 'cut', 'close', 'badSignature']],
  [{ cut: true, close: true }, 'close', 'cut and close', ['code', 'status', 'cut', 'close', 'badSignature']],
  [{ code: 'FORBIDDEN', status: 503 }, 'status', 'code and status', ['code', 'status', 'cut', 'close', 'badSignature']],
  [{ code: 'FORBIDDEN', when: 'after' }, 'when', 'never carried out', ['before']],
  [{ when: 'after' }, 'code', 'does nothing', ['code', 'status', 'cut', 'close', 'badSignature', 'delay']],
  [{ status: 502 }, 'status', '503', undefined],
  [{ cut: false }, 'cut', 'true', undefined],
  [{ close: 'yes' }, 'close', 'true', undefined],
  [{ close: true, when: 'during' }, 'when', 'before', undefined],
  // What no segment of a path is would never strike.
  [{ close: true, path: '/v1/**' }, 'path', '* matches any one segment', undefined],
  [{ close: true, path: '/v1/acc*/x' }, 'path', '* matches any one segment', undefined],
])('E6c: %j is refused: %s', async (order, path, detail, allowed) => {
  const { status, body } = await arm(order);
  expect([status, body.errors.map((error: { readonly path: string }) => error.path)]).toEqual([400, [path]]);
  expect(body.detail).toContain(detail);
  expect(body.allowed).toEqual(allowed);
  expect((await bank.control('GET', '/sandbox/faults')).body).toEqual({ faults: [] });
});

test('a code takes the moment that it has anyway', async () => {
  expect((await arm({ code: 'FORBIDDEN', when: 'before' })).status).toBe(200);
});
