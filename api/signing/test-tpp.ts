import { createHash } from 'node:crypto';
import { randomIds } from '../../engine/bank/ids.ts';
import type { Instant } from '../../engine/values/instant.ts';
import type { CertificateRequest } from './certificate/issue-certificate.ts';

/** Headers that the signer sets; a caller cannot. In lower case. */
export const signersOwn: readonly string[] = ['date', 'digest', 'signature', 'tpp-signature-certificate'];

/** The organizationIdentifier of a test TPP, derived from its name: the same name is the same TPP (rules.md G8). */
export function testTppId(name: string): string {
  const digits = createHash('sha256').update(name).digest().readUInt32BE() % 1_000_000_000;
  return `PSDNO-FSA-${String(digits).padStart(9, '0')}`;
}

/** Names of test TPPs: they are part of file names and paths. */
export const testTppName = /^[A-Za-z0-9-]{1,60}$/;

const day = 86_400_000;

/**
 * The certificate of a test TPP: self-signed, both roles, valid from yesterday for a year. The identifier comes from the
 * name, so that the bank recognises the TPP after its certificate was replaced (rules.md G8).
 */
export function testTppRequest(name: string, now: Instant): CertificateRequest {
  return {
    commonName: name,
    organization: `Test-TPP ${name}`,
    organizationIdentifier: testTppId(name),
    roles: ['PSP_AI', 'PSP_PI'],
    validFrom: (now - day) as Instant,
    validTo: (now + 365 * day) as Instant,
  };
}

/**
 * The redirect address of a test TPP: it has no page, so the bank at `server` that a path names shows one
 * (control-plane.md: `/sandbox/landed`).
 */
export function landingOf(server: string, path: string): string {
  const [bank = ''] = /^\/banks\/[^/?]+/.exec(path) ?? [];
  return `${server}${bank}/sandbox/landed`;
}

/**
 * Default headers of a test TPP's request, by lower-case name. `target` is a path, with or without its query; `redirectUri`
 * is left out where nobody opens a page.
 */
export function usualHeaders(
  method: string,
  target: string,
  body: Buffer,
  redirectUri = 'https://tpp.example/callback',
): Record<string, string> {
  const isPeriodic = method === 'POST' && /\/v1\/periodic-payments\/[^/]+$/.test(target);
  const ofPsu = {
    'tpp-redirect-uri': redirectUri,
    'psu-ip-address': '127.0.0.1',
    'tpp-session-id': randomIds.uuid(),
  };
  return {
    accept: 'application/json',
    ...(body.length > 0 && { 'content-type': 'application/json' }),
    ...(!target.includes('/v1/sandbox/') && ofPsu),
    ...(isPeriodic && { 'x-accept-fix': 'none' }),
  };
}
