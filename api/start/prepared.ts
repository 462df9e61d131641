/** The results of a build, which save work at a start (scripts/bundle/prepare.ts). */
export interface Prepared {
  /** The text of the file of each kind that passed its checks. */
  readonly checked: Readonly<Record<FixturesKind, string>>;
  /** The seeded ledger of a bank with the usual settings; `image` is packed with Zstandard, as base64. */
  readonly ledger: { readonly fingerprint: string; readonly image: string };
}

/** The kinds of JSON files that a bank starts from. */
export type FixturesKind = 'known-state' | 'exchange-rates' | 'fees';

/** Null in the sources. A bundle replaces this module by one with its own. */
export const prepared: Prepared | null = null;
