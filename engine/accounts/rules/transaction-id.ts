import { clip } from '../../values/text.ts';
import { Refusal } from '../../values/fault.ts';

const form = /^enc!!([A-Za-z0-9_-]{22}==)$/;
const prefix = 'txn-';

/**
 * The transactionId of an entry. It looks like every other id (rules.md P2), and as it is made from the entry's key it
 * never changes (S6).
 */
export function transactionIdOf(entryId: number): string {
  return `enc!!${base64Url(`${prefix}${String(entryId).padStart(12, '0')}`)}`;
}

/** The entry's key in an id made by {@link transactionIdOf}; null for any other text. */
export function entryIdOf(transactionId: string): number | null {
  const text = textOf(form.exec(transactionId)?.[1] ?? '');
  const digits = /^txn-(\d{12})$/.exec(text)?.[1];
  return digits === undefined || transactionIdOf(Number(digits)) !== transactionId ? null : Number(digits);
}

/** 16 bytes of ASCII become 22 characters and two `=`. */
function base64Url(ascii: string): string {
  return btoa(ascii).replaceAll('+', '-').replaceAll('/', '_');
}

function textOf(base64: string): string {
  return base64 === '' ? '' : atob(base64.replaceAll('-', '+').replaceAll('_', '/'));
}

/** The entry's key in a transactionId of a path. Not an id of this bank: RESOURCE_UNKNOWN. */
export function entryOf(transactionId: string): number {
  const entryId = entryIdOf(transactionId);
  if (entryId === null) throw transactionUnknown(transactionId);
  return entryId;
}

/** Refusal for a transaction that the account does not have, or no longer. */
export function transactionUnknown(transactionId: string): Refusal {
  const text =
    `The account has no transaction ${clip(transactionId)}. ` +
    'GET /v1/sandbox/accounts/{id}/transactions lists them, with their transactionId.';
  return new Refusal({ code: 'RESOURCE_UNKNOWN', place: 'path', text });
}
