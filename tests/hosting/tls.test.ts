import { spawn } from 'node:child_process';
import { generateKeyPairSync, randomBytes, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { connect as connectTls, type PeerCertificate } from 'node:tls';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { readConfig } from '../../api/start/config.ts';
import { clientLimits } from '../../api/hosting/http-server.ts';
import { startServer } from '../../api/hosting/server.ts';
import { issueCertificate } from '../../api/signing/certificate/issue-certificate.ts';
import type { WallClock } from '../../engine/time/clock.ts';
import { systemClock } from '../../engine/time/clock.ts';
import type { Instant } from '../../engine/values/instant.ts';
import { connectBank } from '../../api/harness/index.ts';
import { ConsoleClient, send } from '../console/console-client.ts';
import { singlePath, singlePayment } from '../lab/bodies.ts';
import { trustCaOf } from '../lab/exchange.ts';
import { openRaw } from '../lab/raw-connection.ts';
import { startTestBank } from '../lab/server.ts';
import { hasOpenssl } from '../support/openssl.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { testBank } from '../support/test-bank.ts';
import { testWith, withCurl } from '../support/test-with.ts';

/* rules.md G13: the port speaks TLS. The clients here are real ones: Node, curl and openssl s_client. */

const now = '2027-03-24T12:00:00+01:00';
const day = 86_400_000;
const folder = tempFolder();
const bank = testBank(now, [
  '--tls=1',
  '--public-url=https://bank.example',
  '--allowed-hosts=bank:8443,[fd00::10],[fd00::11]:8443',
]);
const plainBank = testBank(now);
let ca: string;
beforeAll(async () => {
  ca = await trustCaOf(bank.address);
  writeFileSync(join(folder, 'ca.crt'), ca);
});

const plainText = 'This port speaks https, not http: write https:// in the address.';
const plainAddress = (): string => bank.address.replace('https:', 'http:');

/** The certificate that a server shows to a client that trusts this CA and asks for this host. Null: the client trusts everybody. */
async function shownTo(servername: string, trusted: string | null, address = bank.address): Promise<PeerCertificate> {
  const { hostname, port } = new URL(address);
  const host = hostname.replaceAll(/[[\]]/g, '');
  const socket = connectTls({
    host,
    port: Number(port),
    servername,
    ...(trusted === null ? { rejectUnauthorized: false } : { ca: trusted }),
  });
  await once(socket, 'secureConnect');
  const certificate = socket.getPeerCertificate();
  socket.destroy();
  return certificate;
}

describe('G13: TLS 1.2 and 1.3, and links with https', () => {
  test.each(['localhost', 'bank.example', 'bank', 'fd00::10', 'fd00::11'])(
    'the certificate is for %s',
    async (host) => {
      expect((await shownTo(host, ca)).issuer.CN).toBe('Sandbank CA');
      // An address stands in a certificate as one: a client of TLS finds it among the names of hosts nowhere.
      const names = (await shownTo('localhost', ca)).subjectaltname;
      if (host.includes(':'))
        expect(names).toContain(`IP Address:${host.toUpperCase().replace('::', ':0:0:0:0:0:0:')}`);
      await expect(shownTo('other.example', ca)).rejects.toThrow(/altnames|certificate/i);
    },
  );

  test('an initiation: its SCA is at the public address; info and documents say https', async () => {
    const own = await startTestBank(now, ['--tls=1']);
    const { body } = await own.signed('POST', singlePath, {
      headers: { 'x-psu-identity': '13039319955', 'psu-context': 'PRIVATE' },
      body: singlePayment(),
    });
    const told = [body._links.scaRedirect.href, (await own.control('GET', '/sandbox/info')).body.addresses.control];
    told.push((await own.control('GET', '/openapi.json')).body.servers[0].url);
    for (const each of told) expect(each).toMatch(`${own.address}/`);
    expect(own.address).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    const page = await own.raw('GET', new URL(body._links.scaRedirect.href).pathname);
    expect(page.status).toBe(200);
    await own.stop();
  });

  test.each([
    ['TLSv1.1', false],
    ['TLSv1.2', true],
    ['TLSv1.3', true],
  ] as const)('Node by %s alone: %s', async (version, isTaken) => {
    const socket = connectTls({
      port: Number(new URL(bank.address).port),
      servername: 'localhost',
      ca,
      minVersion: version,
      maxVersion: version,
      ciphers: 'DEFAULT@SECLEVEL=0',
    });
    const outcome = await Promise.race([
      once(socket, 'secureConnect').then(() => socket.getProtocol()),
      once(socket, 'error').then(() => null),
    ]).catch(() => null);
    socket.destroy();
    expect(outcome).toBe(isTaken ? version : null);
  });
});

/** Runs a program beside the server of this process. */
async function ran(program: string, ...args: string[]): Promise<{ readonly code: number; readonly out: string }> {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.end();
  const [out, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: code as number, out: out + errors };
}

describe('G13: other clients', () => {
  const curl = (...args: string[]) => ran('curl', '-sS', ...args);

  withCurl('curl with the CA; without it; by TLS 1.2, 1.3 and 1.1', async () => {
    const trusting = ['--cacert', join(folder, 'ca.crt'), `${bank.address}/ready`];
    for (const version of ['--tlsv1.2', '--tlsv1.3'])
      expect(await curl(version, ...trusting)).toEqual({ code: 0, out: '{"status":"ready"}' });
    expect(await curl('--tlsv1.1', '--tls-max', '1.1', ...trusting)).toMatchObject({ code: 35 });
    expect(await curl(`${bank.address}/ready`)).toMatchObject({ code: 60 });
  });

  withCurl('curl by http to a port of TLS, and by https to a plain port', async () => {
    const { code, out } = await curl('-i', '--data-binary', `@${bigFile()}`, `${plainAddress()}/v1/payments`);
    expect([code, out.includes('HTTP/1.1 400'), out.includes(plainText)]).toEqual([0, true, true]);
    expect((await curl(plainBank.address.replace('http:', 'https:'))).code).toBe(35);
  });

  testWith(hasOpenssl, 'openssl')('openssl s_client verifies the chain', async () => {
    const at = new URL(bank.address).host;
    const { out } = await ran('openssl', 's_client', '-connect', at, '-CAfile', join(folder, 'ca.crt'), '-brief');
    expect(out).toMatch(/Protocol version: TLSv1\.3[^]*Verification: OK/);
  });
});

function bigFile(): string {
  const file = join(folder, 'big');
  writeFileSync(file, randomBytes(300_000).toString('hex'));
  return file;
}

describe('G13: a plain request to the port', () => {
  test.each([
    ['/v1/accounts', { tppMessages: [{ category: 'ERROR', code: 'BAD_REQUEST', text: plainText }] }],
    ['/sandbox/clock', { status: 400, detail: plainText, code: 'BAD_REQUEST' }],
    ['/ready', { status: 400, detail: plainText }],
  ])('%s: 400 in one sentence', async (path, body) => {
    const answer = await send(plainAddress(), 'GET', path);
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.text)).toMatchObject(body);
  });

  test('what is neither TLS nor HTTP is refused too', async () => {
    const { socket, answer } = await openRaw(bank.address);
    socket.write('hello\r\n\r\n');
    expect(await answer).toMatch(/^HTTP\/1\.1 400 /);
  });
});

test('G13: a connection that sends nothing, or half a handshake, is closed in time, and a stop waits for neither', async () => {
  const limits = { ...clientLimits, headers: 300 };
  const server = await startTestBank(now, ['--tls=1'], { limits });
  const [silent, half] = [await openRaw(server.address), await openRaw(server.address)];
  half.socket.write(Buffer.from([0x16, 3, 1]));
  expect(await silent.answer).toBe('');
  expect(await half.answer).toBe('');
  await server.stop();
  const slow = await startTestBank(now, ['--tls=1']);
  const open = [await openRaw(slow.address), await openRaw(slow.address)];
  open[1]?.socket.write(Buffer.from([0x16, 3, 1]));
  const begun = performance.now();
  await slow.stop();
  expect(performance.now() - begun).toBeLessThan(2_000);
  await Promise.all(open.map(({ answer }) => answer));
});

test('G13: before its end the certificate is issued anew, without a restart', async () => {
  const begun = systemClock.now();
  let ahead = 0;
  const wall: WallClock = { ...systemClock, now: () => (begun + ahead) as Instant };
  const server = await startTestBank(now, ['--tls=1'], { wall });
  const first = await shownTo('localhost', null, server.address);
  ahead = 300 * day;
  expect((await shownTo('localhost', null, server.address)).serialNumber).toBe(first.serialNumber);
  ahead = 340 * day;
  const second = await shownTo('localhost', null, server.address);
  expect(Date.parse(second.valid_to) - Date.parse(first.valid_to)).toBe(340 * day);
  await server.stop();
});

test('G13: a certificate that cannot be issued anew leaves the old one', async () => {
  let isBroken = false;
  const broken = (): Instant => {
    throw new RangeError('there is no such time');
  };
  const wall: WallClock = { ...systemClock, now: () => (isBroken ? broken() : systemClock.now()) };
  const server = await startTestBank(now, ['--tls=1'], { wall, heartbeat: 60_000 });
  const first = await shownTo('localhost', null, server.address);
  isBroken = true;
  expect((await shownTo('localhost', null, server.address)).serialNumber).toBe(first.serialNumber);
  isBroken = false;
  await server.stop();
});

test('G13: a file of the CA that cannot be written is told in one line', async () => {
  const ledger = join(folder, 'closed', 'ledger.sqlite');
  mkdirSync(join(folder, 'closed', 'sandbox-ca.crt'), { recursive: true });
  const starting = startServer(readConfig({}, ['--port=0', '--tls=1', `--ledger=${ledger}`, '--log-level=silent']));
  await expect(starting).rejects.toThrow(/^\S+sandbox-ca\.crt is not replaced: it is a folder$/);
});

test('G13: beside a ledger file the CA is kept: its key to its owner, its certificate to all; a restart has the same', async () => {
  const ledger = join(folder, 'ledger', 'ledger.sqlite');
  const start = () => startServer(readConfig({}, ['--port=0', '--tls=1', `--ledger=${ledger}`, '--log-level=silent']));
  const pem = join(folder, 'ledger', 'sandbox-ca.pem');
  const crt = join(folder, 'ledger', 'sandbox-ca.crt');
  const first = await start();
  const served = await trustCaOf(first.address);
  await first.stop();
  expect(readFileSync(crt, 'utf8')).toBe(served);
  expect([served.includes('PRIVATE KEY'), readFileSync(pem, 'utf8').includes('PRIVATE KEY')]).toEqual([false, true]);
  expect(statSync(pem).mode & 0o077).toBe(0);
  const second = await start();
  expect(await trustCaOf(second.address)).toBe(served);
  expect((await shownTo('localhost', served, second.address)).issuer.CN).toBe('Sandbank CA');
  await second.stop();
});

test('G13: a plain bank has the CA too, and writes no file of it for TLS', async () => {
  const { text: pem } = await send(plainBank.address, 'GET', '/sandbox/ca');
  expect(new X509Certificate(pem).ca).toBe(true);
  const { headers } = await send(plainBank.address, 'GET', '/sandbox/ca');
  expect(headers['content-type']).toMatch(/^application\/x-pem-file/);
  expect(existsSync('data/sandbox-ca.crt')).toBe(false);
});

describe('G13: own certificates', () => {
  const key = issueOwn(1);
  const other = issueOwn(1);
  const old = issueOwn(-1);

  /** Files of a certificate for own.example that ends in so many days. */
  function issueOwn(days: number): { readonly cert: string; readonly key: string } {
    const today = systemClock.now();
    const made = issueCertificate({
      commonName: 'own.example',
      organization: 'Own',
      roles: null,
      hosts: ['own.example', 'localhost'],
      validFrom: (today - 10 * day) as Instant,
      validTo: (today + days * day) as Instant,
    });
    return { cert: made.certificatePem, key: made.keyPem };
  }

  function locked(type: 'pkcs8' | 'sec1'): string {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    return String(privateKey.export({ type, format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' }));
  }

  function written(name: string, content: string): string {
    const file = join(folder, name);
    writeFileSync(file, content);
    return file;
  }

  test('is shown', async () => {
    const flags = [`--tls-cert=${written('own.crt', key.cert)}`, `--tls-key=${written('own.key', key.key)}`];
    const server = await startTestBank(now, ['--tls=1', ...flags]);
    expect((await shownTo('own.example', key.cert, server.address)).subject.CN).toBe('own.example');
    const own = await connectBank(server.address.replace('127.0.0.1', 'localhost'), { ca: key.cert });
    expect((await own.fetch('/console')).status).toBe(200);
    await own.close();
    await server.stop();
  });

  const files = {
    'no.crt': '',
    'own.crt': key.cert,
    'own.key': key.key,
    'other.key': other.key,
    'old.crt': old.cert,
    'old.key': old.key,
    'junk.pem': 'junk',
    'chain.crt': other.cert + key.cert,
    'locked.key': locked('pkcs8'),
    'old-locked.key': locked('sec1'),
  };
  test.each([
    [
      'a key of another certificate',
      ['own.crt', 'other.key'],
      /^--tls-key is "\S+other\.key": it is not the key of the certificate in "\S+own\.crt"$/,
    ],
    ['an expired certificate', ['old.crt', 'old.key'], /^--tls-cert is "\S+old\.crt": it expired on \w{3} .* GMT$/],
    [
      'a key with a passphrase',
      ['own.crt', 'locked.key'],
      /^--tls-key is "\S+locked\.key": it has a passphrase; `openssl pkey -in FILE -out NEW` writes it without$/,
    ],
    [
      'an older key with a passphrase',
      ['own.crt', 'old-locked.key'],
      /^--tls-key is "\S+old-locked\.key": it has a passphrase; /,
    ],
    [
      'a chain from its top',
      ['chain.crt', 'own.key'],
      /^--tls-cert is "\S+chain\.crt": the certificate of the key in "\S+own\.key" comes first$/,
    ],
    ['a missing file', ['none.crt', 'own.key'], /^--tls-cert is "\S+none\.crt": there is no such file or folder$/],
    ['a folder', ['.', 'own.key'], /^--tls-cert is "\S+": it is a folder$/],
    ['no certificate', ['junk.pem', 'own.key'], /^--tls-cert is "\S+junk\.pem": it is no PEM file of that kind$/],
    ['no key', ['own.crt', 'junk.pem'], /^--tls-key is "\S+junk\.pem": it is no PEM file of that kind$/],
    ['no key file', ['own.crt', null], /^--tls-cert and --tls-key go together$/],
    ['no certificate file', [null, 'own.key'], /^--tls-cert and --tls-key go together$/],
  ] as const)('%s: one line', async (_name, [cert, keyFile], line) => {
    for (const [name, content] of Object.entries(files)) written(name, content);
    const flags = [
      ...(cert === null ? [] : [`--tls-cert=${join(folder, cert)}`]),
      ...(keyFile === null ? [] : [`--tls-key=${join(folder, keyFile)}`]),
    ];
    await expect(startTestBank(now, ['--tls=1', ...flags])).rejects.toThrow(line);
    await expect(startTestBank(now, flags)).rejects.toThrow('--tls-cert and --tls-key go with --tls');
  });

  test('of a variable: its refusal names the variable', async () => {
    const env = { SANDBANK_TLS: '1', SANDBANK_TLS_CERT: 'none.crt', SANDBANK_TLS_KEY: 'none.key' };
    await expect(startTestBank(now, [], { env })).rejects.toThrow(/^SANDBANK_TLS_CERT is "none.crt": there is no /);
  });
});

describe('G13: connectBank', () => {
  test('with the CA; without it the error says how to trust it', async () => {
    const connected = await connectBank(bank.address, { ca });
    expect((await connected.info()).addresses.health).toBe('https://bank.example/health');
    const paymentId = await connected.tpp().pay({ from: '09232911044', to: '90491105991', amount: '10.00' });
    expect((await connected.payments(paymentId)).status).toBe('PDNG');
    await connected.close();
    await expect(connectBank(bank.address)).rejects.toThrow(
      /UNABLE_TO_VERIFY_LEAF_SIGNATURE.*NODE_EXTRA_CA_CERTS=FILE/,
    );
  });

  test('https to a plain bank, and http to one of TLS', async () => {
    await expect(connectBank(plainBank.address.replace('http:', 'https:'))).rejects.toThrow(
      'This bank speaks HTTP: write http:// in the address.',
    );
    await expect(connectBank(plainAddress())).rejects.toThrow(plainText);
  });
});

test('G13: the cookie of the console has Secure by https, and not by http', async () => {
  const cookieOf = async (client: ConsoleClient): Promise<string> => {
    const { headers } = await client.get('/console');
    return String(headers['set-cookie']);
  };
  expect(await cookieOf(new ConsoleClient(plainBank.address))).not.toContain('Secure');
  const published = await startTestBank(now, ['--public-url=https://bank.example']);
  expect(await cookieOf(new ConsoleClient(published.address))).toMatch(/SameSite=Strict; Secure$/);
  await published.stop();
  const { headers } = await new Promise<{ headers: Record<string, unknown> }>((resolve, reject) => {
    request(`${bank.address}/console`, { ca }, (answer) => resolve(answer.resume()))
      .once('error', reject)
      .end();
  });
  expect(String(headers['set-cookie'])).toContain('; Secure');
});
