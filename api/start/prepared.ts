/** What a build has done in advance, so that a start need not (scripts/bundle/prepare.ts). */
export interface Prepared {
  /** The text of the file of each kind that passed its checks. */
  readonly checked: Readonly<Record<FixturesKind, string>>;
  /** The seeded ledger of a bank with the usual settings; `image` is packed with Zstandard, as base64. */
  readonly ledger: { readonly fingerprint: string; readonly image: string };
}

/** The kinds of JSON files that a bank starts from. */
export type FixturesKind = 'known-state' | 'exchange-rates' | 'fees';

/** Null in the sources: a bundle has a module with its own in the place of this one. */
export const prepared: Prepared | null = null;
