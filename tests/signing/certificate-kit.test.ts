import { execFile } from 'node:child_process';
import { generateKeyPairSync, randomUUID, sign, X509Certificate } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { generateKey, issueCertificate } from '../../api/signing/certificate/issue-certificate.ts';
import { testTppRequest } from '../../api/signing/test-tpp.ts';
import { systemClock } from '../../engine/time/clock.ts';
import { certificateFaults, type CertificateFaultName } from '../../api/signing/certificate-kit.ts';
import { readConfig } from '../../api/start/config.ts';
import { startServer } from '../../api/hosting/server.ts';
import { startTestBank, TestBank, type Reply } from '../lab/server.ts';
import { hasOpenssl } from '../support/openssl.ts';
import { someOf } from '../support/sample.ts';
import { testWith } from '../support/test-with.ts';
import { tempFolder } from '../support/temp-folder.ts';

const own = tempFolder();

const now = '2027-03-24T12:00:00+01:00';
const faultNames = Object.keys(certificateFaults) as CertificateFaultName[];
const trusts = ['any', 'ca'] as const;

let banks: Readonly<Record<(typeof trusts)[number], TestBank>>;
beforeAll(async () => {
  banks = { any: await startTestBank(now), ca: await startTestBank(now, ['--tpp-trust', 'ca']) };
});
afterAll(async () => {
  await banks.any.stop();
  await banks.ca.stop();
});

interface Made {
  readonly certificate: string;
  readonly key: string;
  readonly keyId: string;
  readonly serial: string;
  readonly code: Readonly<Record<'any' | 'ca', string | null>>;
}

async function make(bank: TestBank, body: object = {}): Promise<Made> {
  const { status, body: made } = await bank.control('POST', '/sandbox/certificates', body);
  expect({ status, members: Object.keys(made as object) }).toEqual({
    status: 200,
    members: ['certificate', 'key', 'keyId', 'serial', 'code'],
  });
  return made;
}

/** Signs by hand, with the keyId exactly as the kit gave it. */
function call(bank: TestBank, method: string, target: string, { certificate, key, keyId }: Made): Promise<Reply> {
  const signed = {
    date: new Date().toUTCString(),
    'x-request-id': randomUUID(),
    'tpp-redirect-uri': 'https://tpp.example/callback',
  };
  const text = Object.entries(signed)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
  const value = sign('sha256', Buffer.from(text), key).toString('base64');
  const names = Object.keys(signed).join(' ');
  return bank.raw(method, target, {
    ...signed,
    'psu-ip-address': '127.0.0.1',
    'tpp-session-id': 'session-1',
    'tpp-signature-certificate': certificate.replace(/-----(BEGIN|END) CERTIFICATE-----|\n/g, ''),
    signature: `keyId="${keyId}",algorithm="rsa-sha256",headers="${names}",signature="${value}"`,
  });
}

/** Code of a call that needs PSP_AI; null: accepted. */
async function codeOf(bank: TestBank, made: Made): Promise<string | null> {
  const { status, body } = await call(bank, 'POST', '/v1/bank-offered-consents', made);
  return status === 201 ? null : body.tppMessages[0].code;
}

describe.each(trusts)('SANDBANK_TPP_TRUST=%s', (trust) => {
  test.each([...faultNames, undefined])(
    'K16: the fault %s gets exactly the code that the answer names',
    async (fault) => {
      const made = await make(banks[trust], { fault });
      const { any, ca } = fault === undefined ? { any: null, ca: null } : certificateFaults[fault];
      expect(made.code).toEqual({ any, ca });
      expect(await codeOf(banks[trust], made)).toBe(made.code[trust]);
    },
  );
});

test('every certificate code of the interface has a fault, and the fault list is the one that the codes come from', () => {
  const codes = new Set(faultNames.flatMap((name) => [certificateFaults[name].any, certificateFaults[name].ca]));
  expect([...codes].filter((code) => code !== null).toSorted()).toEqual([
    'CERTIFICATE_BLOCKED',
    'CERTIFICATE_EXPIRED',
    'CERTIFICATE_INVALID',
    'CERTIFICATE_REVOKED',
    'ROLE_INVALID',
    'SIGNATURE_INVALID',
  ]);
});

test('G8: the same name is the same TPP, another name another', async () => {
  const subjectOf = async (body: object) => new X509Certificate((await make(banks.any, body)).certificate).subject;
  expect(await subjectOf({ name: 'mine' })).toBe(await subjectOf({ name: 'mine', fault: 'expired' }));
  expect(await subjectOf({ name: 'mine' })).not.toBe(await subjectOf({ name: 'yours' }));
  expect(await subjectOf({})).toBe(await subjectOf({ name: 'default' }));
});

test('T1: years of the bank clock do not end a certificate of the kit', async () => {
  const made = await make(banks.ca);
  const advanced = await banks.ca.advance({ by: 'P9Y' });
  expect(advanced.status).toBe(200);
  expect(await codeOf(banks.ca, made)).toBeNull();
  expect(await codeOf(banks.ca, await make(banks.ca))).toBeNull();
});

test('a named bank has the CA of its server', async () => {
  await banks.ca.control('POST', '/sandbox/banks', { name: 'named' });
  const named = new TestBank(`${banks.ca.address}/banks/named`, banks.ca.bank, () => Promise.resolve());
  expect(await codeOf(named, await make(banks.ca))).toBeNull();
  expect(await codeOf(banks.ca, await make(named))).toBeNull();
});

test('twelve at once: each has a key and a serial of its own', async () => {
  const all = await Promise.all(Array.from({ length: 12 }, () => make(banks.any)));
  expect(new Set(all.map(({ serial }) => serial)).size).toBe(12);
  for (const made of all) expect(await codeOf(banks.any, made)).toBeNull();
});

test.each([
  [{ fault: 'expird' }, 'fault', 'There is no fault \\"expird\\".'],
  [{ fault: '__proto__' }, 'fault', 'There is no fault'],
  [{ fault: 'no-role', roles: ['PSP_AI'] }, 'roles', 'sets the roles itself'],
  [{ fault: 'empty-roles', roles: ['PSP_AI'] }, 'roles', 'sets the roles itself'],
  [{ name: '../x' }, 'name', ''],
  [{ name: 'a'.repeat(61) }, 'name', ''],
  [{ roles: [] }, 'roles', ''],
  [{ roles: ['PSP_XX'] }, 'roles[0]', ''],
  [{ roles: ['PSP_AI', 'PSP_AI'] }, 'roles', ''],
  [{ rôle: 'PSP_AI' }, 'rôle', ''],
])('%j is a 400 that names what is wrong', async (body, path, text) => {
  const answer = await banks.any.control('POST', '/sandbox/certificates', body);
  expect(answer).toMatchObject({ status: 400, body: { errors: [{ path }] } });
  expect(JSON.stringify(answer.body)).toContain(text);
});

test('K16: an unknown fault lists those that there are', async () => {
  const { body } = await banks.any.control('POST', '/sandbox/certificates', { fault: 'x' });
  expect(body.allowed).toEqual(faultNames);
});

test('requests go on while a key is generated', async () => {
  let done = false;
  const made = generateKey(3072).then(() => (done = true));
  let turns = 0;
  for (; !done; turns += 1) await setImmediate();
  await made;
  expect(turns).toBeGreaterThan(10);
});

describe('what others read', () => {
  const withOpenssl = testWith(hasOpenssl, 'openssl');
  const folder = tempFolder();
  let bank: TestBank;
  beforeAll(async () => {
    const flags = ['--port', '0', '--ledger', join(folder, 'ledger.sqlite'), '--log-level', 'silent'];
    const server = await startServer(readConfig({}, flags));
    bank = new TestBank(server.address, server.bank, () => server.stop());
  });
  afterAll(async () => {
    await bank.stop();
  });
  const openssl = async (...args: string[]) =>
    (await promisify(execFile)('openssl', args, { cwd: folder }).catch((error: unknown) => error as { stdout: string }))
      .stdout;
  const write = (made: Made) => {
    writeFileSync(join(folder, 'tpp.pem'), made.certificate);
    writeFileSync(join(folder, 'key.pem'), made.key);
  };

  withOpenssl('OpenSSL verifies a good one against sandbox-ca.pem, strictly', async () => {
    write(await make(bank));
    expect(await openssl('verify', '-x509_strict', '-CAfile', 'sandbox-ca.pem', 'tpp.pem')).toBe('tpp.pem: OK\n');
  });

  withOpenssl.each([
    ['an identifier of its own', 'hash'],
    ['none', 'none'],
  ])('OpenSSL verifies a certificate under its own CA, whose key has %s', async (_what, identifier) => {
    const name = ['-newkey', 'rsa:2048', '-nodes', '-keyout', 'ca-key.pem', '-subj', '/C=NO/O=Theirs/CN=Their CA'];
    await openssl(
      'req',
      '-x509',
      ...name,
      '-days',
      '2',
      '-addext',
      `subjectKeyIdentifier=${identifier}`,
      '-out',
      'ca.pem',
    );
    const read = (file: string) => readFileSync(join(folder, file), 'utf8');
    const issuer = { certificatePem: read('ca.pem'), keyPem: read('ca-key.pem') };
    const { certificatePem } = issueCertificate({ ...testTppRequest('mine', systemClock.now()), issuer });
    writeFileSync(join(folder, 'tpp.pem'), certificatePem);
    expect(await openssl('verify', '-CAfile', 'ca.pem', 'tpp.pem')).toBe('tpp.pem: OK\n');
    const text = await openssl('x509', '-in', 'tpp.pem', '-noout', '-text');
    expect(text.includes('Authority Key Identifier')).toBe(identifier !== 'none');
  });

  withOpenssl('ETSI TS 119 495: the organisation, its identifier, a seal, its roles and authority', async () => {
    const made = await make(bank, { name: 'shape', roles: ['PSP_PI'] });
    write(made);
    const text = await openssl('x509', '-in', 'tpp.pem', '-noout', '-text');
    expect(text).toMatch(/Subject: C = NO, O = Test-TPP shape, organizationIdentifier = PSDNO-FSA-\d{9}, CN = shape/);
    expect(text).toContain('Policy: 0.4.0.194112.1.1');
    expect(text).toContain('Digital Signature, Non Repudiation');
    const [, at = ''] =
      /:qcStatements\n *(\d+):.*OCTET STRING/.exec(await openssl('asn1parse', '-in', 'tpp.pem')) ?? [];
    const statements = await openssl('asn1parse', '-in', 'tpp.pem', '-strparse', at);
    const objects = [...statements.matchAll(/OBJECT +:(.*)/g)].map(([, oid]) => oid);
    // QcCompliance; QcType, eseal; the PSD2 statement, PSP_PI.
    const seal = ['0.4.0.1862.1.1', '0.4.0.1862.1.6', '0.4.0.1862.1.6.2'];
    expect(objects).toEqual([...seal, '0.4.0.19495.2', '0.4.0.19495.1.2']);
    expect(statements).toContain(':PSP_PI');
    expect(statements).not.toContain('PSP_AI');
    expect(statements).toMatch(/:Finanstilsynet\n.*:NO-FSA/);
  });

  withOpenssl.each(someOf('certificates read', faultNames, 3))(
    'Node and OpenSSL read %s, and the key is that of the certificate but for other-key',
    async (fault) => {
      const made = await make(bank, { fault });
      write(made);
      const certificate = new X509Certificate(made.certificate);
      expect(certificate.serialNumber.replace(/^0+/, '')).toBe(made.serial);
      const ofCertificate = await openssl('x509', '-in', 'tpp.pem', '-noout', '-pubkey');
      const ofKey = await openssl('pkey', '-in', 'key.pem', '-pubout');
      expect(ofCertificate === ofKey).toBe(fault !== 'other-key');
      expect(ofKey).toContain('PUBLIC KEY');
      const subject = await openssl('x509', '-in', 'tpp.pem', '-noout', '-subject');
      expect(subject).toContain('organizationIdentifier = PSDNO-FSA-');
      expect(certificate.publicKey.asymmetricKeyType).toBe(fault === 'ec-key' ? 'ec' : 'rsa');
    },
  );

  test('a CA file that cannot be used is a 503 that names it', async () => {
    writeFileSync(join(own, 'sandbox-ca.pem'), 'nothing');
    const flags = ['--port', '0', '--ledger', join(own, 'ledger.sqlite'), '--log-level', 'silent'];
    const server = await startServer(readConfig({}, flags));
    const broken = new TestBank(server.address, server.bank, () => server.stop());
    const answer = await broken.control('POST', '/sandbox/certificates', {});
    expect(answer).toMatchObject({ status: 503, body: { detail: expect.stringContaining('sandbox-ca.pem') } });
    // Put right, the next call works.
    rmSync(join(own, 'sandbox-ca.pem'));
    expect((await broken.control('POST', '/sandbox/certificates', {})).status).toBe(200);
    await broken.stop();
  });
});

test('the table can fail: a certificate of somebody else is refused under ca', async () => {
  const made = await make(banks.any);
  expect(await codeOf(banks.ca, made)).toBe('CERTIFICATE_INVALID');
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  expect(await codeOf(banks.any, { ...made, key })).toBe('SIGNATURE_INVALID');
});
