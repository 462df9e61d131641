/** The results of a build, which save work at a start (scripts/build/prepare.ts). */
export interface Prepared {
  /** SHA-256 of each file that passed its checks, in hex. */
  readonly checked: readonly string[];
  /** The seeded ledger of a bank with the usual settings; `image` is packed with Zstandard, as base64. */
  readonly ledger: { readonly fingerprint: string; readonly image: string };
  /** Differs from build to build. */
  readonly build?: string;
}

/** Null in the sources. A build replaces this module by one with its own. */
export const prepared: Prepared | null = null;
