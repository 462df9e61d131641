/** Kinds of values that `--keep` leaves as they are. Ids and tokens are always replaced. */
export const keepable = ['accounts', 'addresses', 'amounts', 'identity-numbers', 'names', 'texts'] as const;
export type Keepable = (typeof keepable)[number];
