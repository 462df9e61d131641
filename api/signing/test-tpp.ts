import { createHash } from 'node:crypto';
import { randomIds } from '../../engine/bank/ids.ts';
import type { Instant } from '../../engine/values/instant.ts';
import {
  type CertificateRequest,
  generateKey,
  isOutside,
  issueCertificate,
  type Validity,
  validity,
} from './certificate/issue-certificate.ts';
import { keepNewest } from '../../engine/values/lists.ts';
import type { Credentials } from './signature/sign-request.ts';

/** Headers that the signer sets; a caller cannot. In lower case. */
export const signersOwn: readonly string[] = ['date', 'digest', 'signature', 'tpp-signature-certificate'];

/** The organizationIdentifier of a test TPP, derived from its name: the same name is the same TPP (rules.md G8). */
export function testTppId(name: string): string {
  const digits = createHash('sha256').update(name).digest().readUInt32BE() % 1_000_000_000;
  return `PSDNO-FSA-${String(digits).padStart(9, '0')}`;
}

/** Names of test TPPs: they are part of file names and paths. */
export const testTppName = /^[A-Za-z0-9-]{1,60}$/;

/**
 * The certificate of a test TPP: self-signed, both roles, valid from yesterday for a year, by all the clocks given. The
 * identifier comes from the name, so that the bank recognises the TPP after its certificate was replaced (rules.md G8).
 */
export function testTppRequest(name: string, now: Instant | readonly Instant[]): CertificateRequest {
  return {
    commonName: name,
    organization: `Test-TPP ${name}`,
    organizationIdentifier: testTppId(name),
    roles: ['PSP_AI', 'PSP_PI'],
    ...validity(now, 365),
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
 * Default headers of a test TPP's request, by lower-case name. `target` is a path, with or without its query;
 * `redirectUri` is left out where nobody opens a page.
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

type Issuer = NonNullable<CertificateRequest['issuer']>;

interface Held {
  readonly credentials: Credentials;
  /** Null means for as long as the process lives, also when its certificate has expired. */
  readonly validity: Validity | null;
}

/**
 * Maximum number of TPPs in the cache. Beyond it the least recently used TPP is dropped, and made again when needed.
 */
const maxTpps = 1_000;

/**
 * The throw-away TPPs of this process, by name: the TPPs that the unsigned door signs as, in every bank. Their
 * certificates and keys are new in each process; their identifiers follow from their names, so that each stays the same
 * TPP (rules.md G8).
 */
export class ThrowAwayTpps {
  readonly #issuer: () => Promise<Issuer>;
  /** The one asked for longest ago first. */
  readonly #held = new Map<string, Promise<Held>>();

  /** `issuer` gives the sandbox CA. */
  constructor(issuer: () => Promise<Issuer>) {
    this.#issuer = issuer;
  }

  /**
   * The TPP of that name, which {@link testTppName} must fit: as it was put, else made when first asked for, with both
   * roles, issued by the sandbox CA for a year by the wall clock. Rejects with the error of the CA; the next call tries
   * again.
   */
  async get(name: string, now: Instant): Promise<Credentials> {
    const { credentials, validity } = await (this.#held.get(name) ?? this.#make(name, now));
    if (validity !== null && isOutside(validity, [now])) {
      // Banks whose clocks are far apart share it.
      return (await this.#make(name, [now, validity.validFrom, validity.validTo])).credentials;
    }
    const held = this.#held.get(name);
    if (held !== undefined) this.#hold(name, held);
    return credentials;
  }

  /** Replaces the certificate and key of the TPP of that name, with whatever roles and faults they have. */
  put(name: string, credentials: Credentials): void {
    this.#hold(name, Promise.resolve({ credentials, validity: null }));
  }

  #make(name: string, now: Instant | readonly Instant[]): Promise<Held> {
    const made = this.#issue(name, now);
    this.#hold(name, made);
    made.catch(() => {
      if (this.#held.get(name) === made) this.#held.delete(name);
    });
    return made;
  }

  async #issue(name: string, now: Instant | readonly Instant[]): Promise<Held> {
    const request = testTppRequest(name, now);
    const [issuer, keyPem] = await Promise.all([this.#issuer(), generateKey()]);
    const { certificatePem: certificate, keyPem: key } = issueCertificate({ ...request, keyPem, issuer });
    return { credentials: { certificate, key }, validity: request };
  }

  #hold(name: string, held: Promise<Held>): void {
    keepNewest(this.#held, name, held, maxTpps);
  }
}
