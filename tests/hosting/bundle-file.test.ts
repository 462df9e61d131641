import { createPrivateKey } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import BetterSqlite3 from 'better-sqlite3';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { readConfig } from '../../api/start/config.ts';
import { readBundle } from '../../api/hosting/bundle/bundle.ts';
import { unpackBundle } from '../../api/hosting/bundle/bundle-file.ts';
import { startServer } from '../../api/hosting/server.ts';
import { runMain } from '../support/recorded-terminal.ts';
import { someOf } from '../support/sample.ts';
import { contentOf as forgedContent, forged as forgedBundle, type ForgedHead, taken } from '../lab/forged-bundle.ts';
import { BankClient } from '../lab/server.ts';
import { Mistake } from '../../engine/values/mistake.ts';
import { openSaved } from '../lab/saved-bank.ts';
import { tempFolder } from '../support/temp-folder.ts';

const token = 'a-token/of+the"control-plane';
/** The same in addresses. */
const encoded = [encodeURIComponent(token), encodeURIComponent(token).replaceAll(/%../g, (each) => each.toLowerCase())];
/** In JSON, also as PHP writes it. */
const inJson = [JSON.stringify(token), JSON.stringify(token).replaceAll('/', '\\/')];
const authorization = { authorization: `Bearer ${token}` };
const folder = tempFolder();
/** A bundle of a bank with a file, a token, certificates, trusted CAs and armed faults. */
let good: Buffer;
/** The keys of the server. */
const keys: string[] = [];
let infoThere: unknown;

beforeAll(async () => {
  const ledger = join(folder, 'ledger', 'l.sqlite');
  const flags = ['--port=0', `--ledger=${ledger}`, `--control-token=${token}`, '--tpp-trust=ca', '--log-level=silent'];
  const own = ['--clock-mode=frozen', '--clock-now=2027-03-24', '--quirks=december-month', '--basket-lifetime=PT7H'];
  const server = await startServer(readConfig({}, [...flags, ...own, '--settlement-times=06:00,14:00']));
  const bank = new BankClient(server.address);
  const control = (path: string, body: object) =>
    bank.raw('POST', `/sandbox${path}`, { ...authorization, 'content-type': 'application/json' }, bytesOf(body));
  const { body: issued } = await control('/certificates', { name: 'shop', roles: ['PSP_PI'] });
  keys.push(issued.key, readFileSync(join(folder, 'ledger/sandbox-ca.pem'), 'utf8'));
  await control('/faults', { code: 'SERVICE_BLOCKED', path: '/v1/users', times: 2 });
  await control('/faults', { delay: 'PT0.5S', cut: true, path: '/v1/accounts', times: 9 });
  await control('/faults', { code: 'SERVICE_BLOCKED', method: 'DELETE' });
  for (const each of encoded) {
    const { status } = await control('/faults', { code: 'SERVICE_BLOCKED', path: `/v1/accounts/${each}` });
    expect(status).toBe(200);
  }
  // The token in all places where a client may put it.
  const secrets = { ...authorization, 'Sandbank-Control-Token': token, Cookie: 'session=my-secret-session' };
  await bank.raw('GET', `/v1/accounts?token=${token}`, secrets);
  await bank.raw('POST', '/v1/bank-offered-consents', secrets, Buffer.from(`[${inJson.join()}]`));
  await bank.raw('GET', '/sandbox/as/shop/v1/users', secrets);
  await bank.raw('GET', '/v1/accounts', { authorization: 'Basic bXktdXNlcjpteS1wYXNzd29yZA==' });
  await unreadable(
    new URL(server.address),
    `GET /v1/accounts HTTP/1.1\r\nSandbank-Control-Token: ${token}\r\nBad\r\n\r\n`,
  );
  infoThere = (await bank.raw('GET', '/sandbox/info', authorization)).body;
  good = await bytesFrom(`${server.address}/sandbox/bundle`, authorization);
  await server.stop();
}, 30_000);

function bytesOf(value: object): Buffer {
  return Buffer.from(JSON.stringify(value));
}

function bytesFrom(address: string, headers: Record<string, string>): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    request(address, { headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', () => resolve(Buffer.concat(chunks)));
    })
      .once('error', reject)
      .end();
  });
}

async function unreadable({ hostname, port }: URL, packet: string): Promise<void> {
  const socket = connect(Number(port), hostname);
  socket.write(packet, 'latin1');
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 400/);
}

/** A bundle of this content, with a right digest, made by the same version as the good one unless it says otherwise. */
function forged(content: Buffer, head: Partial<ForgedHead> = {}): Buffer {
  return forgedBundle(content, { version: taken(good).head[2] ?? '', ...head });
}

function contentOf(json: object | string, ledger: Buffer = taken(good).ledger): Buffer {
  return forgedContent(json, ledger);
}

function changedLedger(sql: string): Buffer {
  const sqlite = new BetterSqlite3(taken(good).ledger);
  sqlite.exec(sql);
  return sqlite.serialize();
}

/** The lines of a private key, without those that hold its modulus alone: its certificate, which the journal has, shows the modulus too. */
function secretLines(pem: string): string[] {
  const [block = '', lines = ''] = /-----BEGIN PRIVATE KEY-----([^-]+)-----END PRIVATE KEY-----/.exec(pem) ?? [];
  const modulus = Buffer.from(createPrivateKey(block).export({ format: 'jwk' }).n ?? '', 'base64url');
  return lines
    .trim()
    .split('\n')
    .filter((line) => !modulus.includes(Buffer.from(line, 'base64')));
}

describe('B5: what is in a bundle', () => {
  test('no private key, no control token, no password, in the file or unpacked', () => {
    const { json, ledger } = taken(good);
    const all = [good, bytesOf(json), ledger].map((bytes) => bytes.toString('latin1')).join('\n');
    expect(all).toContain('Sandbank-Control-Token');
    for (const secret of [
      token,
      ...encoded,
      ...inJson,
      'PRIVATE KEY',
      'my-secret-session',
      'bXktdXNlcjpteS1wYXNzd29yZA==',
    ]) {
      expect([secret, all.includes(secret)]).toEqual([secret, false]);
    }
    const lines = keys.flatMap(secretLines);
    expect(lines.length).toBeGreaterThan(40);
    expect(lines.filter((line) => all.includes(line))).toEqual([]);
  });

  test('requests with their bodies, armed faults, trusted CAs, and the settings that change what the bank answers', async () => {
    await using server = await openSaved(good);
    const bank = new BankClient(server.address);
    const { body: info } = await bank.control('GET', '/sandbox/info');
    const there = infoThere as { configuration: object; quirks: unknown; psus: unknown; version: unknown };
    expect([info.quirks, info.psus, info.version]).toEqual([there.quirks, there.psus, there.version]);
    const { ledger, port, controlTokenIsSet, ...same } = info.configuration;
    expect([ledger, port, controlTokenIsSet]).toEqual([':memory:', 0, false]);
    expect(there.configuration).toMatchObject(same);
    const { requests } = (await bank.control('GET', '/sandbox/requests')).body;
    const targets = requests.map((each: { target: string }) => each.target);
    expect(targets).toEqual([
      '/v1/accounts',
      '/v1/accounts',
      '/v1/users',
      '/v1/bank-offered-consents',
      '/v1/accounts?token=***',
    ]);
    const { body } = await bank.control('GET', `/sandbox/requests/${requests[3].requestId}`);
    expect(JSON.parse(body.requests[0].body)).toEqual(['***', '***']);
    expect(body.requests[0].headers).toContainEqual(['Sandbank-Control-Token', '***']);
    const unread = await bank.control('GET', `/sandbox/requests/${requests[0].requestId}`);
    expect(unread.body.requests[0].packet).toContain('Sandbank-Control-Token: ***');
    const { faults } = (await bank.control('GET', '/sandbox/faults')).body;
    expect(faults).toEqual([
      { id: 1, code: 'SERVICE_BLOCKED', path: '/v1/users', times: 2, remaining: 1 },
      { id: 2, delay: 'PT0.5S', cut: true, when: 'after', path: '/v1/accounts', times: 9, remaining: 9 },
      { id: 3, code: 'SERVICE_BLOCKED', method: 'DELETE', times: 1, remaining: 1 },
    ]);
    expect(requests[2].fault).toEqual({ id: 1, code: 'SERVICE_BLOCKED' });
    // The CA of the first server, whose key stays there, and one of its own.
    expect((await readBundle(good)).trustedCas).toHaveLength(1);
    expect((await bank.signed('GET', '/v1/users')).body.tppMessages[0].code).toBe('CERTIFICATE_INVALID');
    await bank.control('POST', '/sandbox/reset');
    expect((await bank.control('GET', '/sandbox/clock')).body.now).toBe('2027-03-24T00:00:00.000+01:00');
  });
});

test('B2: a bundle of an older version is opened; its parts are compared from the left', async () => {
  const { json } = await unpackBundle(forged(contentOf(taken(good).json), { version: '0.0.9' }));
  expect(JSON.parse(json.toString())).toEqual(taken(good).json);
});

describe('B7: a file that is no whole bundle of this version is refused in one line', () => {
  const cases: [string, () => Buffer, RegExp][] = [
    ['empty', () => Buffer.alloc(0), /^is empty$/],
    ['a text', () => Buffer.from('hello\nworld'), /^is no bundle of Sandbank$/],
    ['a ledger', () => taken(good).ledger, /^is no bundle of Sandbank\. It is a ledger: sandbank serve --ledger \S+$/],
    ['the head alone', () => good.subarray(0, good.indexOf('\n') + 1), /^is damaged/],
    ['cut in its head', () => good.subarray(0, 30), /^is no bundle of Sandbank$/],
    ['cut in the middle', () => good.subarray(0, good.length >> 1), /^is damaged/],
    ['cut by a byte', () => good.subarray(0, -1), /^is damaged/],
    ['with a byte more', () => Buffer.concat([good, Buffer.from('x')]), /^is damaged/],
    [
      'a newer format',
      () => Buffer.from('sandbank-bundle 2 7.0.0 what comes then\n'),
      /by Sandbank 7\.0\.0, which is newer/,
    ],
    [
      'a newer format of this version',
      () => forged(contentOf({}), { format: '2' }),
      /by Sandbank 0\.1\.0, in a format that this one does not know: open it with that version/,
    ],
    [
      'a newer format, whole',
      () => forged(contentOf({}), { format: '2', version: '7.0.0' }),
      /by Sandbank 7\.0\.0, which is newer/,
    ],
    [
      'a newer version',
      () => forged(contentOf(taken(good).json), { version: '0.10.0' }),
      /by Sandbank 0\.10\.0, which is newer than this one, 0\.1\.0/,
    ],
    ['a bomb', () => forged(Buffer.alloc(50_000_000), { length: 10 }), /^is damaged/],
    ['a bomb that says what it is', () => forged(Buffer.alloc(10), { length: 9_999_999_999 }), /MB at most$/],
    ['shorter than it says', () => forged(Buffer.alloc(10), { length: 11 }), /^is damaged/],
    ['without a ledger', () => forged(Buffer.from('{}')), /^is damaged/],
    ['no JSON', () => forged(contentOf('{"now":')), /^is damaged: The file is not JSON/],
    ['other members', () => forged(contentOf({ ...taken(good).json, more: 1 })), /^is damaged: more:/],
    ['a member less', () => forged(contentOf({ ...taken(good).json, requests: undefined })), /^is damaged: requests:/],
    [
      'a wrong request',
      () => forged(contentOf({ ...taken(good).json, requests: [{ key: 1 }] })),
      /^is damaged: requests/,
    ],
    ['a clock out of its range', () => forged(contentOf({ ...taken(good).json, now: 9e15 })), /^is damaged: now:/],
    ['a wrong CA', () => forged(contentOf({ ...taken(good).json, trustedCas: ['x'] })), /^is damaged/],
  ];
  /** Tried in each run: they happen to people. */
  const usual = ['empty', 'cut in the middle', 'a newer version'];
  const [certain, others] = [true, false].map((isUsual) => cases.filter(([what]) => usual.includes(what) === isUsual));
  test.each([...(certain ?? []), ...someOf('files that are no bundle', others ?? [], 8)])(
    '%s',
    async (_what, bytes, reason) => {
      const file = join(folder, 'x.sandbank');
      writeFileSync(file, bytes());
      await expect(readBundle(bytes())).rejects.toThrow(Mistake);
      const { code, lines, errors } = await runMain(['open', file]);
      expect([code, lines, errors]).toEqual([2, [], [expect.stringMatching(/^"\/.*x\.sandbank" /)]]);
      expect(errors[0]?.slice(file.length + 3)).toMatch(reason);
    },
  );

  test('each byte that is changed is found', async () => {
    expect((await unpackBundle(good)).ledger.length).toBeGreaterThan(100_000);
    const places = [...Array(140).keys(), ...Array.from({ length: 60 }, (_, index) => (index * 7919) % good.length)];
    for (const place of places) {
      const changed = Buffer.from(good);
      changed[place] = (changed[place] ?? 0) ^ 0x01;
      await expect(unpackBundle(changed)).rejects.toThrow(Mistake);
    }
  });

  test.each([
    [
      'a ledger that is none',
      () => contentOf(taken(good).json, Buffer.from('SQLite format 3\0')),
      /x\.sandbank" is damaged/,
    ],
    [
      'a trigger in its ledger',
      () => contentOf(taken(good).json, changedLedger('create trigger x after insert on payment begin select 1; end')),
      /the trigger x is not the ledger's/,
    ],
    [
      'a migration that is not known here',
      () => contentOf(taken(good).json, changedLedger("insert into kysely_migration values ('099-later', '2030')")),
      /cannot be brought up to date/,
    ],
    [
      'a setting that there is not',
      () => contentOf({ ...taken(good).json, settings: { SANDBANK_COLOUR: 'red' } }),
      /"SANDBANK_COLOUR" is no setting of a bundle/,
    ],
    [
      'a host name that may ask its control plane',
      () => contentOf({ ...taken(good).json, settings: { SANDBANK_ALLOWED_HOSTS: 'evil.example' } }),
      /"SANDBANK_ALLOWED_HOSTS" is no setting of a bundle/,
    ],
    [
      'a file of this machine',
      () => contentOf({ ...taken(good).json, settings: { SANDBANK_TPP_CAS: '/etc/passwd' } }),
      /"SANDBANK_TPP_CAS" is no setting of a bundle/,
    ],
  ])('made by hand with %s: 2 and one line', async (_what, content, reason) => {
    const file = join(folder, 'x.sandbank');
    writeFileSync(file, forged(content()));
    const { code, lines, errors } = await runMain(['open', file]);
    expect([code, lines, errors]).toEqual([2, [], [expect.stringMatching(reason)]]);
  });

  test.each([
    ['a folder', 'a-folder', 2, /it is a folder/],
    ['a file that is not there', 'nowhere.sandbank', 2, /there is no such file/],
    ['a device without an end', '/dev/zero', 2, /is no bundle of Sandbank/],
  ])('%s', async (_what, name, exit, reason) => {
    mkdirSync(join(folder, 'a-folder'), { recursive: true });
    const { code, lines, errors } = await runMain(['open', name.startsWith('/') ? name : join(folder, name)]);
    expect([code, lines, errors]).toEqual([exit, [], [expect.stringMatching(reason)]]);
  });
});
