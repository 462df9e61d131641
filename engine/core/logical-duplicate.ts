import type { Fault } from './fault.ts';

/** What two transfers of one debtor account and one execution date have in common when they are duplicates. */
export interface TransferLikeness {
  readonly creditorNumber: string;
  readonly currency: string;
  /** Minor units. */
  readonly amount: bigint;
}

/** For each transfer that an earlier one in the list is like: its place and that of the first such. */
export function duplicatesWithin(
  transfers: readonly TransferLikeness[],
): readonly { readonly index: number; readonly first: number }[] {
  const seen = new Map<string, number>();
  return transfers.flatMap(({ creditorNumber, currency, amount }, index) => {
    const key = `${creditorNumber} ${currency} ${amount}`;
    const first = seen.get(key);
    if (first === undefined) seen.set(key, index);
    return first === undefined ? [] : [{ index, first }];
  });
}

/**
 * The refusal of a logical duplicate (rules.md P7). `path` is where the transfer stands in the body, empty for the body
 * itself; `other` says what it is like, for the eyes of this TPP.
 */
export function logicalDuplicate(path: string, other: string): Fault {
  const text =
    `${path === '' ? 'This payment' : path} has the execution date, amount, debtor account and creditor account of ` +
    `${other}: a logical duplicate. Send allowLogicalDuplicate=true in the query when both are meant.`;
  const fault = { code: 'CONFLICT', place: 'payload', text } as const;
  return path === '' ? fault : { ...fault, path };
}
