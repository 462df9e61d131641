import fc from 'fast-check';
import { createHash, createPrivateKey, sign } from 'node:crypto';
import { issueCertificate, validity } from '../../api/signing/certificate/issue-certificate.ts';
import type { SignedRequest } from '../../api/signing/signature/signing-string.ts';
import { type SignatureCheck, createSignatureCheck } from '../../api/signing/signature-check.ts';
import { systemClock } from '../../engine/time/clock.ts';
import { Refusal } from '../../engine/values/fault.ts';
import type { Instant } from '../../engine/values/instant.ts';
import { namelessTpp } from '../lab/certificates.ts';
import { type Answered, exchange } from '../lab/exchange.ts';
import type { Seeded } from '../lab/seeded.ts';
import { startTestBank } from '../lab/server.ts';
import { type Campaign, Violation, demand, drawn } from './campaign.ts';
import { type Parts, type Trust, mutations, signAfresh, signers } from './signature-mutations.ts';

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
export const signatures: Campaign<typeof createSignatureCheck> = async (search, makeCheck = createSignatureCheck) => {
  const issued = signers();
  const checksOf = (isStrict: boolean): Record<Trust, SignatureCheck> => ({
    any: makeCheck({ trust: 'any', isStrict }),
    ca: makeCheck({ trust: 'ca', trustedCas: [issued.authority.certificatePem], isStrict }),
  });
  const [checks, strictly] = [checksOf(false), checksOf(true)];
  const { address, stop } = await startTestBank('2027-03-24');
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
    const [name, wanted, change] = random.pick(mutations);
    const parts = signed[trust];
    const changed = { ...parts, ...change(parts, random) };
    const request = { ...changed, rawHeaders: changed.headers.flat() };
    const told = (): string => `with trust ${trust}: ${name}: ${formatted(request)}`;
    const verdict = await verdictOf(checks[trust], request, now);
    tally(`${name}: ${verdict}`);
    const isAccepted = verdict === 'accepted';
    if (typeof wanted === 'function') demand(!isAccepted || wanted(trust, changed, parts), () => `accepted ${told()}`);
    else demand(isAccepted === (wanted !== 'refuse'), () => `${isAccepted ? 'accepted' : 'refused'} ${told()}`);
    if (wanted === 'promised' || wanted === 'lenient') {
      const isPromised = wanted === 'promised' || spelling(changed) === spelling(parts);
      const strict = await verdictOf(strictly[trust], request, now);
      tally(`${name}, strictly: ${strict}`);
      demand(isPromised === (strict === 'accepted'), () => `${strict} under strict-signing, ${told()}`);
    }
    if (index % httpEvery > 0 || trust === 'ca') return;
    const answer = await sent(address, changed);
    tally(`over HTTP: ${answer?.status ?? 'not sent'}`);
    if (answer === null) return;
    const code = /"code":"(\w+)"/.exec(answer.text)?.[1] ?? '';
    const isRefused = answer.status >= 400 && answer.status < 500 && code !== '';
    // What the check accepts may be refused for another reason.
    const isRight = isAccepted ? answer.status < 400 || (isRefused && !signingCodes.test(code)) : isRefused;
    demand(isRight, () => `over HTTP: ${answer.status} ${code}, and ${verdict} ${told()}`);
  });
};

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

/** What a whole server answers; null if Node's client refuses the headers. */
function sent(address: string, { method, target, headers, body }: Parts): Promise<Answered | null> {
  const byName = Map.groupBy(headers, ([header]) => header.toLowerCase()).values();
  const together = [...byName].map((same) => [same[0]?.[0], same.map(([, value]) => value)]);
  const all = { ...Object.fromEntries(together), 'content-type': 'application/json' };
  return exchange(address + target, { method, headers: all, body }).catch(() => null);
}

const organizations = ['Test TPP', 'Test TPP, AS', 'Blåbær & Sønn ASA', 'A "quoted" + name\\', '#1 <TPP>; AS'] as const;

/** A TPP that signs by hand: nothing of the bank's own signer is used. */
type ValidSigner = ReturnType<typeof validSigners>[number];

/** TPPs with names that need escapes, and with keys of three sizes. */
function validSigners() {
  return organizations.map((organization, at) => {
    const certificate = issueCertificate({
      ...namelessTpp,
      ...validity(systemClock.now(), 365),
      organization,
      ...(at % 2 === 0 && { organizationIdentifier: `PSDNO-FSA-98765432${at}` }),
      serial: (0xabcdef0123n ** BigInt(1 + (at % 3))).toString(16),
      key: ([2048, 2048, 3072, 4096] as const)[at] ?? 2048,
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

const bytes = fc.uint8Array({ minLength: 1, maxLength: 300, size: 'max' });
/** Printable characters, those of ISO-8859-1 included, without blanks at the ends. */
const text = fc
  .string({ unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)), maxLength: 40 })
  .map((all) => all.replace(/[\x7f-\xa0]/g, '').trim());

/** A request that the interface promises to accept: any headers, bodies and orders, rightly signed. */
function validRequest({ certificate, key }: ValidSigner, random: Seeded, now: Instant): SignedRequest {
  const perhaps = (value: fc.Arbitrary<string>): string | null => drawn(random, fc.option(value, { freq: 1 }));
  const method = random.pick(['GET', 'POST', 'PUT', 'DELETE']);
  const target = random.pick(targets);
  const body = Buffer.from(random.below(2) === 0 ? [] : drawn(random, bytes));
  const algorithm = random.pick(['SHA-256', 'SHA-256', 'SHA-512', body.length > 0 ? 'SHA-256' : null]);
  const hash = algorithm && createHash(algorithm.replace('-', '')).update(body).digest('base64');
  const rest = perhaps(text);
  const covered = present({
    Date: new Date(now + random.below(2 * maxDeviation) - maxDeviation).toUTCString(),
    'X-Request-ID': drawn(random, fc.uuid()),
    Digest: algorithm && `${algorithm}=${hash}`,
    'PSU-ID': perhaps(fc.uuid()),
    'PSU-Corporate-ID': perhaps(fc.oneof(fc.uuid(), fc.constant(''))),
    'TPP-Redirect-URI': rest && `https://tpp.example/${rest}`,
  });
  const lines = covered.map(([name, value]) => [name.toLowerCase(), value.trim()] as const);
  if (random.below(2) === 0) lines.push(['(request-target)', `${method.toLowerCase()} ${target}`]);
  const signed = shuffled(random, lines);
  const signing = signed.map(([name, value]) => `${name}: ${value}`).join('\n');
  const signature = sign('RSA-SHA256', Buffer.from(signing, 'latin1'), key).toString('base64');
  const keyId = `SN=${certificate.serialHex},CA=${certificate.issuerDn}`;
  const names = signed.map(([name]) => name).join(' ');
  const header = `keyId="${keyId}",algorithm="rsa-sha256",headers="${names}",signature="${signature}"`;
  const isWrapped = random.below(2) === 0 || /[^ -~]/.test(header);
  const others = present({
    'X-Note': perhaps(text),
    'TPP-Signature-Certificate': certificate.certificateBase64,
    Signature: isWrapped ? `=?utf-8?B?${Buffer.from(header).toString('base64')}?=` : header,
  });
  return { method, target, rawHeaders: shuffled(random, [...covered, ...others]).flat(), body };
}

function present(headers: Readonly<Record<string, string | null>>): (readonly [name: string, value: string])[] {
  return Object.entries(headers).flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]));
}

function shuffled<Item>(random: Seeded, items: readonly Item[]): Item[] {
  return drawn(random, fc.shuffledSubarray([...items], { minLength: items.length }));
}
