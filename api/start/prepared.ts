/** The results of a build, which save work at a start (scripts/build/prepare.ts). */
export interface Prepared {
  /** SHA-256 of each file that passed its checks, in hex. */
  readonly checked: readonly string[];
  /** The seeded ledger of a bank with the usual settings; `image` is packed with Zstandard, as base64. */
  readonly ledger: { readonly fingerprint: string; readonly image: string };
  /** What TPPs of tests sign with in banks that nobody else reaches. Anybody can read these keys in the package. */
  readonly ofTests: {
    /** PKCS#8 in DER, as base64. The first is that of the TPP that a test does not name. */
    readonly keys: readonly string[];
    /** The certificate of the first, PEM. */
    readonly certificate: string;
  };
  /** Differs from build to build. */
  readonly build?: string;
}

/** Null in the sources. A build replaces this module by one with its own. */
export const prepared: Prepared | null = null;
