import type { Psd2Role } from './psd2-roles.ts';

/** Who signed a request, as the certificate says. */
export interface Tpp {
  /** rules.md G8: the organizationIdentifier, or, without one, issuer and subject. */
  readonly id: string;
  /** What a PSU is shown: the organisation, else the common name. */
  readonly name: string;
  /** Null: the certificate states none. */
  readonly roles: ReadonlySet<Psd2Role> | null;
  /** Upper-case hexadecimal without leading zeros, as the interface's keyId has it. */
  readonly serial: string;
  readonly organizationIdentifier: string | null;
  /** SHA-256 of the DER, lower-case hexadecimal. */
  readonly certificateFingerprint: string;
}
