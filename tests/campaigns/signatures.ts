import type { SignedRequest } from '../../api/signing/signature/signing-string.ts';
import { createSignatureCheck, type SignatureCheck } from '../../api/signing/signature-check.ts';
import { systemClock } from '../../engine/time/clock.ts';
import { Refusal } from '../../engine/values/fault.ts';
import type { Instant } from '../../engine/values/instant.ts';
import { exchange } from '../lab/exchange.ts';
import { startTestBank } from '../lab/server.ts';
import { type Campaign, demand, type Soak, Violation } from './campaign.ts';
import { type Mutation, mutations, type Parts, signAfresh, signers, type Trust } from './signature-mutations.ts';
import { validRequest, validSigners } from './valid-requests.ts';

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
export const signatures: Campaign<typeof createSignatureCheck> = { unit: 'requests', usualCount: 110_000, run };

async function run(soak: Soak, makeCheck = createSignatureCheck): Promise<void> {
  const issued = signers();
  const checksOf = (isStrict: boolean): Record<Trust, SignatureCheck> => ({
    any: makeCheck({ trust: 'any', isStrict }),
    ca: makeCheck({ trust: 'ca', trustedCas: [issued.authority.certificatePem], isStrict }),
  });
  const [checks, strictly] = [checksOf(false), checksOf(true)];
  const { address, stop } = await startTestBank('2027-03-24');
  soak.after(stop);
  const { random, tally } = soak;
  const valid = validSigners();
  let signedAt = systemClock.now();
  let signed = signAfresh(issued, signedAt);
  await soak.each(async (index) => {
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
