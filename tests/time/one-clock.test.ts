import { X509Certificate } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { describe, expect, test } from '@jest/globals';
import pino from 'pino';
import { startServer } from '../../api/hosting/server.ts';
import { issueCertificate } from '../../api/signing/certificate/issue-certificate.ts';
import { readConfig } from '../../api/start/config.ts';
import { takeLedgerImage } from '../../engine/bank/snapshots.ts';
import { takeBackMove } from '../../engine/reset-and-restore.ts';
import type { Instant } from '../../engine/values/instant.ts';
import { singlePayment } from '../lab/bodies.ts';
import { trustCaOf } from '../lab/exchange.ts';
import { BankClient, did, psuHeaders, type Reply, startTestBank, validCertificate } from '../lab/server.ts';
import { Arguments } from '../../scripts/cli/arguments.ts';
import { bankClockOf } from '../../scripts/cli/signing-clock.ts';
import { runMain } from '../support/recorded-terminal.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { testBankForEach } from '../support/test-bank.ts';
import { openSaved } from '../lab/saved-bank.ts';

/* rules.md T1c: one clock by choice. The wall clock of these tests is that of the machine, the bank is in 2031. */

const start = '2031-04-09T10:00:00+02:00';
const at = (text: string): Instant => Date.parse(text) as Instant;
const minutes = (count: number): number => count * 60_000;
const bank = testBankForEach(start, ['--follow-clock=1']);
const folder = tempFolder();

const wide = { validFrom: Date.UTC(2020, 0, 1) as Instant, validTo: Date.UTC(2049, 0, 1) as Instant };
const certificate = validCertificate(wide);
const path = '/v1/sandbox/customers';
const asked = (date: string | number, client: BankClient = bank): Promise<Reply> =>
  client.signed('GET', path, { certificate, date: (typeof date === 'number' ? date : at(date)) as Instant });
const advance = (body: object) => did(bank.control('POST', '/sandbox/clock/advance', body));

describe('T1c: Date of requests is judged by the bank clock', () => {
  test('60 s either way, when the signature is checked', async () => {
    const statuses = [-61, -60, 60, 61].map(async (s) => (await asked(at(start) + s * 1000)).status);
    expect(await Promise.all(statuses)).toEqual([400, 200, 200, 400]);
  });

  test('a client that signs by the wall clock is told so in one sentence', async () => {
    const { status, body } = await asked(Date.now());
    expect([status, body.tppMessages[0].code]).toEqual([400, 'TIMESTAMP_INVALID']);
    expect(body.tppMessages[0].text).toMatch(
      /^The header Date is "[^"]*"; the bank's clock, which it follows, shows Wed, 09 Apr 2031 08:00:00 GMT: [\d.]+ s behind, 60 s are allowed\. Sign by the time of the bank, not by the wall clock: docs\/one-clock\.md shows how\./,
    );
  });

  test('after each way to move the clock: ahead, set, back, reset and restored', async () => {
    const client = (await asked(start)).status;
    await advance({ to: '2031-04-16' });
    const after = [await asked('2031-04-16T00:00:00+02:00'), await asked(start)];
    await did(bank.control('PUT', '/sandbox/clock', { now: '2029-01-02T08:00:00+01:00' }));
    const back = [await asked('2029-01-02T08:00:00+01:00'), await asked('2031-04-16T00:00:00+02:00')];
    await did(bank.control('POST', '/sandbox/snapshots', { name: 'kept' }));
    await advance({ by: 'P2Y' });
    await did(bank.control('POST', '/sandbox/snapshots/kept/restore'));
    const restored = await asked('2029-01-02T08:00:00+01:00');
    await did(bank.control('POST', '/sandbox/reset', { now: '2040-01-02T08:00:00+01:00' }));
    const reset = await asked('2040-01-02T08:00:00+01:00');
    const statuses = [...after, ...back, restored, reset].map(({ status }) => status);
    expect([client, ...statuses]).toEqual([200, 200, 400, 200, 400, 200, 200]);
  });

  test('a forecast to a later day moves nothing', async () => {
    await did(bank.control('GET', '/sandbox/forecast?to=2031-05-01'));
    expect((await asked(start)).status).toBe(200);
  });

  test('a running clock goes on; at a rate above 60 the answer warns of Date', async () => {
    const set = async (body: object) => (await did(bank.control('PUT', '/sandbox/clock', body))).body.note;
    expect(await set({ rate: 3600 })).toBeUndefined();
    expect(await set({ mode: 'running' })).toMatch(/^At this rate 3600 s pass between two values of Date/);
    expect(await set({ rate: 60 })).toBeUndefined();
    expect((await asked(bank.bank.security.now())).status).toBe(200);
  });
});

describe('T1c: Date of answers is the bank clock', () => {
  const shown = 'Wed, 09 Apr 2031 08:00:00 GMT';
  test.each([
    ['an answer', 'GET', path, 200],
    ['HEAD', 'HEAD', path, 200],
    ['an unknown path', 'GET', '/v1/nothing', 404],
    ['the other base', 'GET', `/api-sandbox${path}`, 200],
  ] as const)('%s', async (_what, method, target, status) => {
    const answer = await bank.signed(method, target, { certificate, date: at(start) });
    expect([answer.status, answer.headers.get('date')]).toEqual([status, shown]);
  });

  test('a refusal and the unsigned door too; the control plane and pages have the wall clock', async () => {
    const dates = ['/v1/accounts', `/sandbox/as/shop${path}`, '/sandbox/clock', '/docs'].map(async (target) => {
      const { headers } = await bank.raw('GET', target);
      return Date.parse(headers.get('date') ?? '');
    });
    const [refused, door, ...others] = await Promise.all(dates);
    expect([refused, door]).toEqual([at(start), at(start)]);
    for (const date of others) expect(Math.abs((date ?? 0) - Date.now())).toBeLessThan(minutes(1));
  });

  test('as an armed fault breaks an answer, and as a bank signs its answers', async () => {
    await did(bank.control('POST', '/sandbox/faults', { method: 'GET', status: 503 }));
    expect((await asked(start)).headers.get('date')).toBe(shown);
    await using signing = await startTestBank(start, ['--follow-clock=1', '--sign-answers=1']);
    const { headers } = await asked(start, signing);
    expect([headers.get('date'), headers.has('signature')]).toEqual([shown, true]);
  });
});

describe('T1c: certificates', () => {
  test('one that is valid by the wall clock alone is told so in one sentence', async () => {
    const { status, body } = await bank.signed('GET', path, { date: at(start) });
    expect([status, body.tppMessages[0].code]).toEqual([401, 'CERTIFICATE_EXPIRED']);
    expect(body.tppMessages[0].text).toMatch(
      /It is Wed, 09 Apr 2031 08:00:00 GMT by the bank clock, which decides with --follow-clock: issue a certificate for that time\./,
    );
  });

  test('those of the bank are for its time, ahead and back, and their CA is trusted at each', async () => {
    await using trusting = await startTestBank(start, ['--follow-clock=1', '--tpp-trust=ca']);
    for (const now of ['2098-12-30', '1990-01-02', '2031-04-09']) {
      await did(trusting.control('POST', '/sandbox/reset', { now }));
      const { body } = await did(trusting.control('POST', '/sandbox/certificates', { name: 'own' }));
      const own = { certificatePem: body.certificate, keyPem: body.key } as typeof certificate;
      const midnight = trusting.bank.security.now();
      const signed = await trusting.signed('GET', path, { certificate: own, date: midnight });
      const door = await trusting.raw('GET', `/sandbox/as/shop${path}`);
      expect([now, signed.status, door.status]).toEqual([now, 200, 200]);
    }
  });
});

describe('T1c: SCA links live 15 minutes of the bank clock', () => {
  test('and the first answer as long', async () => {
    const headers = { ...psuHeaders(), 'x-request-id': '6d1f6e2e-0b1f-4b8b-9d0e-2f8b9c3a1d10' };
    const linkAt = async (now: string): Promise<string> => {
      const sent = { certificate, date: at(now), headers };
      return (await did(bank.signed('POST', '/v1/bank-offered-consents', sent))).body._links.scaRedirect.href;
    };
    const pageOf = async (link: string) => (await bank.raw('GET', new URL(link).pathname)).status;
    const first = await linkAt(start);
    await advance({ by: 'PT15M' });
    expect([await linkAt('2031-04-09T10:15:00+02:00'), await pageOf(first)]).toEqual([first, 200]);
    await advance({ by: 'PT1S' });
    const later = await linkAt('2031-04-09T10:15:01+02:00');
    expect([later === first, await pageOf(first), await pageOf(later)]).toEqual([false, 400, 200]);
    const { scas } = (await bank.control('GET', '/sandbox/sca')).body;
    expect(scas).toMatchObject([
      { startedAt: '2031-04-09T10:15:01.000+02:00', expiresAt: '2031-04-09T10:30:01.000+02:00' },
    ]);
  });
});

test('T1c: each named bank has its own time, and the root another', async () => {
  const two = ['2028-02-03', '2045-06-07'];
  const banks = two.map(async (now) => {
    const { body } = await did(bank.control('POST', '/sandbox/banks', { name: `in-${now}`, now, mode: 'frozen' }));
    const client = new BankClient(new URL(body.control).origin);
    const midnight = at(body.clock.now);
    const statuses = [midnight, at(start)].map(async (date) => {
      const { status } = await client.signed('GET', `/banks/in-${now}${path}`, { certificate, date: date as Instant });
      return status;
    });
    const door = await client.raw('GET', `/banks/in-${now}/sandbox/as/shop${path}`);
    return [...(await Promise.all(statuses)), door.status, Date.parse(door.headers.get('date') ?? '') === midnight];
  });
  expect(await Promise.all(banks)).toEqual(two.map(() => [200, 400, 200, true]));
  expect((await asked(start)).status).toBe(200);
});

describe('T1c: beside other features', () => {
  test('a move that the console takes back takes Date back', async () => {
    const image = await takeLedgerImage(bank.bank);
    await advance({ by: 'P1M' });
    await takeBackMove(bank.bank, image);
    expect((await asked(start)).status).toBe(200);
  });

  test('in a window of maintenance by the bank clock its page has the time of the bank', async () => {
    await using closed = await startTestBank(start, ['--follow-clock=1']);
    const window = { status: 503, from: '2031-04-10T01:00:00+02:00', until: '2031-04-10T05:00:00+02:00' };
    await did(closed.control('POST', '/sandbox/faults', window));
    await did(closed.control('POST', '/sandbox/clock/advance', { to: '2031-04-10T02:00:00+02:00' }));
    const { status, headers } = await asked('2031-04-10T02:00:00+02:00', closed);
    expect([status, headers.get('date')]).toEqual([503, 'Thu, 10 Apr 2031 00:00:00 GMT']);
  });

  test('a saved bank goes by its own time if the server that opens it says so', async () => {
    const saved = await fetch(`${bank.address}/sandbox/bundle`);
    const bundle = Buffer.from(await saved.arrayBuffer());
    for (const [flags, status] of [
      [['--follow-clock=1'], 200],
      [[], 400],
    ] as const) {
      await using opened = await openSaved(bundle, flags);
      expect((await asked(start, new BankClient(opened.address))).status).toBe(status);
    }
  });

  test('a year of payments on the way leaves the books balanced', async () => {
    await did(bank.raw('POST', '/sandbox/as/shop/v1/payments/norwegian-domestic-credit-transfers', plain, order));
    await advance({ by: 'P1Y' });
    expect((await bank.control('GET', '/sandbox/ledger/proof')).body.ok).toBe(true);
    expect((await bank.raw('GET', `/sandbox/as/shop${path}`)).status).toBe(200);
  });
});

/** A payment that Nora approves at once. */
const plain = { 'content-type': 'application/json', ...psuHeaders(), 'sandbank-approve': '13039319955' };
const order = Buffer.from(JSON.stringify(singlePayment()));

test('T1c: without it the wall clock decides', async () => {
  await using plain = await startTestBank(start);
  expect([(await asked(start, plain)).status, (await asked(Date.now(), plain)).status]).toEqual([400, 200]);
});

/** The certificate of a server, as a client that trusts this CA gets it. */
async function serverCertificate(address: string, ca?: string): Promise<X509Certificate> {
  const trust = ca === undefined ? { rejectUnauthorized: false } : { ca };
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(address).port), servername: 'localhost', ...trust });
  await once(socket, 'secureConnect');
  const certificate = socket.getPeerX509Certificate();
  socket.destroy();
  if (certificate === undefined) throw new Error('the server shows no certificate');
  return certificate;
}

const covers = ({ validFromDate, validToDate }: X509Certificate, ...times: readonly number[]): boolean =>
  times.every((time) => +validFromDate <= time && time < +validToDate);

describe('T1c, G13: certificates of the server are valid by both clocks', () => {
  test('a move out of it, ahead or back, makes it anew; so does a named bank', async () => {
    await using server = await startTestBank(start, ['--tls=1', '--follow-clock=1']);
    const ca = await trustCaOf(server.address);
    const shown = () => serverCertificate(server.address, ca);
    const first = await shown();
    expect([covers(first, Date.now(), at(start)), first.serialNumber]).toEqual([true, (await shown()).serialNumber]);
    await did(server.control('POST', '/sandbox/clock/advance', { to: '2034-01-02' }));
    expect(covers(await shown(), Date.now(), at('2034-01-02'))).toBe(true);
    await did(server.control('POST', '/sandbox/reset', { now: '2001-05-06' }));
    expect(covers(await shown(), Date.now(), at('2001-05-06'))).toBe(true);
    await did(server.control('POST', '/sandbox/banks', { name: 'far', now: '2070-01-02', mode: 'frozen' }));
    const last = await shown();
    expect(covers(last, Date.now(), at('2001-05-06'), at('2070-01-02'))).toBe(true);
    expect(covers(new X509Certificate(ca), at('1990-01-01'), at('2099-12-31'))).toBe(true);
  });

  test('one of --tls-cert that a clock is out of is told in the log, once', async () => {
    const lines: string[] = [];
    const names = { commonName: 'localhost', organization: 'Own', roles: null, hosts: ['localhost', '127.0.0.1'] };
    const today = Date.now();
    const validFor = { validFrom: (today - minutes(60)) as Instant, validTo: (today + minutes(60)) as Instant };
    const made = issueCertificate({ ...names, ...validFor });
    const files = { cert: made.certificatePem, key: made.keyPem };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const own = [`--tls-cert=${join(folder, 'cert')}`, `--tls-key=${join(folder, 'key')}`];
    const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
    await using server = await startTestBank(start, ['--tls=1', '--follow-clock=1', ...own], { log });
    await serverCertificate(server.address);
    await serverCertificate(server.address);
    expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
      'the certificate of --tls-cert is not valid on 2031-04-09T10:00:00.000+02:00, which a clock of this server shows: clients in that time refuse it',
    ]);
  });

  test('a CA that is kept beside a ledger is valid by each clock, and a restart has the same', async () => {
    const file = join(folder, 'sandbox-ca.pem');
    const run = async (...flags: string[]): Promise<X509Certificate> => {
      const all = ['--port=0', '--tls=1', '--log-level=silent', `--ledger=${join(folder, 'ledger.sqlite')}`, ...flags];
      const server = await startServer(readConfig({}, all));
      await trustCaOf(server.address);
      await server.stop();
      return new X509Certificate(readFileSync(file));
    };
    const [first, followed] = [await run(), await run('--follow-clock=1')];
    expect(covers(first, Date.now(), at('1990-01-02'), at('2099-12-30'))).toBe(true);
    expect(followed.raw.equals(first.raw)).toBe(true);
  });
});

describe('T1c: what signs outside the server asks a Sandbank for its time', () => {
  test('sandbank sign: at each bank, after a move, and not with --date; what is printed too', async () => {
    const env = { SANDBANK_LEDGER: join(folder, 'signing.sqlite') };
    const [code, at] = [
      async (...args: string[]) => (await runMain(['sign', 'GET', ...args], { env })).code,
      bank.address,
    ];
    await bank.control('POST', '/sandbox/banks', { name: 'later', now: '2028-03-01T12:00:00+01:00' });
    expect(await code(`${at}/v1/sandbox/customers`)).toBe(0);
    expect(await code(`${at}/banks/later/v1/sandbox/customers`)).toBe(0);
    await bank.control('POST', '/sandbox/clock/advance', { by: 'P1D' });
    expect(await code(`${at}/v1/sandbox/customers`)).toBe(0);
    expect(await code(`${at}/v1/sandbox/customers`, '--date', new Date().toISOString())).toBe(1);
    const { lines } = await runMain(['sign', 'GET', `${at}/v1/sandbox/customers`, '--print'], { env });
    const { body } = await bank.control('GET', '/sandbox/clock');
    expect(lines.join('')).toContain(`-H 'Date: ${new Date(body.now).toUTCString()}'`);
  });

  test('a bank that is no Sandbank is asked once, and one elsewhere not at all where there is a token', async () => {
    const asked: (string | undefined)[][] = [];
    const stranger = createServer((request, response) => {
      asked.push([request.url, request.headers.authorization]);
      response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
    const given = new Arguments([], new Map(), { env: {}, program: 'sandbank' });
    const clockOf = bankClockOf(given, false);
    const url = new URL(`http://127.0.0.1:${(stranger.address() as AddressInfo).port}/v1/accounts`);
    for (const _ of [1, 2]) expect(await clockOf(url)).toBeNull();
    expect(asked).toEqual([['/sandbox/info', undefined]]);
    await new Promise((resolve) => stranger.close(resolve));
    const token = 'a-token-of-this-test';
    const withToken = new Arguments([], new Map(), { env: { SANDBANK_CONTROL_TOKEN: token }, program: 'sandbank' });
    expect(await bankClockOf(withToken, false)(new URL('http://192.0.2.1/v1'))).toBeNull();
  });
});
