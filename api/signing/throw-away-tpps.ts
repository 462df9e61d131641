import type { Instant } from '../../engine/values/instant.ts';
import { keepNewest } from '../../engine/values/lists.ts';
import { generateKey } from './certificate/generate-key.ts';
import { type CertificateRequest, issueCertificate } from './certificate/issue-certificate.ts';
import type { Credentials } from './signature/sign-request.ts';
import { testTppRequest } from './test-tpp.ts';

type Issuer = NonNullable<CertificateRequest['issuer']>;

interface Held {
  readonly credentials: Credentials;
  /** Null: for as long as the process lives, also when its certificate has expired. */
  readonly validity: Pick<CertificateRequest, 'validFrom' | 'validTo'> | null;
}

/** Maximum number of TPPs that are held. Beyond it the one that was asked for longest ago is forgotten, and made anew when needed. */
const maxTpps = 1_000;

/**
 * The throw-away TPPs of this process, by name: the TPPs that the unsigned door signs as, in every bank. Their certificates
 * and keys are new in each process; their identifiers follow from their names, so that each stays the same TPP (rules.md G8).
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
   * The TPP of that name, which {@link testTppName} must fit: as it was put, else made when first asked for, with both roles,
   * issued by the sandbox CA for a year by the wall clock. Rejects with the error of the CA; the next call tries again.
   */
  async get(name: string, now: Instant): Promise<Credentials> {
    const { credentials, validity } = await (this.#held.get(name) ?? this.#make(name, now));
    if (validity !== null && (now < validity.validFrom || now >= validity.validTo)) {
      return (await this.#make(name, now)).credentials;
    }
    const held = this.#held.get(name);
    if (held !== undefined) this.#hold(name, held);
    return credentials;
  }

  /** Replaces the certificate and key of the TPP of that name, with whatever roles and faults they have. */
  put(name: string, credentials: Credentials): void {
    this.#hold(name, Promise.resolve({ credentials, validity: null }));
  }

  #make(name: string, now: Instant): Promise<Held> {
    const made = this.#issue(name, now);
    this.#hold(name, made);
    made.catch(() => {
      if (this.#held.get(name) === made) this.#held.delete(name);
    });
    return made;
  }

  async #issue(name: string, now: Instant): Promise<Held> {
    const request = testTppRequest(name, now);
    const [issuer, keyPem] = await Promise.all([this.#issuer(), generateKey()]);
    const { certificatePem: certificate, keyPem: key } = issueCertificate({ ...request, keyPem, issuer });
    return { credentials: { certificate, key }, validity: request };
  }

  #hold(name: string, held: Promise<Held>): void {
    keepNewest(this.#held, name, held, maxTpps);
  }
}
