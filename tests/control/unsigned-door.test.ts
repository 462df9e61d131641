import { createHash } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { tempFolder } from '../support/temp-folder.ts';
import { readConfig } from '../../api/start/config.ts';
import { startServer } from '../../api/hosting/server.ts';
import { testTppId } from '../../api/signing/test-tpp.ts';
import { type Reply, validCertificate } from '../lab/server.ts';
import { testBank } from '../support/test-bank.ts';

const psu = '13039319955';
const json = { 'content-type': 'application/json' };
const initiation = '/v1/payments/norwegian-domestic-credit-transfers';
const ofPsu = { 'x-psu-identity': psu, 'psu-context': 'PRIVATE' };
let cents = 100;

/** A payment that is no logical duplicate of another one here. */
function payment(): object {
  cents += 1;
  return {
    instructedAmount: { amount: `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`, currency: 'NOK' },
    debtorAccount: { bban: '09232911044', currency: 'NOK' },
    creditorAccount: { bban: '90491105991', currency: 'NOK' },
    creditorName: 'Company 123',
  };
}

const folder = tempFolder();
const bank = testBank('2027-03-24T12:00:00+01:00');
const locked = testBank('2027-03-24T12:00:00+01:00', ['--control-token', 'the-secret-token-1']);

/** A plain request, as curl sends it; `at` is a base such as `/sandbox/as/shop`. */
function plain(
  method: string,
  target: string,
  headers: Record<string, string> = {},
  body?: unknown,
  at = '/sandbox/as/shop',
): Promise<Reply> {
  const bytes = body === undefined ? undefined : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  return bank.raw(method, at + target, { ...(bytes !== undefined && json), ...headers }, bytes);
}

/** A payment that the PSU signed; its address. */
async function paid(at: string): Promise<string> {
  const { status, body } = await plain('POST', initiation, ofPsu, payment(), at);
  expect(status).toBe(201);
  await bank.approve(body);
  return body._links.self.href;
}

/** A request whose path and headers go as they are, which fetch would normalise. */
function exactly(path: string, options: { method?: string; headers?: Record<string, string>; body?: string } = {}) {
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const { port, hostname: host } = new URL(bank.address);
    const { method = 'GET', headers = {}, body } = options;
    const sent = httpRequest({ host, port, path, method, headers, agent: false }, (answer) => {
      let text = '';
      answer.on('data', (chunk) => (text += String(chunk)));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

describe('U1: a plain request pays', () => {
  test('it is signed as the TPP of that name, goes the whole way, and settles', async () => {
    const self = await paid('/sandbox/as/shop');
    await bank.advance({ runs: 1 });
    expect((await plain('GET', `${self}/status`)).body).toMatchObject({ transactionStatus: 'ACSC' });
  });

  test('G8: the name makes the TPP: one who signs for himself with that identifier sees the payment, nobody else does', async () => {
    const self = await paid('/sandbox/as/shop');
    const same = validCertificate({ organizationIdentifier: testTppId('shop'), commonName: 'shop' });
    expect((await bank.signed('GET', `${self}/status`, { certificate: same })).status).toBe(200);
    const foreign = await bank.signed('GET', `${self}/status`);
    const other = await plain('GET', `${self}/status`, {}, undefined, '/sandbox/as/Shop');
    expect([foreign.status, other.status]).toEqual([403, 403]);
    expect(other.body.tppMessages[0].code).toBe(foreign.body.tppMessages[0].code);
  });

  test('two names are two TPPs: neither sees the payment of the other, and a PSU-ID of one is nothing to the other', async () => {
    const psuId = async (at: string) => {
      const { body } = await plain('POST', '/v1/bank-offered-consents', {}, undefined, at);
      return (await bank.approve(body)).searchParams.get('psu-id') ?? '';
    };
    const [one, two] = [await psuId('/sandbox/as/one'), await psuId('/sandbox/as/two')];
    const list = (at: string, id: string) => plain('GET', '/v1/accounts', { 'psu-id': id }, undefined, at);
    expect((await list('/sandbox/as/one', one)).status).toBe(200);
    expect((await list('/sandbox/as/two', two)).status).toBe(200);
    expect((await list('/sandbox/as/two', one)).status).toBe(401);
    const self = await paid('/sandbox/as/one');
    expect((await plain('GET', self, {}, undefined, '/sandbox/as/two')).status).toBe(403);
  });

  test('the same name is the same TPP after a restart, with a new certificate', async () => {
    const ledger = join(folder, 'kept', 'ledger.sqlite');
    const flags = ['--port', '0', '--ledger', ledger, '--log-level', 'silent'];
    const ask = async (address: string, method: string, target: string, body?: object) => {
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      return fetch(`${address}/sandbox/as/shop${target}`, { method, headers: { ...json, ...ofPsu }, ...sent });
    };
    const first = await startServer(readConfig({}, flags));
    const made = (await (await ask(first.address, 'POST', initiation, payment())).json()) as {
      _links: { self: { href: string } };
    };
    await first.stop();
    const second = await startServer(readConfig({}, flags));
    expect((await ask(second.address, 'GET', made._links.self.href)).status).toBe(200);
    await second.stop();
  }, 30_000);

  test('in a named bank too; links are relative to the address that the client uses as its base', async () => {
    await bank.control('POST', '/sandbox/banks', { name: 'demo' });
    const base = '/banks/demo/sandbox/as/shop';
    const { status, body } = await plain('POST', initiation, ofPsu, payment(), base);
    expect(status).toBe(201);
    expect(body._links.self.href).toMatch(/^\/v1\/payments\//);
    expect(body._links.scaRedirect.href).toContain(`${bank.address}/banks/demo/sca/`);
    expect((await plain('GET', body._links.self.href, {}, undefined, base)).status).toBe(200);
    expect((await plain('GET', body._links.self.href)).status).toBe(403);
    const unknown = await plain('GET', '/v1/accounts', {}, undefined, '/banks/nope/sandbox/as/shop');
    expect(unknown).toMatchObject({ status: 404, body: { title: 'Not Found' } });
  });

  test.each(['any', 'ca'])(
    'with the trust %s, with a ledger file and in memory',
    async (trust) => {
      for (const ledger of [join(folder, trust, 'ledger.sqlite'), ':memory:']) {
        const flags = ['--port', '0', '--ledger', ledger, '--log-level', 'silent', '--tpp-trust', trust];
        const server = await startServer(readConfig({}, flags));
        const address = `${server.address}/sandbox/as/shop/v1/bank-offered-consents`;
        expect((await fetch(address, { method: 'POST' })).status).toBe(201);
        await server.stop();
      }
    },
    30_000,
  );

  test('a CA file that cannot be used is a 503 in words, and the interface goes on', async () => {
    const ledger = join(folder, 'broken', 'ledger.sqlite');
    const server = await startServer(readConfig({}, ['--port', '0', '--ledger', ledger, '--log-level', 'silent']));
    const address = `${server.address}/sandbox/as/shop/v1/bank-offered-consents`;
    writeFileSync(join(folder, 'broken', 'sandbox-ca.pem'), 'nothing');
    const refused = await fetch(address, { method: 'POST' });
    expect([refused.status, await refused.text()]).toEqual([
      503,
      expect.stringContaining('The sandbox CA cannot be used'),
    ]);
    // `sandbank pay` prints the detail.
    const pay = await fetch(`${server.address}/sandbox/payments`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ from: '09232911044', to: '90491105991', amount: '1.00' }),
    });
    expect([pay.status, await pay.json()]).toEqual([
      503,
      expect.objectContaining({ detail: expect.stringContaining('The sandbox CA cannot be used') }),
    ]);
    rmSync(join(folder, 'broken', 'sandbox-ca.pem'));
    expect((await fetch(address, { method: 'POST' })).status).toBe(201);
    await server.stop();
  }, 30_000);
});

describe('C18: shortcuts of the door', () => {
  const at = '/sandbox/as/quick';
  const approved = { ...ofPsu, 'sandbank-approve': psu };
  const latest = `${initiation}/latest`;

  test('latest is what this TPP made last: a payment of the path, any payment, one that waits for a signature, a basket', async () => {
    const [first, second] = [
      await plain('POST', initiation, ofPsu, payment(), at),
      await plain('POST', initiation, ofPsu, payment(), at),
    ];
    const { paymentId } = second.body;
    expect((await plain('GET', latest, ofPsu, undefined, at)).body._links.self.href).toContain(paymentId);
    expect((await plain('GET', '/v1/payment/latest', ofPsu, undefined, at)).status).toBe(200);
    const signing = await plain('POST', `${latest}/authorisations`, approved, undefined, at);
    expect(signing.status).toBe(201);
    const { basketId } = (await plain('POST', '/v1/signing-baskets', ofPsu, { paymentIds: ['latest'] }, at)).body;
    const basket = await plain('GET', '/v1/signing-baskets/latest', ofPsu, undefined, at);
    expect(basket.body.paymentIds).toEqual([first.body.paymentId]);
    expect(basketId).toBeDefined();
    const other = await plain('GET', latest, ofPsu, undefined, '/sandbox/as/other');
    expect([other.status, other.body.tppMessages[0].code]).toEqual([403, 'RESOURCE_UNKNOWN']);
  });

  test('Sandbank-Approve signs before the answer is sent, and Sandbank-Approved is the redirect', async () => {
    const answer = await plain('POST', initiation, approved, payment(), at);
    const redirect = new URL(answer.headers.get('sandbank-approved') ?? '');
    expect([answer.status, redirect.searchParams.get('psu-id')]).toEqual([
      201,
      expect.stringMatching(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/),
    ]);
    expect(redirect.searchParams.get('context')).toBe('PRIVATE');
    expect((await plain('GET', `${latest}/status`, ofPsu, undefined, at)).body.transactionStatus).not.toBe('RCVD');
    await plain('POST', '/v1/consents', { ...approved, 'tpp-session-id': 's' }, undefined, at);
    expect((await plain('GET', '/v1/accounts', ofPsu, undefined, at)).status).toBe(200);
  });

  test('a PSU who cannot approve: the answer stays, and the header has the reason', async () => {
    const answer = await plain('POST', initiation, { ...ofPsu, 'sandbank-approve': '00000000000' }, payment(), at);
    expect([answer.status, answer.body.transactionStatus]).toEqual([201, 'RCVD']);
    expect(answer.headers.get('sandbank-approved')).not.toContain('psu-id=');
    expect(answer.headers.get('sandbank-approved')).toMatch(/\.$/);
  });
});

describe('U2: what is missing is added, what is sent is kept, a header sent empty is left out', () => {
  const requestId = '4eba4445-1a4b-47b8-bdd5-4e56ef026b19';
  const wrong = `SHA-256=${createHash('sha256').update('another body').digest('base64')}`;

  test.each<[string, Record<string, string>, number, string | null, string | null]>([
    ['an X-Request-ID', { 'x-request-id': requestId }, 201, null, null],
    ['an X-Request-ID that is none', { 'x-request-id': 'none' }, 400, 'FORMAT_ERROR', 'x-request-id'],
    ['no X-Request-ID', { 'x-request-id': '' }, 400, 'HTTP_HEADER_REQUIRED', 'x-request-id'],
    ['an old Date', { date: 'Sun, 05 Jan 2014 21:31:40 GMT' }, 400, 'TIMESTAMP_INVALID', 'date'],
    ['no Date', { date: '' }, 400, 'HTTP_HEADER_REQUIRED', 'date'],
    ['the Digest of another body', { digest: wrong }, 400, 'FORMAT_ERROR', 'digest'],
    ['no Digest', { digest: '' }, 400, 'HTTP_HEADER_REQUIRED', 'digest'],
    ['no TPP-Redirect-URI', { 'tpp-redirect-uri': '' }, 400, 'HTTP_HEADER_REQUIRED', 'tpp-redirect-uri'],
    ['a TPP-Redirect-URI', { 'tpp-redirect-uri': 'javascript:1' }, 400, 'FORMAT_ERROR', 'tpp-redirect-uri'],
    ['no PSU-IP-Address', { 'psu-ip-address': '' }, 400, 'HTTP_HEADER_REQUIRED', 'psu-ip-address'],
    ['a PSU-IP-Address', { 'psu-ip-address': '1.2.3' }, 400, 'FORMAT_ERROR', 'psu-ip-address'],
    ['no signature', { signature: '' }, 400, 'SIGNATURE_MISSING', 'signature'],
    ['no certificate', { 'tpp-signature-certificate': '' }, 401, 'CERTIFICATE_MISSING', 'tpp-signature-certificate'],
    ['another type of body', { 'content-type': 'text/plain' }, 415, 'FORMAT_ERROR', 'content-type'],
  ])('%s', async (_what, headers, status, code, path) => {
    const answer = await plain('POST', initiation, { ...ofPsu, ...headers }, payment());
    expect(answer.status).toBe(status);
    expect(answer.body.tppMessages?.[0]).toEqual(code === null ? undefined : expect.objectContaining({ code, path }));
    if (headers['x-request-id'] === requestId) expect(answer.headers.get('x-request-id')).toBe(requestId);
  });

  test('A8: without PSU-IP-Address it is unattended: the fifth read of a day is refused, an attended one is not', async () => {
    const { body } = await plain('POST', '/v1/bank-offered-consents', {}, undefined, '/sandbox/as/batch');
    const psuId = (await bank.approve(body)).searchParams.get('psu-id') ?? '';
    const read = async (headers: Record<string, string>) =>
      (
        await plain(
          'GET',
          '/v1/accounts?withBalance=true',
          { 'psu-id': psuId, ...headers },
          undefined,
          '/sandbox/as/batch',
        )
      ).status;
    const statuses = [];
    for (let time = 0; time < 5; time += 1) statuses.push(await read({ 'psu-ip-address': '' }));
    expect(statuses).toEqual([200, 200, 200, 200, 429]);
    expect(await read({})).toBe(200);
  });

  test('P9: the same X-Request-ID once more is answered as the first time', async () => {
    const [headers, body] = [{ ...ofPsu, 'x-request-id': '8a3de5a5-3ec7-4a4c-9a3f-21b2b7a01e5b' }, payment()];
    const [first, again] = [
      await plain('POST', initiation, headers, body),
      await plain('POST', initiation, headers, body),
    ];
    expect(again.body.paymentId).toBe(first.body.paymentId);
  });

  test('G5: a header sent twice is refused as on the interface', async () => {
    const date = new Date(bank.bank.wall.now()).toUTCString();
    const { status, text } = await raw(
      `GET /sandbox/as/shop/v1/accounts HTTP/1.1\r\nHost: localhost\r\nDate: ${date}\r\nDate: ${date}\r\nConnection: close\r\n\r\n`,
    );
    expect([status, text]).toEqual([400, expect.stringContaining('"path":"date"')]);
  });

  test.each(['signature', 'tpp-signature-certificate'])(
    'a request with a %s of its own is refused in words',
    async (name) => {
      const answer = await plain('GET', '/v1/accounts', { [name]: 'x' });
      expect(answer).toMatchObject({
        status: 400,
        body: { detail: expect.stringContaining('send the signed request to /v1') },
      });
    },
  );
});

describe('a TPP that the kit made', () => {
  const made = (body: object) => bank.control('POST', '/sandbox/certificates', body);

  test('of one role: the door signs with it under that name', async () => {
    expect((await made({ name: 'reader', roles: ['PSP_AI'] })).status).toBe(200);
    const paying = await plain('POST', initiation, ofPsu, payment(), '/sandbox/as/reader');
    expect([paying.status, paying.body.tppMessages[0].code]).toEqual([401, 'ROLE_INVALID']);
    expect((await plain('POST', '/v1/bank-offered-consents', {}, undefined, '/sandbox/as/reader')).status).toBe(201);
    expect((await made({ name: 'reader' })).status).toBe(200);
    expect((await plain('POST', initiation, ofPsu, payment(), '/sandbox/as/reader')).status).toBe(201);
  });

  test('with a fault: it is for the one who asked, and the door signs as before', async () => {
    expect((await made({ name: 'shop', fault: 'expired' })).status).toBe(200);
    expect((await plain('POST', initiation, ofPsu, payment())).status).toBe(201);
  });
});

describe('names and paths', () => {
  test.each([
    ['', 400],
    ['..', 400],
    ['%2e%2e', 400],
    ['a%2Fb', 400],
    ['a%00b', 400],
    ['%zz', 400],
    ['sh%C3%B8p', 400],
    ['a b'.replace(' ', '%20'), 400],
    ['a_b', 400],
    ['a'.repeat(61), 400],
    ['a'.repeat(60), 404],
    ['sh%6fp', 404],
    ['__proto__', 400],
    ['constructor', 404],
  ])('%j as a name: %i', async (name, status) => {
    const answer = await exactly(`/sandbox/as/${name}/v1/nothing`);
    expect(answer.status).toBe(status);
    expect(answer.text).toContain(status === 400 ? 'is no name for a TPP' : 'NOT_FOUND');
  });

  test.each([
    ['/sandbox/as', 404, 'Here is nothing'],
    ['/sandbox/as/', 400, 'is no name for a TPP'],
    ['/sandbox/as/shop', 404, 'leads to the interface alone'],
    ['/sandbox/as/shop/', 404, 'leads to the interface alone'],
    ['/sandbox/as/shop/v2/accounts', 404, 'leads to the interface alone'],
    ['/sandbox/as/shop/v10/accounts', 404, 'leads to the interface alone'],
    ['/sandbox/as/shop/sandbox/clock', 404, 'leads to the interface alone'],
    ['/sandbox/as/shop/../../clock', 404, 'leads to the interface alone'],
    ['/sandbox/as/shop/v1', 404, 'NOT_FOUND'],
    ['/sandbox/as/shop/v1?x', 404, 'NOT_FOUND'],
    ['/sandbox/as/shop/v1/../sandbox/clock', 404, 'NOT_FOUND'],
    ['/sandbox/as/shop/v1/%', 404, 'NOT_FOUND'],
    ['/sandbox/as/shop/v1/sandbox/as/shop/v1/accounts', 404, 'NOT_FOUND'],
    ['/sandbox/assets', 404, 'The control plane has no'],
    ['http://localhost/sandbox/as/shop/v1/nothing', 404, 'NOT_FOUND'],
  ])('%s: %i', async (path, status, words) => {
    const answer = await exactly(path);
    expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(words)]);
  });

  test('a wrong method is refused by the interface; a HEAD is a GET without its body', async () => {
    expect((await exactly('/sandbox/as/shop/v1/accounts', { method: 'PATCH' })).text).toContain('SERVICE_INVALID');
    expect(await exactly('/sandbox/as/shop/v1/accounts', { method: 'HEAD' })).toMatchObject({ status: 401, text: '' });
  });

  test('a GET and a DELETE with a body are signed with it', async () => {
    const headers = { ...json, 'content-length': '2' };
    const get = await exactly('/sandbox/as/shop/v1/accounts', { headers, body: '{}' });
    const remove = await exactly('/sandbox/as/shop/v1/payments/none', { method: 'DELETE', headers, body: '{}' });
    expect(get.text + remove.text).not.toMatch(/DIGEST|digest|SIGNATURE|SYSTEM_ERROR/);
  });
});

describe('bodies', () => {
  test('one that comes in chunks is signed as a whole', async () => {
    const body = Buffer.from(JSON.stringify(payment()));
    const stream = new ReadableStream({
      start: (controller) => {
        for (const part of [body.subarray(0, 40), body.subarray(40)]) controller.enqueue(part);
        controller.close();
      },
    });
    const address = `${bank.address}/sandbox/as/shop${initiation}`;
    const answer = await fetch(address, {
      method: 'POST',
      headers: { ...json, ...ofPsu },
      body: stream,
      duplex: 'half',
    });
    expect(answer.status).toBe(201);
  });

  test.each<[string, string, number, Record<string, string>, string, RegExp]>([
    ['E2: more than 256 KB', initiation, 300_000, {}, 'BAD_REQUEST', /too large/],
    [
      'E2: a bulk payment may have more',
      '/v1/bulk-payments/norwegian-domestic-credit-transfers',
      300_000,
      {},
      'FORMAT_ERROR',
      /JSON/,
    ],
    [
      'E2: but not more than 8 MB',
      '/v1/bulk-payments/norwegian-domestic-credit-transfers',
      9_000_000,
      {},
      'BAD_REQUEST',
      /too large/,
    ],
    ['a Content-Encoding', initiation, 10, { 'content-encoding': 'gzip' }, 'FORMAT_ERROR', /Content-Encoding/],
  ])('%s', async (_what, target, size, headers, code, text) => {
    const more = { ...ofPsu, 'x-accept-fix': 'none', 'tpp-session-id': 'one', ...headers };
    const answer = await plain('POST', target, more, 'x'.repeat(size));
    expect(answer.body.tppMessages[0]).toMatchObject({ code, text: expect.stringMatching(text) });
  });

  test('a client that goes away in the middle of its body leaves nothing behind', async () => {
    const { port } = new URL(bank.address);
    const head = `POST /sandbox/as/shop${initiation} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{`;
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), '127.0.0.1', () => socket.write(head, () => socket.destroy()));
      socket.once('close', () => resolve());
    });
    expect((await plain('POST', initiation, ofPsu, payment())).status).toBe(201);
  });
});

describe('U3: it is guarded as the control plane is', () => {
  test.each<[string, Record<string, string>, number]>([
    ['another host', { host: 'evil.test' }, 403],
    ['a page of another origin', { host: 'localhost', origin: 'http://evil.test' }, 403],
    ['an image of another page', { host: 'localhost', 'sec-fetch-site': 'cross-site' }, 403],
    ['a link of a page on another port', { host: 'localhost', 'sec-fetch-site': 'same-site' }, 403],
    ['a page of its own', { host: 'localhost', origin: 'http://localhost', 'sec-fetch-site': 'same-origin' }, 404],
    ['an address typed into a browser', { host: 'localhost', 'sec-fetch-site': 'none' }, 404],
  ])('%s', async (_what, headers, status) => {
    const answer = await exactly('/sandbox/as/shop/v1/nothing', { headers });
    expect(answer.status).toBe(status);
  });

  test('a preflight gets no CORS header', async () => {
    const headers = { host: 'localhost', origin: 'http://evil.test', 'access-control-request-method': 'POST' };
    const answer = await exactly('/sandbox/as/shop/v1/accounts', { method: 'OPTIONS', headers });
    expect(answer.status).toBe(403);
  });

  test('with a control token it asks for it, and passes it on to changes under /v1/sandbox, and nowhere else', async () => {
    const customer = Buffer.from(JSON.stringify({ customerNumber: '01010112345', name: 'New', type: 'private' }));
    const target = '/sandbox/as/shop/v1/sandbox/customers';
    const [bearer, wrong] = [
      { authorization: 'Bearer the-secret-token-1' },
      { authorization: 'Bearer the-secret-token-2' },
    ];
    expect((await locked.raw('POST', target, json, customer)).status).toBe(401);
    expect((await locked.raw('POST', target, { ...json, ...wrong }, customer)).status).toBe(401);
    const own = { ...json, 'sandbank-control-token': 'the-secret-token-1' };
    expect((await locked.raw('POST', target, own, customer)).status).toBe(401);
    const made = await locked.raw('POST', target, { ...json, ...bearer }, customer);
    expect(made.status).toBe(201);
    expect((await locked.raw('POST', '/sandbox/as/shop/v1/bank-offered-consents', bearer)).status).toBe(201);
  });
});

/** Bytes over a connection, and the answer. */
function raw(bytes: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(Number(new URL(bank.address).port), '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (chunk) => (text += String(chunk)));
    socket.on('close', () => resolve({ status: Number(text.slice(9, 12)), text }));
  });
}
