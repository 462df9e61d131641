import { X509Certificate } from 'node:crypto';
import type { IssuedCertificate } from '../../api/signing/certificate/issue-certificate.ts';
import { signHeaders } from '../../api/signing/signature/sign-request.ts';
import type { Instant } from '../../engine/values/instant.ts';
import type { Seeded } from '../lab/seeded.ts';
import { validCertificate } from '../lab/server.ts';

export type Trust = 'any' | 'ca';
type HeaderList = readonly (readonly [name: string, value: string])[];

export interface Parts {
  readonly method: string;
  readonly target: string;
  readonly headers: HeaderList;
  readonly body: Buffer;
}

/**
 * The expected result: a refusal, an acceptance even under strict-signing, or an acceptance of another spelling (rules.md G3). A function
 * decides whether the check may accept.
 */
type Wanted = 'refuse' | 'promised' | 'lenient' | ((trust: Trust, changed: Parts, parts: Parts) => boolean);

type Change = (parts: Parts, random: Seeded) => Partial<Parts>;
export type Mutation = readonly [name: string, wanted: Wanted, change: Change];

/** The certificates that the campaign signs with: `any` is self-signed; the authority issued `ca`. Each is for the trust mode of its name. */
export function signers() {
  const authority = validCertificate({ commonName: 'CA', organization: 'CA', roles: null, authority: true });
  const any = validCertificate({ serial: '7eaf114c0ffee' });
  return { authority, any, ca: validCertificate({ serial: 'ab', issuer: authority }) };
}

const body = Buffer.from('{"instructedAmount":{"amount":"100.00","currency":"NOK"}}');
const ownHeaders = {
  'PSU-ID': '8f0e3cb6-7a1c-4d0a-9a3c-0c0f4e545245',
  'TPP-Redirect-URI': 'https://tpp.example/callback',
};
const target = '/v1/payments/norwegian-domestic-credit-transfers?allowLogicalDuplicate=true';

/** A validly signed request for each trust mode. The signature covers (request-target). */
export function signAfresh(issued: Record<Trust, IssuedCertificate>, date: Instant): Record<Trust, Parts> {
  const sign = ({ certificatePem: certificate, keyPem: key }: IssuedCertificate): Parts => {
    const requestId = '4eba4445-1a4b-47b8-bdd5-4e56ef026b19';
    const options = { method: 'POST', target, headers: ownHeaders, body, certificate, key, date, requestId };
    const headers = Object.entries({ ...ownHeaders, ...signHeaders({ ...options, coverRequestTarget: true }) });
    return { method: 'POST', target, headers, body };
  };
  return { any: sign(issued.any), ca: sign(issued.ca) };
}

const covered = ['Date', 'Digest', 'X-Request-ID', 'PSU-ID', 'TPP-Redirect-URI'] as const;

function valueOf({ headers }: Pick<Parts, 'headers'>, name: string): string {
  return headers.find(([one]) => one === name)?.[1] ?? '';
}

/** One header with another value. */
function header({ headers }: Parts, name: string, change: (value: string) => string): Pick<Parts, 'headers'> {
  return { headers: headers.map(([one, value]) => [one, one === name ? change(value) : value] as const) };
}

/** The Signature header rewritten. */
const signature =
  (change: (value: string, random: Seeded) => string): Change =>
  (parts, random) =>
    header(parts, 'Signature', (value) => change(value, random));

/** A part of the Signature header rewritten, such as `keyId`. */
const part = (name: 'keyId' | 'signature', change: (value: string, random: Seeded) => string): Change =>
  signature((text, random) => text.replace(new RegExp(`(?<=\\b${name}=")[^"]*`), (value) => change(value, random)));

/** Changes, adds or removes one printable character. */
function editOnce(text: string, random: Seeded): string {
  const at = random.below(text.length);
  const character = String.fromCharCode(0x21 + random.below(0x5e));
  const kind = random.below(3);
  if (kind === 0) return text.slice(0, at) + character + text.slice(at);
  return text.slice(0, at) + (kind === 1 && character !== text[at] ? character : '') + text.slice(at + 1);
}

function flipBits(bytes: Buffer, random: Seeded, times = 1): Buffer {
  const changed = Buffer.from(bytes);
  for (let time = 0; time < times; time += 1) {
    const at = random.below(changed.length);
    changed[at] = (changed[at] ?? 0) ^ (1 << random.below(8));
  }
  return changed.equals(bytes) ? flipBits(bytes, random, times) : changed;
}

/** Canonical form of a Signature header: case, blanks, escapes and separators do not matter. */
function meaning(parts: Parts): string {
  const text = valueOf(parts, 'Signature').toLowerCase();
  return text
    .replace(/[\s\\]/g, '')
    .replace(/[;+]/g, ',')
    .replace(/sn=0+/, 'sn=');
}

const certificateHeader = 'TPP-Signature-Certificate';
const derOf = (base64: string): Buffer => Buffer.from(base64, 'base64');

const certificate =
  (change: (der: Buffer, random: Seeded) => Buffer): Change =>
  (parts, random) =>
    header(parts, certificateHeader, (value) => change(derOf(value), random).toString('base64'));

/** `ca` refuses every changed certificate; `any` refuses a changed certificate that names itself as issuer. */
function mayBeKnown(trust: Trust, changed: Parts): boolean {
  if (trust === 'ca') return false;
  const { issuer, subject } = new X509Certificate(derOf(valueOf(changed, certificateHeader)));
  return issuer !== subject;
}

/** Ways to spoil base64. Each changes a signature of 256 bytes, which ends with `==`. */
const spoils: readonly ((text: string) => string)[] = [
  (text) => `${text} `,
  (text) => text.slice(0, text.indexOf('=')),
  (text) => `${text}=`,
  (text) => `${text.slice(0, 60)} ${text.slice(60)}`,
];

const as = (wanted: Wanted, changes: Readonly<Record<string, Change>>): readonly Mutation[] =>
  Object.entries(changes).map(([name, change]) => [name, wanted, change]);

const refused = as('refuse', {
  'a character of a covered header': (parts, random) =>
    header(parts, random.pick(covered), (value) => editOnce(value, random)),
  'a covered header left out': ({ headers }, random) => {
    const name = random.pick(covered);
    return { headers: headers.filter(([one]) => one !== name) };
  },
  'a header sent twice': (parts, random) => {
    const name = random.pick([...covered, 'Signature', certificateHeader]);
    return { headers: [...parts.headers, [name.toLowerCase(), random.pick([valueOf(parts, name), 'x'])]] };
  },
  'a header that must be signed, added': (parts) => ({
    headers: [...parts.headers, ['PSU-Corporate-ID', valueOf(parts, 'PSU-ID')]],
  }),
  'a bit of the body': (parts, random) => ({ body: flipBits(parts.body, random) }),
  'the method': () => ({ method: 'PUT' }),
  'a character of the target': (parts, random) => ({ target: editOnce(parts.target, random) }),
  'a bit of the signature': part('signature', (text, random) => flipBits(derOf(text), random).toString('base64')),
  'base64 that is not strict': part('signature', (text, random) => random.pick(spoils)(text)),
  'another serial': part('keyId', (text, random) => text.replace(/SN=\w+/, (all) => `${all}${random.below(10)}`)),
  'an issuer attribute of another value': part('keyId', (text) => text.replace(/(CN=[^,]*)/, '$1x')),
  'the algorithm': signature((text, random) =>
    text.replace('rsa-sha256', random.pick(['rsa-sha1', 'rsa-sha512', 'hs2019', 'none', ''])),
  ),
  'a name less in headers=': signature((text, random) =>
    text.replace(random.pick(['(request-target) ', 'date ', 'digest ', 'x-request-id ']), ''),
  ),
  'a name twice, or one more, in headers=': signature((text, random) =>
    text.replace('headers="', `headers="${random.pick(['date', 'x-note', 'host', '(created)'])} `),
  ),
  'a byte less, or more, of the certificate': certificate((der, random) =>
    random.below(2) === 0 ? der.subarray(0, -1) : Buffer.concat([der, Buffer.of(random.below(256))]),
  ),
});

const promised = as('promised', {
  none: () => ({}),
  'a header of no matter, added': ({ headers }) => ({ headers: [...headers, ['X-Note', 'x']] }),
  'names of headers in another case, in another order': ({ headers }) => ({
    headers: headers.map(([name, value]) => [name.toUpperCase(), value] as const).reverse(),
  }),
  'wrapped as RFC 2047 says': signature((text) => `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`),
});

const lenient = as('lenient', {
  'the serial in another spelling': part('keyId', (text, random) => {
    const zeros = '0'.repeat(random.below(4));
    const isLower = random.below(2) === 0;
    return text.replace(/SN=(\w+)/, (_, hex: string) => `SN=${zeros}${isLower ? hex.toLowerCase() : hex}`);
  }),
  'an issuer attribute left out': part('keyId', (text) => text.replace(/CN=[^,]*,/, '')),
  'the issuer attributes in capitals': part('keyId', (text) => text.toUpperCase()),
  'parts in another order': signature((text) =>
    text
      .split(/,(?=\w+=")/)
      .reverse()
      .join(', '),
  ),
  'the certificate as PEM': certificate((der) => Buffer.from(new X509Certificate(der).toString())),
});

export const mutations: readonly Mutation[] = [
  ...refused,
  ...promised,
  ...lenient,
  ...as((_trust, changed, parts) => meaning(changed) === meaning(parts), {
    'a character of the Signature header': signature(editOnce),
  }),
  ...as(mayBeKnown, {
    'bits of the certificate': certificate((der, random) => flipBits(der, random, 1 + random.below(3))),
    'a character of the certificate header': (parts, random) =>
      header(parts, certificateHeader, (value) => editOnce(value, random)),
  }),
];
