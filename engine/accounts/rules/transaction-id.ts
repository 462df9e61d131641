import { clip } from '../../values/text.ts';
import { Refusal } from '../../values/fault.ts';

const form = /^enc!!([A-Za-z0-9_-]{22}==)$/;
const prefix = 'txn-';

/**
 * The transactionId of a transaction number, which is the entry's key and all entries before the last initialize (rules.md
 * D7). It looks like every other id (P2), and never changes (S6).
 */
export function transactionIdOf(transactionNumber: number): string {
  return `enc!!${base64Url(`${prefix}${String(transactionNumber).padStart(12, '0')}`)}`;
}

/** The number in an id made by {@link transactionIdOf}; null for any other text. */
export function transactionNumberIn(transactionId: string): number | null {
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

/** The transaction number in a transactionId of a path. Not an id of this bank: RESOURCE_UNKNOWN. */
export function requireTransactionNumber(transactionId: string): number {
  const transactionNumber = transactionNumberIn(transactionId);
  if (transactionNumber === null) throw transactionUnknown(transactionId);
  return transactionNumber;
}

/** Refusal for a transaction that the account does not have, or no longer. */
export function transactionUnknown(transactionId: string): Refusal {
  const text =
    `The account has no transaction ${clip(transactionId)}. ` +
    'GET /v1/sandbox/accounts/{id}/transactions lists them, with their transactionId.';
  return new Refusal({ code: 'RESOURCE_UNKNOWN', place: 'path', text });
}
