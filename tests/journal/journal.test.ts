import { randomUUID, X509Certificate } from 'node:crypto';
import { testBank } from '../support/test-bank.ts';
import { once } from 'node:events';
import { connect } from 'node:net';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { singlePath, singlePayment } from '../lab/bodies.ts';
import { entryAddress, kept, listed } from '../support/journal.ts';
import { type BankClient, startTestBank, validCertificate } from '../lab/server.ts';

/* The journal of a bank over HTTP: GET /sandbox/requests (docs/spec/control-plane.md; rules.md G11). */

const nora = '13039319955';
const single = { 'x-psu-identity': nora, 'psu-context': 'PRIVATE' };

const bank = testBank('2027-03-24T12:00:00+01:00');

async function payWith(id: string, amount: string, at: BankClient = bank) {
  const body = singlePayment({ instructedAmount: { amount, currency: 'NOK' } });
  return at.signed('POST', singlePath, { headers: { ...single, 'x-request-id': id }, body });
}

/** Waits until the journal of a bank lists what `isThere` finds: an aborted request has no answer to wait for. */
async function eventually(at: BankClient, isThere: (entries: readonly { requestId: string }[]) => boolean) {
  for (let tries = 0; tries < 200; tries += 1) {
    if (isThere(await listed(at))) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('the journal does not get the entry');
}

describe('J2: an entry', () => {
  test('of an accepted request: headers and body as received, signing string, answer, the payment it made', async () => {
    const id = randomUUID();
    const { body: answer } = await payWith(id, '11.00');
    const [entry, ...others] = await kept(bank, id);
    expect(others).toEqual([]);
    expect(entry).toMatchObject({
      requestId: id,
      at: '2027-03-24T12:00:00.000+01:00',
      wall: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d\d:\d\d$/),
      method: 'POST',
      target: singlePath,
      tpp: 'PSDNO-FSA-987654321',
      verdict: 'accepted',
      status: 201,
      code: null,
      finding: null,
      notes: [],
      answer,
      links: [
        {
          paymentId: answer.paymentId,
          href: `${bank.address}/sandbox/payments/${encodeURIComponent(answer.paymentId)}`,
        },
      ],
      signing: { received: null, difference: null },
    });
    expect(JSON.parse(entry.body)).toMatchObject({ instructedAmount: { amount: '11.00' } });
    expect(entry.bodyLength).toBe(entry.body.length);
    const headers = new Map<string, string>(entry.headers);
    expect(headers.get('X-Request-ID')).toBe(id);
    expect(headers.get('x-psu-identity')).toBe('***********');
    const lines = entry.signing.expected.split('\n');
    expect(lines).toEqual([
      `date: ${headers.get('Date')}`,
      `digest: ${headers.get('Digest')}`,
      `x-request-id: ${id}`,
      `tpp-redirect-uri: ${headers.get('tpp-redirect-uri')}`,
    ]);
    expect((await bank.raw('GET', entry.links[0].href.slice(bank.address.length))).status).toBe(200);
  });

  test('the signing string is the very text that the signature fits, by Node alone', async () => {
    const id = randomUUID();
    await payWith(id, '12.00');
    const [{ headers, signing }] = await kept(bank, id);
    const sent = new Map<string, string>(headers);
    const value = /signature="([^"]+)"/.exec(sent.get('Signature') ?? '')?.[1] ?? '';
    const { publicKey } = new X509Certificate(Buffer.from(sent.get('TPP-Signature-Certificate') ?? '', 'base64'));
    const { verify } = await import('node:crypto');
    expect(verify('RSA-SHA256', Buffer.from(signing.expected), publicKey, Buffer.from(value, 'base64'))).toBe(true);
  });

  test('of a refused signature: verdict, finding, the signing string whole, however much the answer could hold', async () => {
    const id = randomUUID();
    const uri = `https://tpp.example/${'x'.repeat(600)}`;
    const headers = { 'x-request-id': id, 'tpp-redirect-uri': uri };
    await bank.signed('GET', '/v1/accounts', { headers });
    const [first] = await kept(bank, id);
    const signed = new Map<string, string>(first.headers);
    const changed = Object.fromEntries([...signed].filter(([name]) => name !== 'connection' && name !== 'host'));
    const refused = await bank.raw('GET', '/v1/accounts', { ...changed, 'tpp-redirect-uri': `${uri}y` });
    expect(refused.body.tppMessages[0]).toMatchObject({ code: 'SIGNATURE_INVALID' });
    const [entry] = await kept(bank, id);
    expect(entry).toMatchObject({
      verdict: 'refused',
      status: 400,
      code: 'SIGNATURE_INVALID',
      finding:
        "The signature does not fit the request. It is made with the certificate's key and SHA-256, over another text. Compare yours with the bank's, byte by byte.",
      tpp: 'PSDNO-FSA-987654321',
      links: [],
    });
    expect(entry.signing.expected).toContain(`tpp-redirect-uri: ${uri}y`);
    expect(entry.answer).toEqual(refused.body);
  });

  test('the bank time is that of the arrival, also after the clock was moved and taken back', async () => {
    await using own = await startTestBank('2027-03-24T12:00:00+01:00');
    await own.raw('GET', '/v1/accounts');
    await own.advance({ by: 'P2D' });
    await own.raw('GET', '/v1/accounts');
    await own.reset();
    await own.raw('GET', '/v1/accounts');
    expect((await listed(own)).map(({ at }) => at)).toEqual([
      '2027-03-24T12:00:00.000+01:00',
      '2027-03-26T12:00:00.000+01:00',
      '2027-03-24T12:00:00.000+01:00',
    ]);
  });

  test('a later call that names the payment is linked to it, one that is refused is not', async () => {
    const { body } = await payWith(randomUUID(), '13.00');
    const [read, refused] = [randomUUID(), randomUUID()];
    const path = `${singlePath}/${encodeURIComponent(body.paymentId)}`;
    expect((await bank.signed('GET', path, { headers: { ...single, 'x-request-id': read } })).status).toBe(200);
    expect(
      (await bank.signed('GET', `${singlePath}/nothing`, { headers: { ...single, 'x-request-id': refused } })).status,
    ).toBe(403);
    expect((await kept(bank, read))[0].links).toEqual([expect.objectContaining({ paymentId: body.paymentId })]);
    expect((await kept(bank, refused))[0].links).toEqual([]);
  });

  test('of two payments at once each is linked to its own request', async () => {
    const ids = Array.from({ length: 8 }, () => randomUUID());
    const answers = await Promise.all(ids.map((id, index) => payWith(id, `${20 + index}.00`)));
    for (const [index, id] of ids.entries()) {
      const [{ links }] = await kept(bank, id);
      expect(links).toEqual([expect.objectContaining({ paymentId: answers[index]?.body.paymentId })]);
    }
  });

  test('a consent that a call ends is linked', async () => {
    await using own = await startTestBank('2027-03-24T12:00:00+01:00');
    const granted = await own.control('POST', '/sandbox/consents', { tpp: 'PSDNO-FSA-987654321', psu: nora });
    const { body: customers } = await own.signed('GET', '/v1/sandbox/customers');
    const { customerId } = customers.find((one: { customerNumber: string }) => one.customerNumber === nora);
    const id = randomUUID();
    const headers = { 'x-request-id': id };
    expect((await own.signed('DELETE', `/v1/sandbox/customers/${customerId}`, { headers })).status).toBe(204);
    const [entry] = await kept(own, id);
    expect(entry.links).toContainEqual({
      consentId: granted.body.consentId,
      href: `${own.address}/sandbox/consents`,
    });
  });

  test('one id twice: all of them whole, the newest first', async () => {
    const id = randomUUID();
    await payWith(id, '14.00');
    await payWith(id, '15.00');
    const entries = await kept(bank, id);
    expect(entries.map(({ status }) => status)).toEqual([400, 201]);
    expect(entries.map(({ body }) => JSON.parse(body).instructedAmount.amount)).toEqual(['15.00', '14.00']);
  });

  test.each(['GET /v1/accounts', 'GET /api-sandbox/v1/accounts', 'GET /v1/nothing', 'PATCH /v1/accounts'])(
    '%s is kept',
    async (line) => {
      const [method = '', target = ''] = line.split(' ');
      const { body } = await bank.raw(method, target);
      const [entry] = await kept(bank, entryAddress(body).split('/').at(-1) ?? '');
      expect(entry).toMatchObject({ method, target, verdict: 'refused', answer: body });
    },
  );

  test('what is not under /v1 is not kept', async () => {
    const before = await listed(bank);
    await bank.control('GET', '/sandbox/info');
    await fetch(`${bank.address}/sca/nothing`);
    await fetch(`${bank.address}/v11/accounts`);
    expect(await listed(bank)).toEqual(before);
  });

  test.each([
    ['ended by its client', 'end', [], 400],
    ['reset by its client', 'resetAndDestroy', ['the client was gone before it had the whole answer'], null],
  ] as const)('one whose body was %s is kept, and says so', async (_how, leave, notes, status) => {
    const id = randomUUID();
    const socket = connect(Number(new URL(bank.address).port), '127.0.0.1');
    socket.on('error', () => undefined).resume();
    const headers = ['Host: 127.0.0.1', `X-Request-ID: ${id}`, 'Content-Length: 1000', 'Expect: 100-continue'];
    socket.write(`POST ${singlePath} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n{"instructedAmount"`);
    // The server has read the head when it says go on; a reset would take away what it has not read.
    await once(socket, 'data');
    socket[leave]();
    await eventually(bank, (entries) => entries.some(({ requestId }) => requestId === id));
    const [entry] = await kept(bank, id);
    expect(entry).toMatchObject({ verdict: 'refused', status, code: 'BAD_REQUEST', body: null, notes });
  });

  test('a body that is too large is kept without the body', async () => {
    const { status, body } = await bank.raw('POST', singlePath, {}, Buffer.alloc(300_000, 'x'));
    expect(status).toBe(413);
    const [entry] = await kept(bank, entryAddress(body).split('/').at(-1) ?? '');
    expect(entry).toMatchObject({ status: 413, code: 'BAD_REQUEST', body: null });
  });
});

describe('the list', () => {
  const other = validCertificate({ organizationIdentifier: 'PSDNO-FSA-111111111', commonName: 'other.example' });
  const own = testBank('2027-03-24T12:00:00+01:00');
  beforeAll(async () => {
    await payWith(randomUUID(), '11.00', own);
    await own.signed('GET', '/v1/accounts', { headers: single, certificate: other });
    await own.raw('GET', '/v1/card-accounts/7/transactions');
    await own.raw('GET', '/api-sandbox/v1/accounts');
  });

  test.each([
    ['', 4],
    ['?verdict=accepted', 2],
    ['?verdict=refused', 2],
    ['?code=CONSENT_INVALID', 1],
    ['?code=SIGNATURE_MISSING', 2],
    ['?code=KID_INVALID', 0],
    ['?tpp=PSDNO-FSA-111111111', 1],
    ['?tpp=PSDNO-FSA-987654321', 1],
    ['?tpp=nobody', 0],
    ['?path=/v1/accounts', 2],
    ['?path=/v1', 4],
    ['?path=/api-sandbox/v1/accounts', 2],
    ['?path=/v1/*/*/transactions', 1],
    ['?path=/v1/acc', 0],
    ['?limit=1', 1],
    ['?limit=3&verdict=refused', 2],
    ['?limit=500', 4],
    ['?verdict=accepted&code=CONSENT_INVALID&tpp=PSDNO-FSA-111111111&path=/v1/accounts&limit=2', 1],
  ])('%s lists %i', async (query, count) => {
    expect(await listed(own, query)).toHaveLength(count);
  });

  test('is in the order of the answers, the newest first, without what only one entry has', async () => {
    const entries = await listed(own);
    expect(entries.map(({ target }) => target)).toEqual([
      '/api-sandbox/v1/accounts',
      '/v1/card-accounts/7/transactions',
      '/v1/accounts',
      singlePath,
    ]);
    const members =
      'requestId at wall method target tpp tppName verdict status code finding reason notes beforeReset'.split(' ');
    for (const entry of entries) expect(Object.keys(entry)).toEqual(members);
  });

  test.each([
    ['?verdict=maybe', 'verdict', ['accepted', 'refused']],
    ['?verdict=', 'verdict', ['accepted', 'refused']],
    ['?code=NOPE', 'code', expect.arrayContaining(['SIGNATURE_INVALID'])],
    ['?code=', 'code', expect.arrayContaining(['SIGNATURE_INVALID'])],
    ['?tpp=', 'tpp', undefined],
    ['?path=v1', 'path', expect.arrayContaining(['/v1'])],
    ['?path=', 'path', expect.arrayContaining(['/v1'])],
    ['?limit=0', 'limit', '1 to 500'],
    ['?limit=501', 'limit', '1 to 500'],
    ['?limit=-1', 'limit', '1 to 500'],
    ['?limit=1.5', 'limit', '1 to 500'],
    ['?limit=99999999999999999999', 'limit', '1 to 500'],
    ['?limit=ten', 'limit', '1 to 500'],
  ])('%s is 400 and says what there is', async (query, path, allowed) => {
    const { status, body } = await own.control('GET', `/sandbox/requests${query}`);
    expect({ status, path: body.errors?.[0]?.path, allowed: body.allowed }).toEqual({ status: 400, path, allowed });
  });

  test.each(['?colour=red', '?limit=1&limit=2'])('%s is 400', async (query) => {
    expect((await own.control('GET', `/sandbox/requests${query}`)).status).toBe(400);
  });

  test.each(['/nothing', `/${'x'.repeat(5_000)}`, '/%00', '/%F0%9F%92%A9', '/..%2F..%2Finfo', '/__proto__'])(
    '%s is 404',
    async (path) => {
      const { status, body } = await own.control('GET', `/sandbox/requests${path}`);
      expect(status).toBe(404);
      expect(body.detail.length).toBeLessThan(600);
    },
  );

  test('is behind the guard of the control plane', async () => {
    await using guarded = await startTestBank('2027-03-24T12:00:00+01:00', ['--control-token', 'a-token-of-our-own'], {
      env: { SANDBANK_TPP_TRUST: 'any' },
    });
    for (const path of ['/sandbox/requests', '/sandbox/requests/x']) {
      expect((await guarded.raw('GET', path)).status).toBe(401);
      const right = await guarded.raw('GET', path, { authorization: 'Bearer a-token-of-our-own' });
      expect(right.status).toBe(path.endsWith('x') ? 404 : 200);
    }
    const body = { customerNumber: '01078900497', name: 'Test', type: 'private' };
    const id = randomUUID();
    const headers = { 'sandbank-control-token': 'a-token-of-our-own', 'x-request-id': id };
    expect((await guarded.signed('POST', '/v1/sandbox/customers', { headers, body })).status).toBe(201);
    const answer = await guarded.raw('GET', `/sandbox/requests/${id}`, {
      authorization: 'Bearer a-token-of-our-own',
    });
    expect(new Map(answer.body.requests[0].headers).get('sandbank-control-token')).toBe('***');
    expect(JSON.stringify(answer.body)).not.toContain('a-token-of-our-own');
  });
});
