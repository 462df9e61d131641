import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { tempFolder } from '../support/temp-folder.ts';
import { readConfig } from '../../api/start/config.ts';
import { startServer } from '../../api/hosting/server.ts';
import type { IssuedCertificate } from '../../api/signing/certificate/issue-certificate.ts';
import { runMain } from '../support/recorded-terminal.ts';
import { startTestBank, TestBank, validCertificate, type Reply } from '../lab/server.ts';
import { Mistake } from '../../engine/values/mistake.ts';

const now = '2027-03-24T12:00:00+01:00';
const folder = tempFolder();

const codeOf = (answer: Reply): string => `${answer.status} ${answer.body?.tppMessages?.[0]?.code ?? ''}`.trim();

function file(name: string, ...parts: readonly string[]): string {
  const path = join(folder, name);
  writeFileSync(path, parts.join('\n'));
  return path;
}

async function reading(bank: TestBank, certificate: IssuedCertificate): Promise<string> {
  return codeOf(await bank.signed('GET', '/v1/sandbox/customers', { certificate }));
}

describe('certificates blocked and revoked through the control plane', () => {
  let bank: TestBank;
  const certificate = validCertificate({ serial: '00ab12cd' });
  beforeAll(async () => {
    bank = await startTestBank(now);
  });
  afterEach(() => bank.control('POST', '/sandbox/certificates/AB12CD/restore'));
  afterAll(() => bank.stop());

  test.each([
    ['block', '401 CERTIFICATE_BLOCKED'],
    ['revoke', '401 CERTIFICATE_REVOKED'],
  ])('G3: %s counts from the next call on, the serial in any spelling; restore takes it back', async (verb, code) => {
    for (const spelling of ['AB12CD', '00ab12cd', 'Ab:12:Cd']) {
      expect(await reading(bank, certificate)).toBe('200');
      const answer = await bank.control('POST', `/sandbox/certificates/${spelling}/${verb}`);
      expect(answer).toMatchObject({ status: 200, body: { serial: 'AB12CD', status: `${verb.replace(/e$/, '')}ed` } });
      expect(await reading(bank, certificate)).toBe(code);
      expect(await reading(bank, validCertificate())).toBe('200');
      const restored = await bank.control('POST', `/sandbox/certificates/${spelling}/restore`);
      expect(restored.body).toEqual({ serial: 'AB12CD', status: 'good' });
    }
  });

  test('the last word counts, and a reset restores all', async () => {
    await bank.control('POST', '/sandbox/certificates/AB12CD/revoke');
    await bank.control('POST', '/sandbox/certificates/AB12CD/block');
    expect(await reading(bank, certificate)).toBe('401 CERTIFICATE_BLOCKED');
    await bank.reset();
    expect(await reading(bank, certificate)).toBe('200');
  });

  test.each(['xyz', 'AB-12', `${'A'.repeat(90)}`])('%s is no serial', async (serial) => {
    const answer = await bank.control('POST', `/sandbox/certificates/${serial}/block`);
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: 'serial' }] } });
  });
});

test('what is held against a certificate survives a restart', async () => {
  const flags = ['--port', '0', '--ledger', join(folder, 'ledger.sqlite'), '--log-level', 'silent'];
  const start = async (): Promise<TestBank> => {
    const server = await startServer(readConfig({}, flags));
    return new TestBank(server.address, server.bank, () => server.stop());
  };
  const first = await start();
  const certificate = validCertificate();
  await first.control('POST', `/sandbox/certificates/${certificate.serialHex}/revoke`);
  await first.stop();
  await using second = await start();
  expect(await reading(second, certificate)).toBe('401 CERTIFICATE_REVOKED');
});

describe('SANDBANK_TPP_TRUST=ca', () => {
  const authority = (commonName: string) => validCertificate({ commonName, authority: true, roles: null });
  const [first, second] = [authority('First CA'), authority('Second CA')];
  let bank: TestBank;
  beforeAll(async () => {
    const cas = file('cas.pem', 'Two CAs of a test', first.certificatePem, second.certificatePem);
    bank = await startTestBank(now, ['--tpp-trust', 'ca', '--tpp-cas', cas]);
  });
  afterAll(() => bank.stop());

  test('interface, What the service does 6: G6: every CA of the file is trusted', async () => {
    for (const issuer of [first, second]) expect(await reading(bank, validCertificate({ issuer }))).toBe('200');
  });

  test('G12: the certificate of an authority in place of the one that it issued is told as that', async () => {
    const { status, body } = await bank.signed('GET', '/v1/accounts', { certificate: first });
    expect([status, body.tppMessages[0]]).toEqual([
      401,
      expect.objectContaining({
        code: 'CERTIFICATE_INVALID',
        text: expect.stringContaining(
          'It is the certificate of an authority, not of a TPP. Send the one that was issued',
        ),
      }),
    ]);
  });

  test('G6: a ledger file has a CA of its own beside it, made on the first start and kept; sign takes what it issued', async () => {
    const ledger = join(folder, 'own', 'ledger.sqlite');
    const flags = ['--tpp-trust', 'ca', '--ledger', ledger, '--port', '0', '--log-level', 'silent'];
    const ca = join(folder, 'own', 'sandbox-ca.pem');
    const sandbank = async (BANK: string, ...words: string[]) =>
      (await runMain(words, { env: { BANK, SANDBANK_LEDGER: ledger } })).lines.join('\n');
    const consent = ['sign', 'POST', '/v1/bank-offered-consents'];
    for (const name of ['first', 'second']) {
      const server = await startServer(readConfig({}, flags));
      expect(await sandbank(server.address, ...consent)).toContain('CERTIFICATE_INVALID');
      await sandbank(server.address, 'certificate', '--name', name, '--out', join(folder, 'own', 'tpp'));
      for (const tpp of ['first', name])
        expect(await sandbank(server.address, ...consent, '--tpp', tpp)).toContain('scaRedirect');
      await server.stop();
    }
    expect(statSync(ca).mode & 0o077).toBe(0);
    writeFileSync(ca, 'nothing');
    await expect(startServer(readConfig({}, flags))).rejects.toThrow(/sandbox CA cannot be used: .*sandbox-ca\.pem/);
  }, 30_000);

  test.each<[string, () => string, RegExp]>([
    ['no such file', () => join(folder, 'none.pem'), /: there is no such file or folder/],
    ['an empty file', () => file('empty.pem'), /holds no PEM certificate/],
    ['a key', () => file('key.pem', first.keyPem), /holds no PEM certificate/],
    ['a broken one', () => file('broken.pem', first.certificatePem.replace(/M/g, '!')), /certificate 1 is no X.509/],
    ['a leaf', () => file('leaf.pem', first.certificatePem, validCertificate().certificatePem), /2 is no CA/],
  ])('%s is an error at start, in one line', async (_what, path, message) => {
    for (const [name, flags, env] of [
      ['--tpp-cas', ['--tpp-cas', path()], {}],
      ['SANDBANK_TPP_CAS', [], { SANDBANK_TPP_CAS: path() }],
    ] as const) {
      const failure = await startTestBank(now, ['--tpp-trust', 'ca', ...flags], { env }).catch(
        (error: unknown) => error,
      );
      if (!(failure instanceof Mistake)) throw new Error('the bank started, or failed otherwise', { cause: failure });
      expect(failure.message).toMatch(message);
      expect(failure.message).not.toContain('\n');
      expect(failure.message.startsWith(`${name} is "${path()}": `)).toBe(true);
      await expect(startTestBank(now, flags, { env })).rejects.toThrow('--tpp-cas goes with --tpp-trust ca');
    }
  });
});
