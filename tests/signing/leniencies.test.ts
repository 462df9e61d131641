import { createHash, createPrivateKey, randomUUID, sign, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { leniencies } from '../../api/signing/leniencies.ts';
import { readTppCertificate } from '../../api/signing/certificate/tpp-certificate.ts';
import { issuerSpelling } from '../../api/signing/name/issuer.ts';
import data from '../data/http-signature/issuer-dn-renderings.json' with { type: 'json' };
import { kept } from '../support/journal.ts';
import { startTestBank, validCertificate, type TestBank } from '../lab/server.ts';

/* rules.md G3b over HTTP, both ways. The requests are signed here by hand, apart from the code under test. */

const plain = validCertificate();
const letters = validCertificate({ organization: 'Blåbær AS' });
const longSerial = validCertificate({ serial: '7eaf114c0ffee' });
type Issued = typeof plain;

/** What a client may spell otherwise; left out: as the interface has it. */
interface Spelled {
  readonly issued?: Issued;
  readonly certificate?: string;
  readonly digest?: string;
  readonly serial?: string;
  readonly issuer?: string;
  readonly keyId?: (serial: string, issuer: string) => string;
  readonly names?: string;
  readonly header?: (parts: Parts) => string;
  /** Applied to the whole Signature value last. */
  readonly wrap?: (text: string) => string;
}

interface Parts {
  readonly keyId: string;
  readonly names: string;
  readonly value: string;
}

const target = '/v1/sandbox/customers';
const base64 = (text: string | Buffer) => Buffer.from(text).toString('base64');
const utf8Bytes = (text: string) => Buffer.from(text).toString('latin1');
const digestOf = (name: string, hash: string) => `${name}=${createHash(hash).update('').digest('base64')}`;

/** The issuer in RFC 2253 form, by Node. */
function issuerOf({ certificatePem }: Issued): string {
  return new X509Certificate(certificatePem).issuer.split('\n').reverse().join(',');
}

function headerOf({ keyId, names, value }: Parts): string {
  return `keyId="${keyId}",algorithm="rsa-sha256",headers="${names}",signature="${value}"`;
}

function headersOf(spelled: Spelled): Record<string, string> {
  const { issued = plain, digest = digestOf('SHA-256', 'sha256'), header = headerOf, wrap = (text) => text } = spelled;
  const certificate = new X509Certificate(issued.certificatePem);
  const sent: Record<string, string> = {
    date: new Date().toUTCString(),
    digest,
    'x-request-id': randomUUID(),
    accept: 'application/json',
  };
  const names = spelled.names ?? 'date digest x-request-id';
  const covered = names.toLowerCase().trim().split(/\s+/);
  const lines = covered.map((name) =>
    name === '(request-target)' ? `(request-target): get ${target}` : `${name}: ${sent[name]}`,
  );
  const value = sign('RSA-SHA256', Buffer.from(lines.join('\n'), 'latin1'), createPrivateKey(issued.keyPem));
  const serial = spelled.serial ?? certificate.serialNumber.replace(/^0+/, '');
  const issuer = spelled.issuer ?? issuerOf(issued);
  const keyId = (spelled.keyId ?? ((sn, ca) => `SN=${sn},CA=${ca}`))(serial, issuer);
  return {
    ...sent,
    signature: wrap(header({ keyId, names, value: value.toString('base64') })),
    'tpp-signature-certificate': spelled.certificate ?? certificate.raw.toString('base64'),
  };
}

const wrapped = (text: string) => `=?utf-8?B?${base64(text)}?=`;

/** One request for each leniency, and nothing else of the list. */
const lenient: Readonly<Record<string, Spelled>> = {
  'pem-as-base64': { certificate: base64(plain.certificatePem) },
  'digest-name-case': { digest: digestOf('sha-256', 'sha256') },
  'digest-list': { digest: `${digestOf('SHA-256', 'sha256')}, ${digestOf('SHA-512', 'sha512')}` },
  'raw-letters': { issued: letters, wrap: utf8Bytes },
  'partial-wrap': {
    header: ({ keyId, names, value }) =>
      `${wrapped(`keyId="${keyId}",`)}algorithm="rsa-sha256",headers="${names}",signature="${value}"`,
  },
  'several-words': { wrap: (text) => `${wrapped(text.slice(0, 70))} ${wrapped(text.slice(70))}` },
  'wrapped-as-ascii': { wrap: (text) => `=?us-ascii?B?${base64(text)}?=` },
  'part-order': {
    header: ({ keyId, names, value }) =>
      `algorithm="rsa-sha256",keyId="${keyId}",headers="${names}",signature="${value}"`,
  },
  'part-name-case': { header: (parts) => headerOf(parts).replace('keyId=', 'keyid=') },
  'part-blanks': { header: (parts) => headerOf(parts).replaceAll('",', '", ') },
  'algorithm-case': { header: (parts) => headerOf(parts).replace('rsa-sha256', 'RSA-SHA256') },
  'header-name-case': { names: 'Date Digest X-Request-ID' },
  'header-blanks': { names: 'date  digest x-request-id' },
  'other-headers': { names: 'date digest x-request-id accept' },
  'key-id-case': { keyId: (serial, issuer) => `sn=${serial},ca=${issuer}` },
  'key-id-blanks': { keyId: (serial, issuer) => `SN=${serial}, CA=${issuer}` },
  'serial-case': { issued: longSerial, serial: '7eaf114c0ffee' },
  'serial-zeros': { issued: longSerial, serial: '07EAF114C0FFEE' },
  'percent-blanks': { issuer: issuerOf(plain).replaceAll(' ', '%20') },
  'doubled-escapes': { issuer: issuerOf(plain).replaceAll('\\', '\\\\') },
  'slash-form': {
    issued: validCertificate({ organization: 'Plain' }),
    issuer: '/C=NO/O=Plain/organizationIdentifier=PSDNO-FSA-987654321/CN=tpp.example',
  },
  'issuer-blanks': { issuer: issuerOf(plain).replaceAll(/(?<!\\),/g, ', ') },
  'issuer-separators': { issuer: issuerOf(plain).replaceAll(/(?<!\\),/g, ';') },
  'issuer-order': {
    issuer: issuerOf(plain)
      .split(/(?<!\\),/)
      .reverse()
      .join(','),
  },
  'issuer-missing': { issuer: 'CN=tpp.example' },
  'issuer-types': { issuer: issuerOf(plain).replace('CN=', 'cn=') },
  'issuer-numbers': { issuer: issuerOf(plain).replace('organizationIdentifier', '2.5.4.97') },
  'issuer-quotes': { issuer: issuerOf(plain).replace('Test TPP\\, AS', '"Test TPP, AS"') },
  'issuer-escapes': { issuer: issuerOf(plain).replace('Test', '\\Test') },
  'issuer-latin1': { issued: letters, issuer: issuerOf(letters).replace('å', '\\E5').replace('æ', '\\E6') },
  'issuer-twice': { issued: letters, wrap: (text) => wrapped(utf8Bytes(text)) },
  'issuer-text': { issuer: issuerOf(plain).replace('Test', 'TEST') },
};

/** Leniencies that a spelling has beside the one that it is for, because they cannot be apart. */
const beside: Readonly<Record<string, readonly string[]>> = { 'slash-form': ['issuer-order'] };

const promised: Readonly<Record<string, Spelled>> = {
  'as the interface has it': {},
  'SHA-512': { digest: digestOf('SHA-512', 'sha512') },
  '(request-target)': { names: '(request-target) date digest x-request-id' },
  'another order of headers': { names: 'x-request-id digest date' },
  'wrapped, though it is ASCII': { wrap: wrapped },
  'wrapped, with letters': { issued: letters, wrap: wrapped },
  'wrapped in ISO-8859-1': {
    issued: letters,
    wrap: (text) => `=?iso-8859-1?B?${Buffer.from(text, 'latin1').toString('base64')}?=`,
  },
  'wrapped as Q': {
    issued: letters,
    wrap: (text) =>
      `=?UTF-8?Q?${Buffer.from(text).reduce(
        (all, byte) => all + `=${byte.toString(16).padStart(2, '0').toUpperCase()}`,
        '',
      )}?=`,
  },
  'letters escaped as UTF-8': {
    issued: letters,
    issuer: issuerOf(letters).replace('å', '\\C3\\A5').replace('æ', '\\C3\\A6'),
  },
  'a type without a name as a number, by Java': {
    issuer: issuerOf(plain).replace(
      'organizationIdentifier=PSDNO-FSA-987654321',
      '2.5.4.97=#0c135053444e4f2d4653412d393837363534333231',
    ),
  },
  "the vendor's tool: six types in its own order": { issuer: 'CN=tpp.example,O=Test TPP\\, AS,C=NO' },
};

let usual: TestBank;
let strict: TestBank;
beforeAll(async () => {
  const now = '2027-03-24T12:00:00+01:00';
  usual = await startTestBank(now);
  strict = await startTestBank(now, ['--quirks', 'strict-signing']);
});
afterAll(() => Promise.all([usual.stop(), strict.stop()]));

/** Names of the leniencies in the notes of the entry of this request. */
async function notesOf(bank: TestBank, headers: Record<string, string>): Promise<string[]> {
  const [{ notes }] = await kept(bank, headers['x-request-id'] ?? '');
  return notes.map((note: string) => /^accepted, but .* \(([\w-]+)\)$/.exec(note)?.[1] ?? note);
}

const codes = {
  'tpp-signature-certificate': 'CERTIFICATE_INVALID',
  digest: 'FORMAT_ERROR',
  signature: 'SIGNATURE_INVALID',
};

describe('G3b: what the interface does not promise', () => {
  test('every leniency of the list has a request here', () => {
    expect(Object.keys(lenient).toSorted()).toEqual(leniencies.map(({ name }) => name).toSorted());
  });

  test.each(leniencies.map((one) => [one.name, one] as const))('%s is accepted with a note', async (name) => {
    const headers = headersOf(lenient[name] ?? {});
    const { status, body } = await usual.raw('GET', target, headers);
    expect([status, body.tppMessages]).toEqual([200, undefined]);
    expect((await notesOf(usual, headers)).toSorted()).toEqual([name, ...(beside[name] ?? [])].toSorted());
  });

  test.each(leniencies.map((one) => [one.name, one] as const))(
    '%s is refused under the quirk strict-signing',
    async (name, { note, header }) => {
      const headers = headersOf(lenient[name] ?? {});
      const { status, body } = await strict.raw('GET', target, headers);
      expect(status).toBe(header === 'tpp-signature-certificate' ? 401 : 400);
      expect(body.tppMessages).toEqual([
        expect.objectContaining({ code: codes[header], path: header, text: expect.stringContaining(`(${name})`) }),
      ]);
      const [entry] = await kept(strict, headers['x-request-id'] ?? '');
      expect(entry).toMatchObject({ verdict: 'refused', notes: [] });
      expect(entry.finding).toBe(`Refused under the quirk strict-signing (${name}): ${note}.`);
    },
  );
});

describe('G3b: what it promises', () => {
  test.each(Object.entries(promised))('%s: no note, and accepted under the quirk too', async (_name, spelled) => {
    for (const bank of [usual, strict]) {
      const headers = headersOf(spelled);
      const { status, body } = await bank.raw('GET', target, headers);
      expect([status, body.tppMessages]).toEqual([200, undefined]);
      expect(await notesOf(bank, headers)).toEqual([]);
    }
  });

  test('our own signer: no note', async () => {
    for (const certificate of [plain, letters, longSerial]) {
      expect((await strict.signed('GET', target, { certificate })).status).toBe(200);
    }
  });

  test('a signature that does not fit is refused as before, whatever else is lenient', async () => {
    const headers = { ...headersOf(lenient['issuer-order'] ?? {}), date: new Date(Date.UTC(2020, 1, 1)).toUTCString() };
    for (const bank of [usual, strict]) {
      expect((await bank.raw('GET', target, headers)).body.tppMessages[0].code).toBe('TIMESTAMP_INVALID');
    }
  });
});

describe('issuers as other tools write them', () => {
  const names = data.names.map(({ certificateBase64Der, ...name }) => ({
    ...name,
    issuer: readTppCertificate(Buffer.from(certificateBase64Der, 'base64')).issuer,
  }));

  test.each(names)('RFC 2253 of $name by Java and OpenSSL is promised', (name) => {
    for (const text of [name.java_X500Principal_getName_RFC2253, name.openssl_RFC2253, name.openssl_RFC2253_utf8]) {
      expect([...issuerSpelling(text, name.issuer)]).toEqual([]);
    }
  });

  test.each(names)('other forms of $name are not', (name) => {
    for (const text of [name.java_RFC1779, name.java_CANONICAL, name.openssl_oneline, name.openssl_compat]) {
      expect(issuerSpelling(text, name.issuer).size).toBeGreaterThan(0);
    }
  });
});

test('docs/signing/spellings.md has a row for each, in the same order', () => {
  const page = readFileSync(new URL('../../docs/signing/spellings.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| `([\w-]+)` +\| ([\w-]+) +\| (.*?) *\|$/gm)].map(([, ...cells]) => cells);
  const escaped = (text: string) => text.replaceAll('|', '\\|');
  expect(rows).toEqual(leniencies.map(({ name, header, note }) => [name, header, escaped(note)]));
});
