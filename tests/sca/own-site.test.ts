import { request as httpRequest } from 'node:http';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { singlePath, singlePayment } from '../lab/bodies.ts';
import { startTestBank } from '../lab/server.ts';
import { testWith } from '../support/test-with.ts';
import { ownSite } from '../../api/pipeline/own-site.ts';
import { answer, openPage, read } from './pages.ts';
import { testBank } from '../support/test-bank.ts';

const psu = '13039319955';
const flags = ['--allowed-hosts', 'bank.test, other.test:7263', '--public-url', 'https://demo.example:8443/bank'];
const bank = testBank('2027-03-24T12:00:00+01:00', flags);
let amount = 0;

beforeAll(async () => {
  const body = Buffer.from('{"name":"demo"}');
  await bank.raw('POST', '/sandbox/banks', { 'content-type': 'application/json' }, body);
});

interface Opened {
  readonly path: string;
  readonly status: () => Promise<string>;
}

/** A new payment in a bank, with the path of its SCA page. */
async function begin(base = ''): Promise<Opened> {
  amount += 1;
  const body = singlePayment({ instructedAmount: { amount: `${amount}.00`, currency: 'NOK' } });
  const headers = { 'x-psu-identity': psu, 'psu-context': 'PRIVATE' };
  const initiated = await bank.signed('POST', base + singlePath, { body, headers });
  const { paymentId, _links: links } = initiated.body;
  const scaId = new URL(links.scaRedirect.href).pathname.split('/').at(-1) ?? '';
  const status = async () =>
    (await bank.control('GET', `${base}/sandbox/payments/${encodeURIComponent(paymentId)}`)).body.status;
  return { path: `${base}/sca/${scaId}`, status };
}

interface Sent {
  readonly status: number;
  readonly text: string;
  readonly location: string | undefined;
}

/** A request with the headers exactly as given, the Host too. */
function send(method: string, path: string, headers: Record<string, string>, body = ''): Promise<Sent> {
  const { port } = new URL(bank.address);
  const form = method === 'POST' ? { 'content-type': 'application/x-www-form-urlencoded' } : {};
  const options = { host: '127.0.0.1', port, method, path, headers: { ...form, ...headers }, agent: false };
  return new Promise((resolve, reject) => {
    const request = httpRequest(options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, text, location: response.headers.location });
      });
    });
    request.on('error', reject);
    request.end(body);
  });
}

/** The last page of a payment, and the form on it. */
async function approving(path: string): Promise<{ readonly target: string; readonly form: string }> {
  const page = await answer(await openPage(bank.address + path), { action: 'identify', psu });
  const [, token = ''] = /name="token" value="([^"]*)"/.exec(await page.text()) ?? [];
  const { pathname, search } = new URL(page.url);
  return { target: pathname + search, form: new URLSearchParams({ token, action: 'approve' }).toString() };
}

describe.each(['', '/banks/demo'])('A2d: the SCA pages of the bank at "%s"', (base) => {
  test.each([
    ['localhost', 200],
    ['LOCALHOST:7263', 200],
    ['127.0.0.1:1', 200],
    ['[::1]:7263', 200],
    ['bank.test', 200],
    ['bank.test:9', 200],
    ['other.test:7263', 200],
    ['demo.example', 200],
    ['demo.example:8443', 200],
    ['other.test:8081', 403],
    ['evil.example', 403],
    ['localhost.evil.example', 403],
    ['127.0.0.1.evil.example', 403],
    ['bank:7263', 403],
  ])('Host %s: %i', async (host, status) => {
    const { path } = await begin(base);
    const shown = await send('GET', path, { host });
    expect(shown.status).toBe(status);
    if (status === 200) return;
    const text = read(shown.text).replaceAll('&quot;', '"');
    expect(text).toContain(`does not answer to the host "${host}"`);
    expect(text).toContain(`SANDBANK_ALLOWED_HOSTS=${host.replace(/:.*/, '')} adds it`);
  });

  test('a Host that is none is not repeated as markup', async () => {
    const { path } = await begin(base);
    const shown = await send('GET', path, { host: '<b>evil' });
    expect(shown.status).toBe(403);
    expect(shown.text).not.toContain('<b>evil');
    expect(read(shown.text)).toContain('SANDBANK_ALLOWED_HOSTS adds names');
  });

  test.each([
    ['http://evil.example', 403],
    ['http://localhost:3000', 403],
    ['null', 403],
    ['file://', 403],
    ['', 403],
    ['http://localhost:7263', 303],
    ['https://localhost:7263', 303],
    ['https://demo.example:8443', 303],
    [null, 303],
  ])('a form from Origin %s to localhost:7263: %i', async (origin, status) => {
    const opened = await begin(base);
    const { target, form } = await approving(opened.path);
    const before = await opened.status();
    const headers = { host: 'localhost:7263', ...(origin !== null && { origin }) };
    const sent = await send('POST', target, headers, form);
    expect(sent.status).toBe(status);
    expect(before).toBe('RCVD');
    expect(await opened.status()).toBe(status === 303 ? 'PDNG' : 'RCVD');
  });

  test.each([
    ['none', () => ''],
    ['one of nothing', () => 'x'],
    ['one that is longer', (token: string) => `${token}x`],
    ['another one of its length', (token: string) => token.replace(/.$/, (last) => (last === 'A' ? 'E' : 'A'))],
  ])('a form with the token %s is a page that says so, and approves nothing', async (_what, change) => {
    const opened = await begin(base);
    const { target, form } = await approving(opened.path);
    const fields = new URLSearchParams(form);
    fields.set('token', change(fields.get('token') ?? ''));
    const sent = await send('POST', target, { host: 'localhost' }, fields.toString());
    expect([sent.status, sent.location]).toEqual([403, undefined]);
    expect(read(sent.text)).toContain('The form does not carry the token of this page.');
    expect(sent.text).toContain('<a href="?">Open the page of the bank</a>');
    expect(await opened.status()).toBe('RCVD');
    expect((await send('POST', target, { host: 'localhost' }, form)).status).toBe(303);
    expect(await opened.status()).toBe('PDNG');
  });

  test('the token of another SCA, of another step and of another bank are not that of this page', async () => {
    const opened = await begin(base);
    const { target } = await approving(opened.path);
    const elsewhere = await begin(base === '' ? '/banks/demo' : '');
    for (const { path } of [await begin(base), opened, elsewhere]) {
      const [, token = ''] =
        /name="token" value="([^"]*)"/.exec((await send('GET', path, { host: 'localhost' })).text) ?? [];
      expect(token).not.toBe('');
      const form = new URLSearchParams({ token, action: 'approve' }).toString();
      expect((await send('POST', target, { host: 'localhost' }, form)).status).toBe(403);
    }
    expect(await opened.status()).toBe('RCVD');
  });
});

test('A2d: a page of another site that knows the id alone approves nothing', async () => {
  const opened = await begin();
  const form = new URLSearchParams({ action: 'approve', psu, context: 'PRIVATE' }).toString();
  const sent = await send('POST', opened.path, { host: 'localhost', origin: 'http://evil.example' }, form);
  expect(sent.status).toBe(403);
  expect(await opened.status()).toBe('RCVD');
});

describe('C1: at a named bank that does not exist', () => {
  const advance = '/banks/none/sandbox/clock/advance';
  test.each([
    ['POST', advance, { origin: 'http://evil.example' }, 403],
    ['POST', advance, { 'sec-fetch-site': 'cross-site' }, 403],
    ['PUT', '/banks/none/sandbox/clock', { host: 'evil.example' }, 403],
    ['GET', '/banks/none/sandbox/info', { host: 'evil.example' }, 403],
    ['POST', advance, { origin: 'http://localhost' }, 404],
    ['GET', '/banks/none/sandbox/info', { 'sec-fetch-site': 'cross-site' }, 403],
    [
      'GET',
      '/banks/none/sandbox/info',
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
      404,
    ],
    ['GET', '/banks/none/v1/accounts', { host: 'evil.example', origin: 'http://evil.example' }, 404],
  ])('%s %s with %j: %i', async (method, path, headers, status) => {
    const sent = await send(method, path, { host: 'localhost', ...headers });
    expect([sent.status, sent.text.includes('There is no bank')]).toEqual([status, status === 404]);
  });
});

test('the interface is reached by any name: a TPP is known by its signature', async () => {
  for (const path of ['/v1/accounts', '/api-sandbox/v1/accounts']) {
    const { status, text } = await send('GET', path, { host: 'evil.example', origin: 'http://evil.example' });
    expect([status, text]).toEqual([400, expect.stringContaining('SIGNATURE_MISSING')]);
  }
});

describe('A2d: what the server listens at is its own', () => {
  // Elsewhere than on Linux the machine has no such address.
  const onLinux = testWith(process.platform === 'linux', 'Linux');

  onLinux(
    'the address that it prints works, for its pages and its control plane; another name of it does not',
    async () => {
      await using listening = await startTestBank('2027-03-24T12:00:00+01:00', ['--host', '127.0.0.2']);
      const { address } = listening;
      const { port } = new URL(address);
      expect(address).toBe(`http://127.0.0.2:${port}`);
      const json = { 'content-type': 'application/json' };
      for (const path of ['/console', '/docs', '/sandbox/clock', '/sandbox/landed']) {
        expect([path, (await fetch(address + path)).status]).toEqual([path, 200]);
        const foreign = await fetch(address + path, { headers: { origin: 'http://evil.example' } });
        expect([path, foreign.status]).toEqual([path, 403]);
      }
      const moves = { method: 'POST', body: '{"runs":1}' };
      const own = await fetch(`${address}/sandbox/clock/advance`, {
        ...moves,
        headers: { ...json, origin: address },
      });
      expect(own.status).toBe(200);
      for (const host of ['evil.example', `rebound.example:${port}`, `127.0.0.3:${port}`, '127.0.0.2.evil.example']) {
        expect([host, await statusFor(`${address}/sandbox/clock`, host)]).toEqual([host, 403]);
      }
    },
  );

  test.each([
    ['192.168.1.20', '192.168.1.20:7263', true],
    ['192.168.1.20', '192.168.1.21:7263', false],
    ['Bank.Test', 'bank.test:7263', true],
    ['bank.test', 'evil.bank.test', false],
    ['2001:DB8::0:1', '[2001:db8::1]:7263', true],
    ['2001:DB8::0:1', '[2001:DB8::0:1]:7263', true],
    ['2001:DB8::0:1', '[2001:db8::2]', false],
    ['0.0.0.0', '0.0.0.0:7263', true],
    ['0.0.0.0', '192.168.1.20:7263', false],
    ['::', '[::]:7263', true],
    ['', '', false],
  ])('HOST=%s, Host: %s: %j', (host, asked, passes) => {
    const check = ownSite({ host, allowedHosts: [], publicUrl: null });
    expect(check({ headers: { host: asked } }) === null).toBe(passes);
  });
});

/** Status of a GET with this Host. */
function statusFor(address: string, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asking = httpRequest(address, { headers: { host }, agent: false }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode));
    });
    asking.on('error', reject).end();
  });
}
