import type { Fault } from '../../values/fault.ts';
import type { Amount } from '../../values/money.ts';

/** Transfers with the same key, debtor account and execution date are logical duplicates (rules.md P7). */
export interface DuplicateKey {
  readonly creditorNumber: string;
  readonly amount: Amount;
}

/** The transfers that repeat the key of an earlier one in the list: the index of each, and of the first with its key. */
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
 * CONFLICT for a logical duplicate (rules.md P7). `path` is the transfer's place in the body, empty for the whole body;
 * `other` names the duplicate as this TPP may see it.
 */
export function logicalDuplicate(path: string, other: string): Fault {
  const text =
    `${path === '' ? 'This payment' : path} has the execution date, amount, debtor account and creditor account of ` +
    `${other}: a logical duplicate. Send allowLogicalDuplicate=true in the query when both are meant.`;
  const fault = { code: 'CONFLICT', place: 'payload', text } as const;
  return path === '' ? fault : { ...fault, path };
}
