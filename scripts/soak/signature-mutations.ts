import { X509Certificate } from 'node:crypto';
import type { Instant } from '../../engine/values/instant.ts';
import { issueCertificate, type IssuedCertificate } from '../../api/signing/certificate/issue-certificate.ts';
import { signHeaders } from '../../api/signing/signature/sign-request.ts';
import type { SignedRequest } from '../../api/signing/signature/signing-string.ts';
import type { Seeded } from '../../lab/seeded.ts';

type HeaderList = readonly (readonly [name: string, value: string])[];

/** `accept` is another spelling of the same value (rules.md G3). A function decides whether acceptance is allowed. */
type Wanted = 'refuse' | 'accept' | ((trust: 'any' | 'ca') => boolean);

interface Parts {
  readonly method: string;
  readonly target: string;
  readonly headers: HeaderList;
  readonly body: Buffer;
}

interface Mutation {
  readonly name: string;
  /** Null if the mutation does not apply to this request. */
  readonly apply: (parts: Parts, random: Seeded) => readonly [changed: Partial<Parts>, wanted: Wanted] | null;
}

export interface Mutated {
  readonly name: string;
  readonly wanted: Wanted;
  readonly request: SignedRequest;
}

export interface Signers {
  readonly authority: IssuedCertificate;
  /** Self-signed, for trust in any; issued by the authority, for trust in it. */
  readonly any: IssuedCertificate;
  readonly ca: IssuedCertificate;
}

const valid = { validFrom: 0 as Instant, validTo: Date.UTC(9999, 0, 1) as Instant };
const tpp = { commonName: 'tpp.example', organization: 'Test TPP, AS', organizationIdentifier: 'PSDNO-FSA-987654321' };

/** Certificates that never expire, so that a later run makes the same moves. */
export function signers(): Signers {
  const roles = ['PSP_AI', 'PSP_PI'] as const;
  const authority = issueCertificate({ commonName: 'CA', organization: 'CA', roles: null, authority: true, ...valid });
  const any = issueCertificate({ ...tpp, roles, ...valid, serial: '7eaf114c0ffee' });
  return { authority, any, ca: issueCertificate({ ...tpp, roles, ...valid, serial: 'ab', issuer: authority }) };
}

const body = Buffer.from('{"instructedAmount":{"amount":"100.00","currency":"NOK"}}');
const own = {
  'PSU-ID': '8f0e3cb6-7a1c-4d0a-9a3c-0c0f4e545245',
  'TPP-Redirect-URI': 'https://tpp.example/callback',
};
const target = '/v1/payments/norwegian-domestic-credit-transfers?allowLogicalDuplicate=true';

/** A validly signed request for each trust mode, with (request-target) covered. */
export function signAfresh(issued: Signers, date: Instant): Record<'any' | 'ca', Parts> {
  const sign = ({ certificatePem: certificate, keyPem: key }: IssuedCertificate): Parts => {
    const requestId = '4eba4445-1a4b-47b8-bdd5-4e56ef026b19';
    const options = { method: 'POST', target, headers: own, body, certificate, key, date, requestId };
    const headers = Object.entries({ ...own, ...signHeaders({ ...options, coverRequestTarget: true }) });
    return { method: 'POST', target, headers, body };
  };
  return { any: sign(issued.any), ca: sign(issued.ca) };
}

export function mutate({ name, apply }: Mutation, parts: Parts, random: Seeded): Mutated {
  const [changes, wanted] = apply(parts, random) ?? [{}, 'accept' as const];
  const changed = { ...parts, ...changes };
  return { name, wanted, request: { ...changed, rawHeaders: changed.headers.flat() } };
}

const covered = ['Date', 'Digest', 'X-Request-ID', 'PSU-ID', 'TPP-Redirect-URI'] as const;
const ascii = Array.from({ length: 0x5e }, (_, code) => String.fromCharCode(0x21 + code)) as [string, ...string[]];

function valueOf(headers: HeaderList, name: string): string {
  return headers.find(([one]) => one === name)?.[1] ?? '';
}

function withHeader(headers: HeaderList, name: string, change: (value: string) => string): HeaderList {
  return headers.map(([one, value]) => [one, one === name ? change(value) : value] as const);
}

/** The Signature header rewritten. */
function signature(parts: Parts, change: (value: string) => string): Partial<Parts> {
  return { headers: withHeader(parts.headers, 'Signature', change) };
}

function keyId(parts: Parts, change: (value: string) => string): Partial<Parts> {
  return signature(parts, (value) => value.replace(/(?<=keyId=")[^"]*/, change));
}

/** Changes, adds or removes one character. */
function editOnce(text: string, random: Seeded): string {
  const at = random.below(text.length);
  const character = random.pick(ascii);
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
function meaning(text: string): string {
  return text
    .toLowerCase()
    .replace(/[\s\\]/g, '')
    .replace(/[;+]/g, ',')
    .replace(/sn=0+/, 'sn=');
}

function saysSelfSigned(der: Buffer): boolean {
  const { issuer, subject } = new X509Certificate(der);
  return issuer === subject;
}

/** A changed certificate is never accepted with trust `ca`, and with `any` not if it names itself as issuer. */
function changedCertificate(parts: Parts, change: (der: Buffer) => Buffer): readonly [Partial<Parts>, Wanted] {
  const der = change(Buffer.from(valueOf(parts.headers, 'TPP-Signature-Certificate'), 'base64'));
  const headers = withHeader(parts.headers, 'TPP-Signature-Certificate', () => der.toString('base64'));
  return [{ headers }, (trust) => trust === 'any' && !saysSelfSigned(der)];
}

export const mutations: readonly [Mutation, ...Mutation[]] = [
  { name: 'none', apply: () => null },
  {
    name: 'a character of a covered header',
    apply: ({ headers }, random) => {
      const name = random.pick(covered);
      return [{ headers: withHeader(headers, name, (value) => editOnce(value, random)) }, 'refuse'];
    },
  },
  {
    name: 'a covered header left out',
    apply: ({ headers }, random) => {
      const name = random.pick(covered);
      return [{ headers: headers.filter(([one]) => one !== name) }, 'refuse'];
    },
  },
  {
    name: 'a header sent twice',
    apply: ({ headers }, random) => {
      const name = random.pick([...covered, 'Signature', 'TPP-Signature-Certificate']);
      const value = valueOf(headers, name);
      return [{ headers: [...headers, [name.toLowerCase(), random.pick([value, 'x'])]] }, 'refuse'];
    },
  },
  {
    name: 'a header that must be signed, added',
    apply: ({ headers }) => [{ headers: [...headers, ['PSU-Corporate-ID', valueOf(headers, 'PSU-ID')]] }, 'refuse'],
  },
  {
    name: 'a header of no matter, added',
    apply: ({ headers }) => [{ headers: [...headers, ['X-Note', 'x']] }, 'accept'],
  },
  {
    name: 'names of headers in another case, in another order',
    apply: ({ headers }) => [
      { headers: headers.map(([name, value]) => [name.toUpperCase(), value] as const).reverse() },
      'accept',
    ],
  },
  { name: 'a bit of the body', apply: (parts, random) => [{ body: flipBits(parts.body, random) }, 'refuse'] },
  { name: 'the method', apply: () => [{ method: 'PUT' }, 'refuse'] },
  {
    name: 'a character of the target',
    apply: (parts, random) => [{ target: editOnce(parts.target, random) }, 'refuse'],
  },
  {
    name: 'a bit of the signature',
    apply: (parts, random) => [
      signature(parts, (text) =>
        text.replace(/(?<= ?signature=")[^"]*/, (value) =>
          flipBits(Buffer.from(value, 'base64'), random).toString('base64'),
        ),
      ),
      'refuse',
    ],
  },
  {
    name: 'base64 that is not strict',
    apply: (parts, random) => {
      const spoil = random.pick([
        (text: string) => `${text} `,
        (text: string) => (text.includes('=') ? text.slice(0, text.indexOf('=')) : text),
        (text: string) => `${text}=`,
        (text: string) => `${text.slice(0, 60)} ${text.slice(60)}`,
      ]);
      const spoiled = signature(parts, (text) => text.replace(/(?<=,signature=")[^"]*/, spoil));
      const same = JSON.stringify(spoiled.headers) === JSON.stringify(parts.headers);
      return same ? null : [spoiled, 'refuse'];
    },
  },
  {
    name: 'the serial in another spelling',
    apply: (parts, random) => [
      keyId(parts, (text) =>
        text.replace(
          /SN=(\w+)/,
          (_, hex: string) => `SN=${'0'.repeat(random.below(4))}${random.below(2) === 0 ? hex.toLowerCase() : hex}`,
        ),
      ),
      'accept',
    ],
  },
  {
    name: 'another serial',
    apply: (parts, random) => [
      keyId(parts, (text) => text.replace(/SN=\w+/, (serial) => `${serial}${random.below(10)}`)),
      'refuse',
    ],
  },
  {
    name: 'an issuer attribute of another value',
    apply: (parts) => [keyId(parts, (text) => text.replace(/(CN=[^,]*)/, '$1x')), 'refuse'],
  },
  {
    name: 'an issuer attribute left out',
    apply: (parts) => [keyId(parts, (text) => text.replace(/CN=[^,]*,/, '')), 'accept'],
  },
  {
    name: 'the issuer attributes in capitals',
    apply: (parts) => [keyId(parts, (text) => text.toUpperCase()), 'accept'],
  },
  {
    name: 'the algorithm',
    apply: (parts, random) => [
      signature(parts, (text) =>
        text.replace('rsa-sha256', random.pick(['rsa-sha1', 'rsa-sha512', 'hs2019', 'none', ''])),
      ),
      'refuse',
    ],
  },
  {
    name: 'a name less in headers=',
    apply: (parts, random) => {
      const name = random.pick(['(request-target) ', 'date ', 'digest ', 'x-request-id ']);
      return [signature(parts, (text) => text.replace(name, '')), 'refuse'];
    },
  },
  {
    name: 'a name twice, or one more, in headers=',
    apply: (parts, random) => {
      const more = random.pick(['date', 'x-note', 'host', '(created)']);
      return [signature(parts, (text) => text.replace('headers="', `headers="${more} `)), 'refuse'];
    },
  },
  {
    name: 'parts in another order',
    apply: (parts) => [
      signature(parts, (text) => {
        const [, first = '', second = '', third = '', fourth = ''] =
          /^(.*),(algorithm=.*),(headers=.*),(signature=.*)$/.exec(text) ?? [];
        return [fourth, second, third, first].join(', ');
      }),
      'accept',
    ],
  },
  {
    name: 'wrapped as RFC 2047 says',
    apply: (parts) => [signature(parts, (text) => `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`), 'accept'],
  },
  {
    name: 'a character of the Signature header',
    apply: (parts, random) => {
      const before = valueOf(parts.headers, 'Signature');
      const changes = signature(parts, (text) => editOnce(text, random));
      const after = valueOf(changes.headers ?? [], 'Signature');
      return [changes, () => meaning(after) === meaning(before)];
    },
  },
  {
    name: 'bits of the certificate',
    apply: (parts, random) => changedCertificate(parts, (der) => flipBits(der, random, 1 + random.below(3))),
  },
  {
    name: 'a byte less, or more, of the certificate',
    apply: (parts, random) => {
      const [changes] = changedCertificate(parts, (der) =>
        random.below(2) === 0 ? der.subarray(0, -1) : Buffer.concat([der, Buffer.of(random.below(256))]),
      );
      return [changes, 'refuse'];
    },
  },
  {
    name: 'the certificate as PEM',
    apply: ({ headers }) => {
      const pem = (value: string) =>
        Buffer.from(new X509Certificate(Buffer.from(value, 'base64')).toString()).toString('base64');
      return [{ headers: withHeader(headers, 'TPP-Signature-Certificate', pem) }, 'accept'];
    },
  },
  {
    name: 'a character of the certificate header',
    apply: ({ headers }, random) => {
      const changed = withHeader(headers, 'TPP-Signature-Certificate', (value) => editOnce(value, random));
      const der = Buffer.from(valueOf(changed, 'TPP-Signature-Certificate'), 'base64');
      return [{ headers: changed }, (trust) => trust === 'any' && !saysSelfSigned(der)];
    },
  },
];
