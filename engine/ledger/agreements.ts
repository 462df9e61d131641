import type { Insertable, Selectable } from 'kysely';
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
