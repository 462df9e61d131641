import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { signingFaults } from '../../api/faults/fault-advice.ts';
import { certificateFaults } from '../../api/signing/certificate-kit.ts';
import { runMain, type Ended } from '../support/recorded-terminal.ts';
import { testBank } from '../support/test-bank.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { withCurl } from '../support/test-with.ts';

const home = process.cwd();
const folder = tempFolder();
const bank = testBank('2027-03-24T12:00:00+01:00');

beforeAll(async () => {
  // Where data/tpp is made.
  process.chdir(folder);
  writeFileSync('a-file', '');
});
afterAll(async () => {
  process.chdir(home);
});

const sandbank = (...args: string[]): Promise<Ended> => runMain(args, { env: { BANK: bank.address } });

test('without --out: certificate and key to standard output, the rest to standard error, no file', async () => {
  const before = readdirSync(folder);
  const { code, lines, errors } = await sandbank('certificate');
  expect(code).toBe(0);
  const { serialNumber } = new X509Certificate(lines.join('\n'));
  expect(lines.filter((line) => line.startsWith('-----BEGIN'))).toEqual([
    '-----BEGIN CERTIFICATE-----',
    '-----BEGIN PRIVATE KEY-----',
  ]);
  expect(errors).toEqual([
    `keyId       SN=${serialNumber.replace(/^0+/, '')},CA=CN=Sandbank CA,O=Sandbank,C=NO`,
    'code        accepted under any, accepted under ca',
  ]);
  expect(readdirSync(folder)).toEqual(before);
});

test('--out writes both files there, the key for its owner alone, and replaces none', async () => {
  const [certificate, key] = [join('some', 'where', 'expired.cert.pem'), join('some', 'where', 'expired.key.pem')];
  const made = await sandbank('certificate', '--fault', 'expired', '--out', 'some/where');
  expect(made.code).toBe(0);
  expect(made.lines.slice(0, 2)).toEqual([`certificate ${certificate}`, `key         ${key}`]);
  expect(made.lines.at(-1)).toBe('code        CERTIFICATE_EXPIRED under any, CERTIFICATE_EXPIRED under ca');
  expect(statSync(key).mode & 0o077).toBe(0);
  const first = readFileSync(certificate, 'utf8');
  expect(new X509Certificate(first).validToDate.getTime()).toBeLessThan(Date.now());
  const again = await sandbank('certificate', '--fault', 'expired', '--out', 'some/where');
  expect(again).toMatchObject({ code: 1, lines: [], errors: [expect.stringContaining('exists: remove it')] });
  expect(readFileSync(certificate, 'utf8')).toBe(first);
});

test('--json has the answer and the files; in data/tpp, sign --tpp takes them', async () => {
  const { lines } = await sandbank(
    'certificate',
    '--name',
    'reader',
    '--role',
    'PSP_AI',
    '--out',
    'data/tpp',
    '--json',
  );
  const answer = JSON.parse(lines.join('\n')) as Record<string, unknown>;
  expect(answer).toMatchObject({
    code: { any: null, ca: null },
    certificateFile: join('data', 'tpp', 'reader.cert.pem'),
  });
  const pick = ['--pick', 'tppMessages.0.code'];
  const pay = '/v1/payments/norwegian-domestic-credit-transfers';
  expect((await sandbank('sign', 'POST', pay, '--tpp', 'reader', ...pick)).lines).toEqual(['ROLE_INVALID']);
  expect((await sandbank('sign', 'GET', '/v1/accounts', '--tpp', 'reader', ...pick)).lines).toEqual([
    'CONSENT_INVALID',
  ]);
});

/** Whoever may not write there is told whose folder it is. The superuser may write everywhere. */
const uid = process.getuid?.() ?? 0;
const ofProc = uid === 0 ? '' : ` \\(/proc belongs to uid 0, and this process has uid ${uid}\\)`;

test.each([
  [['--fault', 'nope'], 1, /There is no fault "nope"[\s\S]*weak-key/],
  [['--role', 'PSP_XX'], 1, /PSP_XX/],
  [['--name', '../x'], 2, /"..\/x" is no name/],
  [['--out', 'a-file'], 1, /^"a-file" cannot be used: it is a file$/],
  [['--out', '/proc/none/x'], 1, new RegExp(`^"/proc/none" cannot be used: there is no such file or folder${ofProc}$`)],
  [['expired'], 2, /"expired" is one word too many/],
  [['--port', '1', '--host', '127.0.0.1'], 1, /nothing answers/],
])('%j is refused in words', async (args, code, text) => {
  const ended = await sandbank('certificate', ...args);
  expect({ code: ended.code, lines: ended.lines }).toEqual({ code, lines: [] });
  expect(ended.errors.join('\n')).toMatch(text);
});

test('--help names every fault', async () => {
  const words = (await sandbank('certificate', '--help')).lines.join(' ').split(/[ ,.]+/);
  for (const name of Object.keys(certificateFaults)) expect(words).toContain(name);
});

/** The command that docs/errors.md gives for each code; curl runs in a shell. */
withCurl.each(Object.entries(signingFaults))(
  '%s is reached by the line of docs/errors.md',
  async (code, { provoke }) => {
    const [, line = ''] = /^`([^`]+)`/.exec(provoke) ?? [];
    const [program, ...args] = line.split(' ');
    if (program === 'sandbank') {
      const { lines } = await sandbank(...args, '--pick', 'tppMessages.0.code');
      expect(lines).toEqual([code]);
      return;
    }
    expect(program).toBe('curl');
    expect(await shell('sh', line)).toContain(`"code":"${code}"`);
  },
);

async function shell(name: string, line: string): Promise<string> {
  const env = { ...process.env, BANK: bank.address };
  return (await promisify(execFile)(name, ['-c', line], { env, maxBuffer: 1e8 })).stdout;
}

test('sign --http prints what the doctor reads: a request that the bank would take, and one with another Date', async () => {
  const { lines } = await sandbank('sign', 'GET', '/v1/accounts', '--http');
  writeFileSync('request.txt', lines.join('\n'));
  const right = await sandbank('doctor', 'request.txt');
  expect(right.lines.join('\n')).not.toContain('SIGNATURE');
  writeFileSync('request.txt', lines.join('\n').replace(/^(x-request-id: ).*$/im, '$1other'));
  const wrong = await sandbank('doctor', 'request.txt');
  expect(wrong.lines.join('\n')).toContain('SIGNATURE_INVALID');
});

describe('sign --print', () => {
  const payment = (name: string) =>
    JSON.stringify({
      instructedAmount: { amount: '1.00', currency: 'NOK' },
      debtorAccount: { bban: '09232911044', currency: 'NOK' },
      creditorAccount: { bban: '90491105991', currency: 'NOK' },
      creditorName: name,
    });
  const post = ['POST', '/v1/payments/norwegian-domestic-credit-transfers'];
  /** Passes the signature check and fails later, or not at all. */
  const verified = (answer: string) => !/"(SIGNATURE|CERTIFICATE|TIMESTAMP|ROLE)_[A-Z]+"|"path":"digest"/.test(answer);

  withCurl.each([
    ['a plain body', payment('Company 123')],
    ['quotes, dollars, backslashes and a line break', `${payment('a')}\n'"$HOME\`id\`\\n!x'`],
    ['letters outside ASCII', payment('Blåbær 😀')],
    ['a body that begins with @', '@/etc/passwd'],
  ])('%s: pasted into sh and bash, it is verified', async (_what, body) => {
    writeFileSync('body', body);
    for (const name of ['sh', 'bash']) {
      const { code, lines } = await sandbank(
        'sign',
        ...post,
        '-d',
        '@body',
        '-H',
        'X-PSU-IDENTITY: 13039319955',
        '--print',
      );
      expect(code).toBe(0);
      const answer = await shell(name, lines.join('\n'));
      expect(JSON.parse(answer)).toBeInstanceOf(Object);
      expect(verified(answer)).toBe(true);
    }
  });

  withCurl('a payment is initiated', async () => {
    const { lines } = await sandbank(
      'sign',
      ...post,
      '-d',
      payment('x'),
      '-H',
      'X-PSU-IDENTITY: 13039319955',
      '-H',
      'PSU-Context: PRIVATE',
      '--print',
    );
    expect(lines).toHaveLength(1);
    expect(JSON.parse(await shell('sh', lines.join('\n')))).toHaveProperty('transactionStatus', 'RCVD');
  });

  withCurl.each([
    ['bytes that are no text', Buffer.of(0, 1, 0xff, 0xfe, 10)],
    ['more than a word of the shell holds', Buffer.from(`"${'x'.repeat(200_000)}"`)],
  ])('%s are piped in', async (_what, body) => {
    writeFileSync('body', body);
    const { lines } = await sandbank('sign', ...post, '-d', '@body', '--print');
    // A file, because no word holds it; pasting is the same.
    writeFileSync('pasted', lines.join('\n'));
    const answer = await shell('sh', '. ./pasted');
    expect(answer).toContain('tppMessages');
    expect(verified(answer)).toBe(true);
  });

  withCurl('a signed header of latin1, a quote in a header, brackets in the address, no Content-Type', async () => {
    const headers = ['-H', 'PSU-Corporate-ID: Blåbær%\\', '-H', "X-Note: it's", '-H', 'Content-Type:'];
    const { lines } = await sandbank(
      'sign',
      'POST',
      '/v1/bank-offered-consents?x=[1-3]&y={a,b}',
      ...headers,
      '-d',
      '{}',
      '--print',
    );
    const answer = await shell('sh', lines.join('\n'));
    expect(answer).toContain('tppMessages');
    expect(verified(answer)).toBe(true);
    // The check can fail: another byte in that header.
    expect(verified(await shell('sh', lines.join('\n').replace('\\345', '\\346')))).toBe(false);
  });
});
