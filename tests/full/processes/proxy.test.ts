import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { tempFolder } from '../../support/temp-folder.ts';
import type { HarEntry } from '../../../scripts/drift/har-file.ts';
import { greetedAddress } from '../../lab/greeted-address.ts';
import { program } from '../../support/program.ts';
import { runMain } from '../../support/recorded-terminal.ts';
import { startTestBank, validCertificate } from '../../lab/server.ts';
import { testBank } from '../../support/test-bank.ts';

const folder = tempFolder();
const initiation = '/v1/payments/norwegian-domestic-credit-transfers';
const bank = testBank('2027-03-24T12:00:00+01:00');
let shared: string;
let process_: ChildProcess;

beforeAll(async () => {
  [process_, shared] = await started('--target', bank.address);
});
afterAll(async () => {
  await ended(process_);
});

/** A proxy in a process of its own, on a free port, and its address. */
function started(...args: string[]): Promise<[ChildProcess, string]> {
  return startedIn(process.env, ...args);
}

async function startedIn(env: NodeJS.ProcessEnv, ...args: string[]): Promise<[ChildProcess, string]> {
  const child = spawn(process.execPath, [program, 'proxy', '--port', '0', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env,
  });
  return [child, await greetedAddress(child.stdout)];
}

/** Ends it as a shell does. Returns its exit code. */
async function ended(child: ChildProcess): Promise<number | null> {
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  const [code] = (await exit) as [number | null];
  return code;
}

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

interface Sending {
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

function send(base: string, method: string, path: string, { headers = {}, body }: Sending = {}): Promise<Answer> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ hostname, port, method, path, headers, agent: false }, (answer) => {
      let text = '';
      answer.on('data', (chunk) => (text += String(chunk)));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text, headers: answer.headers }));
      answer.once('error', reject);
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

const json = { 'content-type': 'application/json' };

function payment(amount: string): string {
  return JSON.stringify({
    instructedAmount: { amount, currency: 'NOK' },
    debtorAccount: { bban: '09232911044', currency: 'NOK' },
    creditorAccount: { bban: '90491105991', currency: 'NOK' },
    creditorName: 'Company 123',
  });
}

const ofPsu = { ...json, 'x-psu-identity': '13039319955', 'psu-context': 'PRIVATE' };

describe('sandbank proxy', () => {
  test('a plain request pays, and the SCA link leads to the bank itself', async () => {
    const answer = await send(shared, 'POST', initiation, { headers: ofPsu, body: payment('250.00') });
    expect(answer.status).toBe(201);
    const { _links: links } = JSON.parse(answer.text) as Record<'_links', Record<string, { href: string }>>;
    expect(links['scaRedirect']?.href).toContain(`${bank.address}/sca/`);
    const self = links['self']?.href ?? '';
    expect((await send(shared, 'GET', self)).status).toBe(200);
    expect((await bank.signed('GET', self)).status).toBe(403);
  });

  /*
   * As the platform vendor's scripts for its own signing proxy send it: a Host that is not the bank's, one X-Request-ID that
   * is no UUID for all calls, what curl adds, and nothing of the PSU's.
   */
  test("the requests of the vendor's data scripts go through unchanged", async () => {
    const headers = {
      ...{ accept: 'application/json', 'accept-charset': 'utf-8', host: 'localhost', 'user-agent': 'curl/8.14.1' },
      ...{ 'accept-encoding': 'deflate, gzip;q=1.0, *;q=0.5', 'accept-language': 'en-US,en;q=0.7,nb;q=0.3' },
      ...{ 'Content-Type': 'application/json; charset=UTF-8', 'x-request-id': 'TEST_SCRIPT_REQUEST_ID_42' },
    };
    const at = '/api-sandbox/v1/sandbox';
    const post = async (path: string, body: object) =>
      (await send(shared, 'POST', at + path, { headers, body: JSON.stringify(body) })).status;
    const customerNumber = '01078900497';
    const balance = { balanceType: 'EXPECTED', balanceAmount: { amount: 18000, currency: 'NOK' } };
    const account = { customerNumber, accountName: 'Brukskonto', bban: '90412263056', iban: 'NO2390412263056' };
    const kind = {
      currency: 'NOK',
      product: 'Brukskonto',
      cashAccountType: 'CACC',
      creditLine: 0,
      balances: [balance],
    };
    expect(await post('/customers', { customerNumber, name: 'Test Testperson 1', type: 'private' })).toBe(201);
    expect(await post('/accounts', { ...account, ...kind })).toBe(201);
    const list = await send(shared, 'GET', `${at}/customers`, { headers });
    const found = (JSON.parse(list.text) as Record<string, string>[]).find(
      (one) => one['customerNumber'] === customerNumber,
    );
    const removed = await send(shared, 'DELETE', `${at}/customers/${found?.['customerId'] ?? ''}`, { headers });
    expect(removed.status).toBeLessThan(300);
  });

  test('a path of the target goes before that of a request, and is what a named bank has', async () => {
    await bank.control('POST', '/sandbox/banks', { name: 'demo' });
    const [child, address] = await started('--target', `${bank.address}/banks/demo/`);
    const answer = await send(address, 'POST', '/v1/bank-offered-consents');
    expect(answer.text).toContain(`${bank.address}/banks/demo/sca/`);
    expect(await ended(child)).toBe(0);
  });

  test('other paths go on as they are: the control plane, with its events, and pages', async () => {
    const body = '{"runs":1}';
    const headers = { ...json, accept: 'text/event-stream' };
    const events = await send(shared, 'POST', '/sandbox/clock/advance', { headers, body });
    expect([events.status, events.text]).toEqual([200, expect.stringContaining('event: done')]);
    const chunked = await send(shared, 'POST', '/sandbox/clock/advance', {
      headers: { ...json, 'transfer-encoding': 'chunked' },
      body,
    });
    expect(chunked.status).toBe(200);
    expect((await send(shared, 'GET', '/')).text).toContain('Sandbank: a sandbox');
    expect((await send(shared, 'HEAD', '/sandbox/clock')).status).toBe(200);
  });

  test('a stranger gets nothing through it: Host and Origin are checked as at the control plane', async () => {
    for (const headers of [
      { host: 'evil.test' },
      { host: 'localhost', origin: 'http://evil.test' },
      { 'sec-fetch-site': 'cross-site' },
    ]) {
      const answer = await send(shared, 'GET', '/v1/accounts', { headers });
      expect(answer).toMatchObject({ status: 403, headers: { 'content-type': 'application/problem+json' } });
    }
  });

  test('what is signed already is refused; an empty header leaves out what the proxy would add', async () => {
    const refused = await send(shared, 'GET', '/v1/accounts', { headers: { signature: 'x' } });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('the proxy signs itself')]);
    const unsigned = await send(shared, 'GET', '/v1/accounts', { headers: { signature: '' } });
    expect(unsigned.text).toContain('SIGNATURE_MISSING');
    const old = await send(shared, 'GET', '/v1/accounts', { headers: { date: 'Thu, 01 Jan 1970 00:00:00 GMT' } });
    expect(old.text).toContain('TIMESTAMP_INVALID');
  });

  test("bodies: one over the limit of the bank gets its refusal, one over that of the proxy gets the proxy's", async () => {
    const large = await send(shared, 'POST', initiation, { headers: ofPsu, body: 'x'.repeat(300_000) });
    expect(large.text).toContain('The body is too large: at most 256 KB');
    const huge = await send(shared, 'POST', initiation, { headers: ofPsu, body: 'x'.repeat(17_000_000) });
    expect([huge.status, huge.text]).toEqual([
      413,
      expect.stringContaining('The body is too large: the proxy passes on'),
    ]);
  });
});

describe('its target', () => {
  let stranger: Server | null = null;
  afterEach(() => void stranger?.close());

  test('T1c: it signs by the clock of a bank with --follow-clock, also after a move', async () => {
    const later = await startTestBank('2031-04-09T10:00:00+02:00', ['--follow-clock=1']);
    const [child, address] = await started('--target', later.address);
    expect((await send(address, 'GET', '/v1/sandbox/customers')).status).toBe(200);
    await later.control('POST', '/sandbox/clock/advance', { by: 'P3D' });
    expect((await send(address, 'GET', '/v1/sandbox/customers')).status).toBe(200);
    expect(await ended(child)).toBe(0);
    await later.stop();
  });

  test('without --target it is the server of PORT, never the --port of the proxy itself', async () => {
    const { port } = new URL(bank.address);
    const [child, address] = await startedIn({ ...process.env, PORT: port });
    expect((await send(address, 'GET', '/ready')).status).toBe(200);
    expect(await ended(child)).toBe(0);
  });

  test('that does not answer is a 502 in words, and answers again when it is back', async () => {
    stranger = createServer((_request, response) => response.end('back'));
    await once(stranger.listen(0, '127.0.0.1'), 'listening');
    const { port } = stranger.address() as AddressInfo;
    const [child, address] = await started('--target', `http://127.0.0.1:${port}`);
    expect((await send(address, 'GET', '/v1/accounts')).text).toBe('back');
    await new Promise((resolve) => stranger?.close(resolve));
    const gone = await send(address, 'GET', '/v1/accounts');
    expect([gone.status, JSON.parse(gone.text)]).toEqual([
      502,
      expect.objectContaining({ detail: `No answer from http://127.0.0.1:${port} (ECONNREFUSED).` }),
    ]);
    await once(stranger.listen(port, '127.0.0.1'), 'listening');
    expect((await send(address, 'GET', '/other')).text).toBe('back');
    expect(await ended(child)).toBe(0);
  });

  test('that breaks off its answer breaks off that of the proxy, which goes on', async () => {
    stranger = createServer((request, response) => {
      if (request.url === '/whole') return void response.end('whole');
      response.writeHead(200, { 'content-length': '10' });
      response.write('half', () => response.destroy());
    });
    await once(stranger.listen(0, '127.0.0.1'), 'listening');
    const [child, address] = await started('--target', `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`);
    await expect(send(address, 'GET', '/v1/half')).rejects.toThrow();
    expect((await send(address, 'GET', '/whole')).text).toBe('whole');
    expect(await ended(child)).toBe(0);
  });
});

describe('--record', () => {
  const recorded = (name: string): string => join(folder, name);
  const entriesOf = (file: string) => (JSON.parse(readFileSync(file, 'utf8')) as { log: { entries: HarEntry[] } }).log;

  /** Pays, approves at the bank, reads, lets a run pass, and reads again, as this PSU. */
  async function story(address: string, amount: string): Promise<void> {
    const made = await send(address, 'POST', initiation, { headers: ofPsu, body: payment(amount) });
    const { _links: links } = JSON.parse(made.text) as Record<'_links', Record<string, { href: string }>>;
    const self = links['self']?.href ?? '';
    expect((await send(address, 'GET', `${self}/status`)).status).toBe(403);
    const sca = new URL(links['scaRedirect']?.href ?? '').pathname.split('/').at(-1) ?? '';
    const approval = { outcome: 'approve', psu: '13039319955', context: 'PRIVATE' };
    await bank.control('POST', `/sandbox/sca/${sca}`, approval);
    await send(address, 'GET', `${self}/status`);
    await bank.advance({ runs: 1 });
    await send(address, 'GET', `${self}/status`);
    await send(address, 'GET', '/sandbox/clock');
  }

  test('a recorded story has no difference after a kill, and nothing personal is in the file', async () => {
    const file = recorded('story.har');
    const [child, address] = await started('--target', bank.address, '--record', file);
    await story(address, '260.00').finally(() => child.kill('SIGKILL'));
    const { entries } = entriesOf(file);
    expect(entries.map(({ request, response }) => [request.method, response.status])).toEqual([
      ['POST', 201],
      ['GET', 403],
      ['GET', 200],
      ['GET', 200],
    ]);
    const text = readFileSync(file, 'utf8');
    for (const personal of ['13039319955', '09232911044', '90491105991', 'Company'])
      expect(text).not.toContain(personal);
    expect(text).toContain('"bban\\":\\"0923');
    const { code, lines } = await runMain(['drift', file]);
    expect({ code, lines }).toEqual({ code: 0, lines: ['No difference in 4 exchanges.'] });
  }, 30_000);

  test('DW1: a client of the unsigned door is recorded as it sends, and judged by the document of the door', async () => {
    const file = recorded('door.har');
    const [child, address] = await started('--target', bank.address, '--record', file);
    const door = '/sandbox/as/shop';
    const approved = { headers: { ...ofPsu, 'sandbank-approve': '13039319955' }, body: payment('270.00') };
    expect((await send(address, 'POST', `${door}${initiation}`, approved)).status).toBe(201);
    expect((await send(address, 'GET', `${door}${initiation}/latest/status`)).status).toBe(200);
    expect((await send(address, 'GET', `${door}/v1/users`)).status).toBe(200);
    expect((await send(address, 'GET', `${door}/v1/accounts`)).status).toBe(401);
    await send(address, 'GET', `${door}/openapi.json`);
    await send(address, 'GET', '/v1/users');
    expect(await ended(child)).toBe(0);
    const { entries } = entriesOf(file);
    expect(entries.map(({ request }) => new URL(request.url).pathname)).toEqual([
      `${door}${initiation}`,
      `${door}${initiation}/latest/status`,
      `${door}/v1/users`,
      `${door}/v1/accounts`,
      '/v1/users',
    ]);
    expect(readFileSync(file, 'utf8')).not.toContain('13039319955');
    const { code, lines } = await runMain(['drift', file]);
    expect({ code, lines }).toEqual({ code: 0, lines: ['No difference in 5 exchanges.'] });
  });

  test('a client that signs itself is recorded as it is, TPPs are told apart, and a bank is asked nothing', async () => {
    const asked: string[] = [];
    const stranger = createServer((request, response) => {
      asked.push(`${request.method ?? ''} ${request.url ?? ''} ${String(request.headers['accept-encoding'])}`);
      response.writeHead(200, {
        'content-type': 'application/json',
        ...(request.url === '/v1/zipped' && { 'content-encoding': 'gzip' }),
      });
      response.end('{"consentStatus":"valid"}');
    });
    await once(stranger.listen(0, '127.0.0.1'), 'listening');
    const file = recorded('signed.har');
    const target = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`;
    const [child, address] = await started('--target', target, '--record', file);
    const signed = (tpp: string) => ({
      headers: {
        signature: `keyId="SN=${tpp}",CA="Kari"`,
        'tpp-signature-certificate': `MII${tpp}Kari`,
        'accept-encoding': 'gzip',
      },
    });
    for (const tpp of ['12', '34', '12'])
      expect((await send(address, 'GET', '/v1/accounts', signed(tpp))).status).toBe(200);
    await send(address, 'GET', '/elsewhere');
    await send(address, 'GET', '/v1/zipped', signed('12'));
    expect(await ended(child)).toBe(0);
    stranger.close();
    expect(asked).toEqual([
      ...Array.from({ length: 3 }, () => 'GET /v1/accounts undefined'),
      'GET /elsewhere undefined',
      'GET /v1/zipped undefined',
    ]);
    const { entries } = entriesOf(file);
    const certificates = entries.map(
      ({ request }) => request.headers.find(({ name }) => name === 'tpp-signature-certificate')?.value,
    );
    expect(certificates).toHaveLength(3);
    expect([certificates[0] === certificates[2], certificates[0] === certificates[1]]).toEqual([true, false]);
  });
});

describe('its command line', () => {
  const issued = validCertificate({ commonName: 'real', organizationIdentifier: 'PSDNO-FSA-123456789' });
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };

  test('--cert and --key: it signs as that TPP', async () => {
    const [cert, key] = [file('cert.pem', issued.certificatePem), file('key.pem', issued.keyPem)];
    const [child, address] = await started('--target', bank.address, '--cert', cert, '--key', key);
    const answer = await send(address, 'POST', initiation, { headers: ofPsu, body: payment('251.00') });
    const { _links: links } = JSON.parse(answer.text) as { _links: { self: { href: string } } };
    expect((await bank.signed('GET', links.self.href, { certificate: issued })).status).toBe(200);
    expect(await ended(child)).toBe(0);
  });

  test.each<[string, () => string[], number, RegExp]>([
    ['a port that is none', () => ['--port', '99999'], 2, /--port is "99999": expected a port/],
    ['a port that is a host', () => ['--port', 'localhost'], 2, /--port is "localhost": expected a port/],
    ['a target that is none', () => ['--target', 'bank.example'], 2, /--target is "bank.example"/],
    ['a target with a query', () => ['--target', 'http://bank.example?x'], 2, /--target is/],
    ['another scheme', () => ['--target', 'ftp://bank.example'], 2, /--target is/],
    ['a certificate alone', () => ['--cert', file('cert.pem', issued.certificatePem)], 2, /go together/],
    [
      'no such file',
      () => ['--cert', 'none.pem', '--key', 'none.pem'],
      2,
      /--cert none.pem cannot be read: there is no such file/,
    ],
    [
      'a key that is none',
      () => ['--cert', file('cert.pem', issued.certificatePem), '--key', file('none.pem', 'none')],
      2,
      /--key .*none.pem cannot be used/,
    ],
    ['an unknown flag', () => ['--tpp', 'shop'], 2, /--tpp is no flag here/],
    [
      'a recording that is there',
      () => ['--port', '0', '--record', file('there.har', 'mine')],
      1,
      /there.har" cannot be used: it is there already, and no file is replaced$/,
    ],
    [
      'a recording in no folder',
      () => ['--port', '0', '--record', join(folder, 'none', 'x.har')],
      1,
      /cannot be used: there is no such file or folder/,
    ],
    ['a port that is taken', () => ['--port', new URL(bank.address).port], 1, /is taken: choose another with --port/],
  ])('%s', async (_what, args, code, message) => {
    const target = args().includes('--target') ? [] : ['--target', bank.address];
    const result = await runMain(['proxy', ...target, ...args()]);
    expect([result.code, result.errors[0], result.lines]).toEqual([code, expect.stringMatching(message), []]);
  });
});
