import type { BankContext } from '../bank/bank-context.ts';
import type { Writer } from '../ledger/database.ts';
import type { Instant } from '../values/instant.ts';
import { type Closed, endConsentsLeftEmpty, endConsentsOf, endConsentsUnder } from './rows/ended-consents.ts';
import { tellConsents } from './tell-consents.ts';

/** What is deleted: an account or a card that is closed, an agreement, or a customer; by its key. */
export type Deleted = Closed | { readonly agreementId: number } | { readonly customerId: number };

/**
 * Ends the consents that go with what is deleted, and tells them (rules.md D2): those to a closed account or card that cover nothing
 * else open, those under an agreement, or a customer's own and those under its agreements. An open SCA stays, and fails when it is
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
