import fc from 'fast-check';
import { createHash, createPrivateKey, sign } from 'node:crypto';
import type { SignedRequest } from '../../api/signing/signature/signing-string.ts';
import { type SignatureCheck, createSignatureCheck } from '../../api/signing/signature-check.ts';
import { systemClock } from '../../engine/time/clock.ts';
import { Refusal } from '../../engine/values/fault.ts';
import type { Instant } from '../../engine/values/instant.ts';
import { exchange } from '../lab/exchange.ts';
import { startTestBank } from '../lab/server.ts';
import { type Campaign, type Search, Violation, demand, drawn, patientLimits } from './campaign.ts';
import {
  type Mutation,
  type Parts,
  type Trust,
  endless,
  mutations,
  signAfresh,
  signers,
} from './signature-mutations.ts';
import { issueCertificate } from '../../api/signing/certificate/issue-certificate.ts';
import type { Seeded } from '../lab/seeded.ts';

/** One request in this many is generated and valid; the others are mutated: 10,000 beside 100,000. */
const validEvery = 11;
/** One request in this many also goes to a whole server. */
const httpEvery = 100;
/** How long a signed request is used, in ms: its Date is valid for a minute. */
const signedMs = 20_000;
const signingCodes = /^(?:SIGNATURE|CERTIFICATE|TIMESTAMP|ROLE)_/;

/**
 * Generates valid requests, which the check must accept under strict-signing too, so that none is "accepted, but" (rules.md G3b),
 * and mutates validly signed ones in one place each. The check must refuse every change, except another spelling of the same
 * value (G3), which the check of strict-signing refuses. Every hundredth request also goes to a server.
 */
export const signatures: Campaign<typeof createSignatureCheck> = run;

async function run(search: Search, makeCheck = createSignatureCheck): Promise<void> {
  const issued = signers();
  const checksOf = (isStrict: boolean): Record<Trust, SignatureCheck> => ({
    any: makeCheck({ trust: 'any', isStrict }),
    ca: makeCheck({ trust: 'ca', trustedCas: [issued.authority.certificatePem], isStrict }),
  });
  const [checks, strictly] = [checksOf(false), checksOf(true)];
  const { address, stop } = await startTestBank('2027-03-24', [], { limits: patientLimits });
  search.after(stop);
  const { random, tally } = search;
  const valid = validSigners();
  let signedAt = systemClock.now();
  let signed = signAfresh(issued, signedAt);
  await search.each(async (index) => {
    const now = systemClock.now();
    if (index % validEvery === 0) {
      const request = validRequest(random.pick(valid), random, now);
      const verdict = await verdictOf(strictly.any, request, now);
      demand(verdict === 'accepted', () => `refused, and it is valid: ${verdict}: ${formatted(request)}`);
      return tally('generated and valid: accepted, without a leniency');
    }
    if (now - signedAt > signedMs) [signedAt, signed] = [now, signAfresh(issued, now)];
    const trust = random.pick<Trust>(['any', 'ca']);
    const mutation = random.pick(mutations);
    const [name, wanted, change] = mutation;
    const parts = signed[trust];
    const changed = { ...parts, ...change(parts, random) };
    const request = { ...changed, rawHeaders: changed.headers.flat() };
    const verdict = await verdictOf(checks[trust], request, now);
    tally(`${name}: ${verdict}`);
    const isAccepted = verdict === 'accepted';
    const isRight =
      typeof wanted === 'function'
        ? !isAccepted || wanted(trust, changed, parts)
        : isAccepted === (wanted !== 'refuse');
    const told = (): string => `with trust ${trust}: ${name}: ${formatted(request)}`;
    demand(isRight, () => `${isAccepted ? 'accepted' : 'refused'} ${told()}`);
    if (wanted === 'promised' || wanted === 'lenient') {
      const isPromised = wanted === 'promised' || spelling(changed) === spelling(parts);
      const strict = await verdictOf(strictly[trust], request, now);
      tally(`${name}, strictly: ${strict}`);
      demand(isPromised === (strict === 'accepted'), () => `${strict} under strict-signing, ${told()}`);
    }
    if (index % httpEvery === 0 && trust === 'any') tally(`over HTTP: ${await sendIt(address, mutation, changed)}`);
  });
}

/** The headers that a client may spell otherwise, as text. */
function spelling({ headers }: Parts): string {
  const spelled = ['Digest', 'Signature', 'TPP-Signature-Certificate'];
  return headers.flatMap(([name, value]) => (spelled.includes(name) ? [value] : [])).join('\n');
}

function formatted({ method, target, rawHeaders, body }: SignedRequest): string {
  return JSON.stringify({ method, target, rawHeaders, body: Buffer.from(body).toString('base64') });
}

/** `accepted`, or the code of the refusal. */
async function verdictOf(check: SignatureCheck, request: SignedRequest, now: Instant): Promise<string> {
  try {
    await check(request, now, null);
    return 'accepted';
  } catch (error) {
    if (error instanceof Refusal) return error.faults[0].code;
    throw new Violation(`${String(error)} instead of a refusal, for ${formatted(request)}`);
  }
}

/** The status of a whole server; `not sent` for headers that Node's client refuses. */
async function sendIt(address: string, [name, wanted]: Mutation, parts: Parts): Promise<string> {
  const { method, target, body } = parts;
  const byName = Map.groupBy(parts.headers, ([header]) => header.toLowerCase()).values();
  const headers = Object.fromEntries([...byName].map((same) => [same[0]?.[0], same.map(([, value]) => value)]));
  const sent = { method, headers: { ...headers, 'content-type': 'application/json' }, body };
  const answer = await exchange(address + target, sent).catch(() => null);
  if (answer === null) return 'not sent';
  const { status, text } = answer;
  const code = /"code":"(\w+)"/.exec(text)?.[1] ?? '';
  const isRefused = status >= 400 && status < 500 && code !== '';
  const isAcceptable = wanted === 'promised' || wanted === 'lenient';
  const isRight = isRefused ? !isAcceptable || !signingCodes.test(code) : wanted !== 'refuse' && status < 400;
  demand(isRight, () => `over HTTP: ${status} ${code} for ${name}: ${JSON.stringify(headers)}`);
  return String(status);
}

const organizations = ['Test TPP', 'Test TPP, AS', 'Blåbær & Sønn ASA', 'A "quoted" + name\\', '#1 <TPP>; AS'] as const;

/** A TPP that signs by hand: nothing of the bank's own signer is used. */
type ValidSigner = ReturnType<typeof validSigners>[number];

/** TPPs with names that need escapes, and with keys of three sizes. */
function validSigners() {
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
function validRequest({ certificate, key }: ValidSigner, random: Seeded, now: Instant): SignedRequest {
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
