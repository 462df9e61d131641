import { createHash, createPrivateKey, sign } from 'node:crypto';
import fc from 'fast-check';
import { issueCertificate } from '../../api/signing/certificate/issue-certificate.ts';
import type { SignedRequest } from '../../api/signing/signature/signing-string.ts';
import type { Instant } from '../../engine/values/instant.ts';
import type { Seeded } from '../lab/seeded.ts';
import { drawn } from './campaign.ts';
import { endless } from './signature-mutations.ts';

const organizations = ['Test TPP', 'Test TPP, AS', 'Blåbær & Sønn ASA', 'A "quoted" + name\\', '#1 <TPP>; AS'] as const;

/** A TPP that signs by hand: nothing of the bank's own signer is used. */
type ValidSigner = ReturnType<typeof validSigners>[number];

/** TPPs with names that need escapes, and with keys of three sizes. */
export function validSigners() {
  return organizations.map((organization, at) => {
    const certificate = issueCertificate({
      commonName: 'tpp.example',
      organization,
      ...(at % 2 === 0 && { organizationIdentifier: `PSDNO-FSA-98765432${at}` }),
      roles: ['PSP_AI', 'PSP_PI'],
      serial: (0xabcdef0123n ** BigInt(1 + (at % 3))).toString(16),
      key: ([2048, 2048, 3072, 4096] as const)[at] ?? 2048,
      ...endless,
    });
    return { certificate, key: createPrivateKey(certificate.keyPem) };
  });
}

const targets = [
  '/v1/payments/norwegian-domestic-credit-transfers',
  '/v1/accounts',
  "/v1/accounts/a%20b/transactions?dateFrom=2027-01-01&bookingStatus=both&x=!*'()",
  '/api-sandbox/v1/consents?',
  '/v1/payments/norwegian-domestic-credit-transfers/enc!!abc==/status',
] as const;

/** In ms. A Date is valid for a minute. */
const maxDeviation = 55_000;

/** Printable characters, those of ISO-8859-1 included, without blanks at the ends. */
const text = fc
  .string({ unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)), maxLength: 40 })
  .map((all) => all.replace(/[\x7f-\xa0]/g, '').trim());
const often = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> => fc.option(value, { freq: 1 });

/** Values of a request, without those that follow from others. Null: the header is left out. */
const request = fc.record({
  method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE'),
  target: fc.constantFrom(...targets),
  body: fc.oneof(fc.constant(new Uint8Array()), fc.uint8Array({ minLength: 1, maxLength: 300, size: 'max' })),
  deviation: fc.integer({ min: -maxDeviation, max: maxDeviation }),
  digest: fc.constantFrom('SHA-256', 'SHA-256', 'SHA-512', null),
  id: fc.uuid(),
  psu: often(fc.uuid()),
  corporation: often(fc.oneof(fc.uuid(), fc.constant(''))),
  redirect: often(text),
  note: often(text),
  isTyped: fc.boolean(),
  coversTarget: fc.boolean(),
  isWrapped: fc.boolean(),
});

/** A request that the interface promises to accept: any headers, bodies and orders, rightly signed. */
export function validRequest({ certificate, key }: ValidSigner, random: Seeded, now: Instant): SignedRequest {
  const { method, target, digest, ...values } = drawn(random, request);
  const body = Buffer.from(values.body);
  const algorithm = digest ?? (body.length > 0 ? 'SHA-256' : null);
  const hash = algorithm && createHash(algorithm.replace('-', '')).update(body).digest('base64');
  const covered = present({
    Date: new Date(now + values.deviation).toUTCString(),
    'X-Request-ID': values.id,
    Digest: algorithm && `${algorithm}=${hash}`,
    'PSU-ID': values.psu,
    'PSU-Corporate-ID': values.corporation,
    'TPP-Redirect-URI': values.redirect && `https://tpp.example/${values.redirect}`,
  });
  const lines = covered.map(([name, value]) => [name.toLowerCase(), value.trim()] as const);
  if (values.coversTarget) lines.push(['(request-target)', `${method.toLowerCase()} ${target}`]);
  const signed = shuffled(random, lines);
  const signing = signed.map(([name, value]) => `${name}: ${value}`).join('\n');
  const signature = sign('RSA-SHA256', Buffer.from(signing, 'latin1'), key).toString('base64');
  const keyId = `SN=${certificate.serialHex},CA=${certificate.issuerDn}`;
  const names = signed.map(([name]) => name).join(' ');
  const header = `keyId="${keyId}",algorithm="rsa-sha256",headers="${names}",signature="${signature}"`;
  const others = present({
    'X-Note': values.note,
    'Content-Type': values.isTyped ? 'application/json' : null,
    'TPP-Signature-Certificate': certificate.certificateBase64,
    Signature:
      values.isWrapped || /[^ -~]/.test(header) ? `=?utf-8?B?${Buffer.from(header).toString('base64')}?=` : header,
  });
  return { method, target, rawHeaders: shuffled(random, [...covered, ...others]).flat(), body };
}

function present(headers: Readonly<Record<string, string | null>>): (readonly [name: string, value: string])[] {
  return Object.entries(headers).flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]));
}

function shuffled<Item>(random: Seeded, items: readonly Item[]): Item[] {
  return drawn(random, fc.shuffledSubarray([...items], { minLength: items.length }));
}
