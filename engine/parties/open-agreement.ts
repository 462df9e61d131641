import type { Ids } from '../bank/ids.ts';
import { flag } from '../ledger/codec.ts';
import type { Writer } from '../ledger/database.ts';
import { type Agreement, insertAgreement } from './rows/agreements.ts';
import { insertEngagement } from './rows/engagements.ts';

/** What a PSU may do with an account. */
export interface NewEngagement {
  readonly customerId: number;
  readonly accountId: number;
  readonly roles: readonly ('VIEW' | 'REGISTER')[];
}

/** Inserts an agreement of a customer with its engagements, and returns its row. */
export async function openAgreement(
  ids: Ids,
  tx: Writer,
  wanted: { readonly ownerId: number; readonly name: string; readonly engagements: readonly NewEngagement[] },
): Promise<Agreement> {
  const { ownerId, name, engagements } = wanted;
  const agreement = await insertAgreement(tx, { resource_id: ids.uuid(), owner_id: ownerId, name, deleted_at: null });
  await engage(tx, agreement.id, engagements);
  return agreement;
}

/** Adds engagements to an agreement. A PSU has one on an account: the caller has checked that. */
export async function engage(tx: Writer, agreementId: number, engagements: readonly NewEngagement[]): Promise<void> {
  for (const { customerId, accountId, roles } of engagements) {
    await insertEngagement(tx, {
      agreement_id: agreementId,
      customer_id: customerId,
      account_id: accountId,
      may_view: flag(roles.includes('VIEW')),
      may_register: flag(roles.includes('REGISTER')),
    });
  }
}
