import type { Insertable, Selectable } from 'kysely';
import type { Instant } from '../core/instant.ts';
import type { Reader, Transaction } from './database.ts';
import type { AgreementRow, EngagementRow } from './tables.ts';

export type Agreement = Selectable<AgreementRow>;

export function insertAgreement(tx: Transaction, agreement: Insertable<AgreementRow>): Promise<Agreement> {
  return tx.insertInto('agreement').values(agreement).returningAll().executeTakeFirstOrThrow();
}

export async function insertEngagement(tx: Transaction, engagement: Insertable<EngagementRow>): Promise<void> {
  await tx.insertInto('engagement').values(engagement).execute();
}

/** A private customer's own agreement: every private customer has one (interface: sandbox customers). */
export function privateAgreementOf(reader: Reader, customerId: number): Promise<Agreement | undefined> {
  return reader
    .selectFrom('agreement')
    .selectAll()
    .where('owner_id', '=', customerId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
}

/** Whether an engagement lets this customer register payments on the account (rules.md A4). */
export async function mayRegister(reader: Reader, customerId: number, accountId: number): Promise<boolean> {
  const row = await reader
    .selectFrom('engagement')
    .innerJoin('agreement', 'agreement.id', 'engagement.agreement_id')
    .select('engagement.id')
    .where('engagement.customer_id', '=', customerId)
    .where('engagement.account_id', '=', accountId)
    .where('engagement.may_register', '=', 1)
    .where('agreement.deleted_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** The agreements of an owner are over: nobody acts under them any more (rules.md D2). */
export async function markAgreementsDeleted(tx: Transaction, ownerId: number, at: Instant): Promise<void> {
  await tx
    .updateTable('agreement')
    .set({ deleted_at: at })
    .where('owner_id', '=', ownerId)
    .where('deleted_at', 'is', null)
    .execute();
}

/** Takes away what anybody might do with an account that is closed (rules.md D2). */
export async function deleteEngagementsOfAccount(tx: Transaction, accountId: number): Promise<void> {
  await tx.deleteFrom('engagement').where('account_id', '=', accountId).execute();
}

/** Takes away what a customer might do with the accounts of others, and others under its agreements (rules.md D2). */
export async function deleteEngagementsOfCustomer(tx: Transaction, customerId: number): Promise<void> {
  await tx.deleteFrom('engagement').where('customer_id', '=', customerId).execute();
  const owned = tx.selectFrom('agreement').select('id').where('owner_id', '=', customerId);
  await tx.deleteFrom('engagement').where('agreement_id', 'in', owned).execute();
}
