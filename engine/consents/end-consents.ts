import { type BankContext, bankNow } from '../bank/bank-context.ts';
import type { Writer } from '../ledger/database.ts';
import type { Instant } from '../values/instant.ts';
import {
  type Closed,
  endConsent,
  endConsentsLeftEmpty,
  endConsentsOf,
  endConsentsUnder,
  inspectConsent,
} from './rows/consents.ts';
import { clip } from '../values/text.ts';
import { Refusal } from '../values/fault.ts';
import { consentView, type ConsentView } from './list-consents.ts';

/** Announces that these consents, by key, were granted or ended. */
export function tellConsents(
  bank: BankContext,
  change: 'granted' | 'ended',
  consents: readonly number[],
  at: Instant,
): void {
  for (const id of consents) bank.tell({ kind: 'consent', at, change, consentId: String(id) });
}

/** What is deleted: an account or a card that is closed, an agreement, or a customer; by its key. */
type Deleted = Closed | { readonly agreementId: number } | { readonly customerId: number };

/**
 * Ends the consents that a deletion affects, and announces it (rules.md D2): those that cover nothing open besides a closed account
 * or card; those under an agreement; a customer's own and those under its agreements. An open SCA stays, and fails when it is
 * answered.
 */
export async function endConsents(bank: BankContext, tx: Writer, deleted: Deleted, at: Instant): Promise<void> {
  tellConsents(bank, 'ended', await endedBy(tx, deleted, at), at);
}

function endedBy(tx: Writer, deleted: Deleted, at: Instant): Promise<number[]> {
  if ('agreementId' in deleted) return endConsentsUnder(tx, deleted.agreementId, at);
  if ('customerId' in deleted) return endConsentsOf(tx, deleted.customerId, at);
  return endConsentsLeftEmpty(tx, deleted, at);
}

/** Ends a consent as the PSU can directly with the bank; the TPP gets no notice (interface: What the service does, 8). Unknown: NOT_FOUND. */
export function revokeConsent(bank: BankContext, consentId: string): Promise<ConsentView> {
  return bank.ledger.write(async (tx) => {
    const id = /^\d{1,15}$/.test(consentId) ? Number(consentId) : 0;
    const now = await bankNow(bank, tx);
    tellConsents(bank, 'ended', await endConsent(tx, id, now), now);
    const consent = await inspectConsent(tx, id);
    if (consent !== undefined) return consentView(tx, consent);
    const text = `There is no consent ${clip(consentId)}. GET /sandbox/consents lists them.`;
    throw new Refusal({ code: 'NOT_FOUND', text });
  });
}
