import type { Fault } from '../../values/fault.ts';
import type { Amount } from '../../values/money.ts';

/** Two transfers of one debtor account and one execution date with the same key are logical duplicates (rules.md P7). */
export interface DuplicateKey {
  readonly creditorNumber: string;
  readonly amount: Amount;
}

/** The transfers whose key an earlier one in the list has: the place of each and that of the first with the key. */
export function duplicatesWithin(
  transfers: readonly DuplicateKey[],
): readonly { readonly index: number; readonly first: number }[] {
  const seen = new Map<string, number>();
  return transfers.flatMap(({ creditorNumber, amount: { minor, currency } }, index) => {
    const key = `${creditorNumber} ${currency} ${minor}`;
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
