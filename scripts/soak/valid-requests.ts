import { createHash, createPrivateKey, type KeyObject, sign } from 'node:crypto';
import type { Instant } from '../../engine/values/instant.ts';
import { type IssuedCertificate, issueCertificate } from '../../api/signing/certificate/issue-certificate.ts';
import type { SignedRequest } from '../../api/signing/signature/signing-string.ts';
import type { Seeded } from '../../lab/seeded.ts';

/** A TPP that signs by hand: nothing of the bank's own signer is used. */
export interface ValidSigner {
  readonly certificate: IssuedCertificate;
  readonly key: KeyObject;
}

const valid = { validFrom: 0 as Instant, validTo: Date.UTC(9999, 0, 1) as Instant };
const organizations = ['Test TPP', 'Test TPP, AS', 'Blåbær & Sønn ASA', 'A "quoted" + name\\', '#1 <TPP>; AS'] as const;

/** TPPs with names that need escapes, and with keys of two sizes. */
export function validSigners(): readonly [ValidSigner, ...ValidSigner[]] {
  const signer = (organization: string, at: number): ValidSigner => {
    const certificate = issueCertificate({
      commonName: 'tpp.example',
      organization,
      ...(at % 2 === 0 && { organizationIdentifier: `PSDNO-FSA-98765432${at}` }),
      roles: ['PSP_AI', 'PSP_PI'],
      serial: (0xabcdef0123n ** BigInt(1 + (at % 3))).toString(16),
      key: at === 1 ? 3072 : 2048,
      ...valid,
    });
    return { certificate, key: createPrivateKey(certificate.keyPem) };
  };
  const [first, ...others] = organizations;
  return [signer(first, 0), ...others.map((name, at) => signer(name, at + 1))];
}

const targets = [
  '/v1/payments/norwegian-domestic-credit-transfers',
  '/v1/accounts',
  "/v1/accounts/a%20b/transactions?dateFrom=2027-01-01&bookingStatus=both&x=!*'()",
  '/api-sandbox/v1/consents?',
  '/v1/payments/norwegian-domestic-credit-transfers/enc!!abc==/status',
] as const;
const mostDeviation = 55_000;

/** A request that the interface promises to accept: any headers, bodies and orders, rightly signed. */
export function validRequest({ certificate, key }: ValidSigner, random: Seeded, now: Instant): SignedRequest {
  const method = random.pick(['GET', 'POST', 'PUT', 'DELETE']);
  const target = random.pick(targets);
  const hasBody = method === 'POST' || method === 'PUT' || random.below(5) === 0;
  const body = hasBody ? someBytes(random) : Buffer.alloc(0);
  const covered: (readonly [string, string])[] = [
    ['Date', new Date(now + random.below(2 * mostDeviation) - mostDeviation).toUTCString()],
    ['X-Request-ID', uuid(random)],
    ...(body.length > 0 || random.below(3) === 0 ? [['Digest', digestOf(body, random)] as const] : []),
    ...(random.below(2) === 0 ? [['PSU-ID', uuid(random)] as const] : []),
    ...(random.below(3) === 0 ? [['PSU-Corporate-ID', random.pick([uuid(random), ''])] as const] : []),
    ...(random.below(2) === 0 ? [['TPP-Redirect-URI', `https://tpp.example/${someText(random)}`] as const] : []),
  ];
  const others: (readonly [string, string])[] = [
    ...(random.below(2) === 0 ? [['X-Note', someText(random)] as const] : []),
    ...(random.below(4) === 0 ? [['Content-Type', 'application/json'] as const] : []),
  ];
  const values = new Map(covered.map(([name, value]) => [name.toLowerCase(), value.trim()]));
  const named = [...values.keys(), ...(random.below(2) === 0 ? ['(request-target)'] : [])];
  const names = shuffled(named, random);
  const lines = names.map(
    (name) =>
      `${name}: ${name === '(request-target)' ? `${method.toLowerCase()} ${target}` : (values.get(name) ?? '')}`,
  );
  const signature = sign('RSA-SHA256', Buffer.from(lines.join('\n'), 'latin1'), key).toString('base64');
  const keyId = `SN=${certificate.serialHex},CA=${certificate.issuerDn}`;
  const header = `keyId="${keyId}",algorithm="rsa-sha256",headers="${names.join(' ')}",signature="${signature}"`;
  const wrapped = /[^ -~]/.test(header) || random.below(4) === 0;
  const headers = [
    ...covered,
    ...others,
    ['TPP-Signature-Certificate', certificate.certificateBase64] as const,
    ['Signature', wrapped ? `=?utf-8?B?${Buffer.from(header).toString('base64')}?=` : header] as const,
  ];
  return { method, target, rawHeaders: shuffled(headers, random).flat(), body };
}

function digestOf(body: Buffer, random: Seeded): string {
  const one = (name: 'SHA-256' | 'SHA-512'): string =>
    `${name}=${createHash(name.replace('-', '')).update(body).digest('base64')}`;
  return random.pick([one('SHA-256'), one('SHA-256'), one('SHA-512')]);
}

function someBytes(random: Seeded): Buffer {
  const bytes = Buffer.alloc(1 + random.below(300));
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = random.below(256);
  return bytes;
}

/** Printable characters, those of ISO-8859-1 included, without blanks at the ends. */
function someText(random: Seeded): string {
  const character = (): string =>
    String.fromCharCode(random.pick([0x21 + random.below(0x5e), 0xa1 + random.below(0x5f), 0x20]));
  return Array.from({ length: 1 + random.below(40) }, character)
    .join('')
    .trim();
}

function uuid(random: Seeded): string {
  const hex = Array.from({ length: 32 }, () => random.below(16).toString(16)).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

function shuffled<Item>(items: readonly Item[], random: Seeded): Item[] {
  const left = [...items];
  const order: Item[] = [];
  while (left.length > 0) order.push(...left.splice(random.below(left.length), 1));
  return order;
}
