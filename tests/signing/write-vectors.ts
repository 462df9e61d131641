import { createHash, createPrivateKey, sign, X509Certificate } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { issueCertificate } from '../../api/signing/certificate/issue-certificate.ts';
import type { Instant } from '../../engine/values/instant.ts';
import { bulkItem, bulkPath, bulkPayment, singlePath, singlePayment } from '../lab/bodies.ts';

/*
 * Writes examples/signing/vectors.json: `node tests/signing/write-vectors.ts`. Keys and certificates that the file has stay. It signs with
 * node:crypto and with nothing of the bank.
 */

const path = 'examples/signing/vectors.json';

/** A certificate, its key (PEM both) and its keyId as the Signature has it. */
interface Signer {
  readonly certificate: string;
  readonly key: string;
  readonly keyId: string;
}

/** The signer of a request. */
export function signerOf({ signers }: Pick<Vectors, 'signers'>, { signer }: Pick<Request, 'signer'>): Signer {
  const found = signers[signer];
  if (found === undefined) throw new Error(`No signer ${signer}`);
  return found;
}

interface Request {
  readonly name: string;
  /** The name of its {@link Signer}. */
  readonly signer: string;
  readonly method: string;
  readonly target: string;
  /** The headers of the program, in the order in which they are signed, then those that are not signed. */
  readonly headers: Readonly<Record<string, string>>;
  /** A text, sent as UTF-8. It is empty if the request has no body. */
  readonly body: string;
}

export interface Vector extends Request {
  /** The text that is signed. It is ASCII. */
  readonly bytes: string;
  /** The headers that come out: Digest, TPP-Signature-Certificate and Signature. */
  readonly sent: Readonly<Record<string, string>>;
  /** True if the interface does not promise that a bank accepts this form. */
  readonly undocumented?: true;
}

export interface WrongVector extends Vector {
  readonly refusal: Refused;
}

interface Refused {
  readonly status: number;
  readonly code: string;
  /** A part of the text. */
  readonly says: string;
}

export interface Vectors {
  readonly about: string;
  readonly clock: string;
  readonly signers: Readonly<Record<string, Signer>>;
  readonly accepted: readonly Vector[];
  readonly refused: readonly WrongVector[];
}

export function keptVectors(): Vectors {
  return JSON.parse(readFileSync(path, 'utf8')) as Vectors;
}

/** What is done otherwise than a request has it. */
interface Otherwise {
  readonly covers?: readonly string[];
  readonly digestOf?: string;
  readonly change?: (bytes: string) => string;
  readonly isPem?: true;
  readonly isWord?: true;
}

const signedWhenSent = ['date', 'digest', 'x-request-id', 'tpp-redirect-uri'];

/** The file, with these signers. */
export function vectors(signers: Vectors['signers']): Vectors {
  return {
    about:
      'Requests that are signed, byte for byte: see docs/signing/vectors.md. The keys are public: use them for nothing else. `node tests/signing/write-vectors.ts` writes this file.',
    clock: '2027-03-24T12:00:00+01:00',
    signers,
    accepted: [
      make({ name: 'GET', method: 'GET', target: '/v1/sandbox/customers' }),
      make({ name: 'POST, a body in UTF-8', ...payment('Blåbær og Ærfugl på Røst', '101.00') }),
      make({
        name: 'POST, a bulk payment',
        target: bulkPath,
        body: text(bulkPayment([bulkItem('10.00'), bulkItem('20.50', { creditorName: 'Øst' })])),
      }),
      make({
        name: 'POST, a query',
        ...payment('Query', '102.00'),
        target: `${singlePath}?allowLogicalDuplicate=true`,
      }),
      make(
        {
          name: 'POST, a query that is signed',
          ...payment('Target', '103.00'),
          target: `${singlePath}?allowLogicalDuplicate=true`,
        },
        { covers: ['(request-target)', ...signedWhenSent] },
      ),
      make({
        name: 'POST, a header with blanks around its value',
        ...payment('Blanks', '104.00'),
        headers: { 'TPP-Redirect-URI': '  https://tpp.example/callback?state=a%20b ' },
      }),
      make({ name: 'a certificate whose issuer has a comma', signer: 'comma', ...payment('Comma', '105.00') }),
      make({
        name: 'a certificate whose issuer has letters outside ASCII, escaped',
        signer: 'letters',
        ...payment('Letters', '106.00'),
      }),
      make(
        { name: 'the same letters in an encoded word of RFC 2047', signer: 'word', ...payment('Word', '107.00') },
        { isWord: true },
      ),
      make({ name: 'the base64 of a PEM text as certificate', ...payment('PEM', '108.00') }, { isPem: true }),
    ],
    refused: [
      wrong(
        make({ name: 'an expired certificate', signer: 'expired', ...payment('Expired') }),
        'CERTIFICATE_EXPIRED',
        'The certificate expired at Fri, 01 Jan 2027 00:00:00 GMT.',
      ),
      wrong(
        make({
          name: 'local time labelled GMT',
          ...payment('Date'),
          headers: { Date: 'Wed, 24 Mar 2027 12:00:00 GMT' },
        }),
        'TIMESTAMP_INVALID',
        '3600.0 s ahead, 60 s are allowed',
      ),
      wrong(
        make(
          { name: 'the Digest of a pretty-printed body', ...payment('Digest') },
          { digestOf: JSON.stringify(singlePayment({ creditorName: 'Digest' }), null, 2) },
        ),
        'FORMAT_ERROR',
        'the digest of the pretty-printed body',
      ),
      wrong(
        make(
          { name: 'a line break at the end of the signed text', ...payment('Line break') },
          { change: (bytes) => `${bytes}\n` },
        ),
        'SIGNATURE_INVALID',
        'ends with a line break',
      ),
      wrong(
        make(
          { name: 'a header that is sent and not signed', ...payment('Uncovered') },
          { covers: ['date', 'digest', 'x-request-id'] },
        ),
        'SIGNATURE_INVALID',
        'tpp-redirect-uri',
      ),
    ],
  };

  function make(
    { headers = {}, ...given }: Partial<Request> & Pick<Request, 'name'>,
    otherwise: Otherwise = {},
  ): Vector {
    const request = { signer: 'plain', method: 'POST', target: singlePath, body: '', ...given };
    const signer = signerOf({ signers }, request);
    const hasBody = request.body !== '';
    const own: Readonly<Record<string, string>> = {
      Date: 'Wed, 24 Mar 2027 11:00:00 GMT',
      'X-Request-ID': requestId(request.name),
      ...(hasBody && { 'TPP-Redirect-URI': 'https://tpp.example/callback' }),
      ...headers,
      ...(hasBody && unsigned),
    };
    const digest = hasBody
      ? { Digest: `SHA-256=${sha256(otherwise.digestOf ?? request.body).toString('base64')}` }
      : {};
    const values = new Map(
      Object.entries({ ...own, ...digest }).map(([name, value]) => [name.toLowerCase(), value.trim()]),
    );
    values.set('(request-target)', `${request.method.toLowerCase()} ${request.target}`);
    const names = (otherwise.covers ?? signedWhenSent).filter((name) => values.has(name));
    const right = names.map((name) => `${name}: ${values.get(name)}`).join('\n');
    const bytes = otherwise.change?.(right) ?? right;
    const value = sign('RSA-SHA256', Buffer.from(bytes), createPrivateKey(signer.key)).toString('base64');
    const signature = `keyId="${signer.keyId}",algorithm="rsa-sha256",headers="${names.join(' ')}",signature="${value}"`;
    const der = new X509Certificate(signer.certificate).raw;
    return {
      ...request,
      headers: own,
      bytes,
      sent: {
        ...digest,
        'TPP-Signature-Certificate': (otherwise.isPem ? Buffer.from(signer.certificate) : der).toString('base64'),
        Signature: otherwise.isWord ? `=?utf-8?B?${Buffer.from(signature).toString('base64')}?=` : signature,
      },
      ...(otherwise.isPem && { undocumented: true }),
    };
  }
}

/** Headers of a payment that are not signed. */
const unsigned = {
  'Content-Type': 'application/json',
  Accept: 'application/json',
  'PSU-IP-Address': '192.0.2.10',
  'TPP-Session-ID': 'session-1',
  'X-PSU-IDENTITY': '13039319955',
  'PSU-Context': 'PRIVATE',
};

/** A payment. Those that a bank accepts have amounts of their own: none is a duplicate of another. */
function payment(creditorName: string, amount = '100.00'): Pick<Request, 'target' | 'body'> {
  const instructedAmount = { amount, currency: 'NOK' };
  return { target: singlePath, body: text(singlePayment({ creditorName, instructedAmount })) };
}

function text(body: object): string {
  return JSON.stringify(body);
}

function wrong(vector: Vector, code: string, says: string): WrongVector {
  return { ...vector, refusal: { status: code === 'CERTIFICATE_EXPIRED' ? 401 : 400, code, says } };
}

function sha256(bytes: string): Buffer {
  return createHash('sha256').update(bytes).digest();
}

/** A UUID that follows from a name. */
function requestId(name: string): string {
  return sha256(name)
    .toString('hex')
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*/, '$1-$2-4$3-8$4-$5');
}

/** New keys and certificates, each of an issuer of its own. */
function newSigners(): Vectors['signers'] {
  const issued = (organization: string, serial: string, validTo: number) => {
    const period = { validFrom: Date.UTC(2026, 0, 1) as Instant, validTo: validTo as Instant, key: 2048 } as const;
    const ca = issueCertificate({ ...period, commonName: 'Test CA', organization, roles: null, authority: true });
    const name = {
      commonName: 'tpp.example',
      organization: 'Vector TPP',
      organizationIdentifier: 'PSDNO-FSA-987654321',
    };
    const { certificatePem, keyPem } = issueCertificate({
      ...period,
      ...name,
      roles: ['PSP_PI', 'PSP_AI'],
      issuer: ca,
      serial,
    });
    return { certificate: certificatePem, key: keyPem };
  };
  const later = Date.UTC(2049, 0, 1);
  const letters = issued('Blåbær', '7eaf114c0ffee3', later);
  return {
    plain: {
      ...issued('Test QTSP', '7eaf114c0ffee1', later),
      keyId: 'SN=7EAF114C0FFEE1,CA=CN=Test CA,O=Test QTSP,C=NO',
    },
    comma: {
      ...issued('Test QTSP, AS', '7eaf114c0ffee2', later),
      keyId: String.raw`SN=7EAF114C0FFEE2,CA=CN=Test CA,O=Test QTSP\, AS,C=NO`,
    },
    letters: { ...letters, keyId: String.raw`SN=7EAF114C0FFEE3,CA=CN=Test CA,O=Bl\C3\A5b\C3\A6r,C=NO` },
    word: { ...letters, keyId: 'SN=7EAF114C0FFEE3,CA=CN=Test CA,O=Blåbær,C=NO' },
    expired: {
      ...issued('Test QTSP', '7eaf114c0ffee4', Date.UTC(2027, 0, 1)),
      keyId: 'SN=7EAF114C0FFEE4,CA=CN=Test CA,O=Test QTSP,C=NO',
    },
  };
}

if (import.meta.main) {
  const made = vectors(existsSync(path) ? keptVectors().signers : newSigners());
  writeFileSync(path, `${JSON.stringify(made, null, 2)}\n`);
}
