import { request as httpRequest } from 'node:http';
import { systemClock } from '../../engine/time/clock.ts';
import type { Instant } from '../../engine/values/instant.ts';
import type { SignedRequest } from '../../api/signing/signature/signing-string.ts';
import { Refusal } from '../../engine/values/fault.ts';
import { readConfig } from '../../api/start/config.ts';
import { startServer } from '../../api/hosting/server.ts';
import { createSignatureCheck, type SignatureCheck } from '../../api/signing/signature-check.ts';
import { validRequest, validSigners } from './valid-requests.ts';
import { Violation, type Campaign, type Soak } from './campaign.ts';
import { mutations, mutate, signAfresh, signers, type Mutated, type Signers } from './signature-mutations.ts';

/** One request in this many is generated and valid; the others are mutated: 10,000 beside 100,000. */
const validEvery = 11;
/** One request in this many also goes to a whole server. */
const sample = 100;
/** How long a signed request is used, in ms: its Date is valid for a minute. */
const fresh = 20_000;
const signingCodes = /^(?:SIGNATURE|CERTIFICATE|TIMESTAMP|ROLE)_/;

/** Mutations that the interface promises to accept. */
const promised = [
  'none',
  'a header of no matter, added',
  'names of headers in another case, in another order',
  'wrapped as RFC 2047 says',
];

/**
 * Generates valid requests, which the check must accept under strict-signing too, so that none is "accepted, but" (rules.md G3b),
 * and mutates validly signed ones in one place each. The check must refuse every change, except another spelling of the same
 * value (G3), which the check of strict-signing refuses. Every hundredth request also goes to a server.
 */
export function signatureCampaign(makeCheck: typeof createSignatureCheck = createSignatureCheck): Campaign {
  return {
    unit: 'requests',
    usualCount: 110_000,
    run: async (soak) => {
      const issued = signers();
      const trustedCas = [issued.authority.certificatePem];
      const checks = {
        any: makeCheck({ trust: 'any' }),
        ca: makeCheck({ trust: 'ca', trustedCas }),
        strictly: {
          any: makeCheck({ trust: 'any', isStrict: true }),
          ca: makeCheck({ trust: 'ca', trustedCas, isStrict: true }),
        },
      };
      const flags = ['--port', '0', '--ledger', ':memory:', '--log-level', 'silent'];
      const server = await startServer(readConfig({}, flags));
      try {
        await requests(soak, issued, checks, server.address);
      } finally {
        await server.stop();
      }
    },
  };
}

export const signatures = signatureCampaign();

type Checks = Record<'any' | 'ca', SignatureCheck>;

async function requests(soak: Soak, issued: Signers, checks: Checks & { readonly strictly: Checks }, address: string) {
  let signedAt = -Infinity;
  let signed = signAfresh(issued, systemClock.now());
  const valid = validSigners();
  for (let at = 0; at < soak.count; at += 1) {
    const now = systemClock.now();
    if (at % validEvery === 0) {
      await demandValid(validRequest(soak.random.pick(valid), soak.random, now), checks.strictly.any, now);
      soak.tally('generated and valid: accepted, without a leniency');
      soak.step();
      continue;
    }
    if (now - signedAt > fresh) [signedAt, signed] = [now, signAfresh(issued, now)];
    const trust = soak.random.pick<'any' | 'ca'>(['any', 'ca']);
    const mutation = soak.random.pick(mutations);
    const mutated = mutate(mutation, signed[trust], soak.random);
    const verdict = await runCheck(checks[trust], mutated, now);
    soak.tally(`${mutation.name}: ${verdict}`);
    demand(mutated, verdict === 'accepted', trust);
    if (verdict === 'accepted' && mutated.wanted === 'accept') {
      const isPromised =
        promised.includes(mutation.name) || spelling(mutated.request) === spelling(original(signed[trust]));
      const strictly = await runCheck(checks.strictly[trust], mutated, now);
      soak.tally(`${mutation.name}, strictly: ${strictly}`);
      if (isPromised !== (strictly === 'accepted')) throw notListed(mutated, strictly);
    }
    if (at % sample === 0 && trust === 'any') soak.tally(`over HTTP: ${await sendIt(address, mutated)}`);
    soak.step();
  }
}

function original({ headers }: ReturnType<typeof signAfresh>['any']): Pick<Mutated['request'], 'rawHeaders'> {
  return { rawHeaders: headers.flat() };
}

/** The headers that a client may spell otherwise, as text. */
function spelling({ rawHeaders }: Pick<Mutated['request'], 'rawHeaders'>): string {
  const spelled = ['Digest', 'Signature', 'TPP-Signature-Certificate'];
  return rawHeaders.filter((_value, at) => at % 2 === 1 && spelled.includes(rawHeaders[at - 1] ?? '')).join('\n');
}

function notListed({ name, request }: Mutated, verdict: string): Violation {
  return new Violation(`${verdict} under strict-signing: ${name}: ${JSON.stringify(request.rawHeaders)}`);
}

async function demandValid(request: SignedRequest, check: SignatureCheck, now: Instant): Promise<void> {
  try {
    await check(request, now, null);
  } catch (error) {
    const { method, target, rawHeaders, body } = request;
    const formatted = JSON.stringify({ method, target, rawHeaders, body: Buffer.from(body).toString('base64') });
    throw new Violation(`refused, and it is valid: ${String(error)}: ${formatted}`);
  }
}

async function runCheck(
  check: SignatureCheck,
  { request }: Mutated,
  now: ReturnType<typeof systemClock.now>,
): Promise<string> {
  try {
    await check(request, now, null);
    return 'accepted';
  } catch (error) {
    if (error instanceof Refusal) return error.faults[0].code;
    throw new Violation(`${String(error)} instead of a refusal, for ${JSON.stringify(request.rawHeaders)}`);
  }
}

/** Compares the result with what the mutation expects. */
function demand({ name, wanted, request }: Mutated, accepted: boolean, trust: 'any' | 'ca'): void {
  if (typeof wanted === 'string' ? accepted === (wanted === 'accept') : !accepted || wanted(trust)) return;
  const { method, target, rawHeaders, body } = request;
  const formatted = JSON.stringify({ method, target, rawHeaders, body: Buffer.from(body).toString('base64') });
  throw new Violation(`${accepted ? 'accepted' : 'refused'} with trust ${trust}: ${name}: ${formatted}`);
}

/** Sends the bytes over a socket, as Node's client refuses some headers. */
function sendIt(address: string, { name, wanted, request }: Mutated): Promise<string> {
  const { method, target, rawHeaders, body } = request;
  const url = new URL(address);
  return new Promise((resolve, reject) => {
    try {
      const headers = [
        ...rawHeaders,
        'Host',
        url.host,
        'Content-Type',
        'application/json',
        'Content-Length',
        String(body.length),
      ];
      const sent = httpRequest({ host: url.hostname, port: url.port, method, path: target, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.on('end', () => {
          const { statusCode: status = 0 } = response;
          const code = /"code":"(\w+)"/.exec(text)?.[1] ?? '';
          const refused = status >= 400 && status < 500 && code !== '';
          if (refused ? wanted === 'accept' && signingCodes.test(code) : wanted === 'refuse' || status >= 400) {
            reject(new Violation(`over HTTP: ${status} ${code} for ${name}: ${JSON.stringify(rawHeaders)}`));
          } else resolve(String(status));
        });
      });
      sent.on('error', reject);
      sent.end(body);
    } catch {
      resolve('not sent');
    }
  });
}
