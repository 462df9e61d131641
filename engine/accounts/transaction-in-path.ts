import { clip } from '../values/text.ts';
import { Refusal } from '../values/fault.ts';
import { entryIdOf } from './rules/transaction-id.ts';

/** The entry that a transactionId of a path was made from. One that the bank never made: RESOURCE_UNKNOWN. */
export function entryOf(transactionId: string): number {
  const entryId = entryIdOf(transactionId);
  if (entryId === null) throw transactionUnknown(transactionId);
  return entryId;
}

/** No such transaction on the account, or no longer. */
export function transactionUnknown(transactionId: string): Refusal {
  const text =
    `The account has no transaction ${clip(transactionId)}. ` +
    'GET /v1/sandbox/accounts/{id}/transactions lists them, with their transactionId.';
  return new Refusal({ code: 'RESOURCE_UNKNOWN', place: 'path', text });
}
