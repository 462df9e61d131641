import type { Instant } from '../values/instant.ts';
import type { Writer } from '../ledger/database.ts';
import { markAgreementDeleted, markAgreementsDeleted } from './rows/agreements.ts';
import { markCustomerDeleted } from './rows/customers.ts';
import { deleteEngagementsIn, deleteEngagementsOfAccount, deleteEngagementsOfCustomer } from './rows/engagements.ts';
import { endSessionsOf } from './rows/sca-sessions.ts';

/**
 * Deletes a customer with its agreements (rules.md D2): its sessions end, and so do its engagements and everybody's under its
 * agreements. The rows of the customer and of its agreements stay, marked.
 */
export async function removeCustomer(tx: Writer, customerId: number, at: Instant): Promise<void> {
  await endSessionsOf(tx, customerId, at);
  await deleteEngagementsOfCustomer(tx, customerId);
  await markAgreementsDeleted(tx, customerId, at);
  await markCustomerDeleted(tx, customerId, at);
}

/** Deletes an agreement with its engagements (rules.md D2). Its row stays, marked. */
export async function removeAgreement(tx: Writer, agreementId: number, at: Instant): Promise<void> {
  await deleteEngagementsIn(tx, agreementId);
  await markAgreementDeleted(tx, agreementId, at);
}

/** Ends every engagement on an account that is deleted (rules.md D2). An agreement without engagements stays. */
export async function endEngagementsOn(tx: Writer, { id }: { readonly id: number }): Promise<void> {
  await deleteEngagementsOfAccount(tx, id);
}
