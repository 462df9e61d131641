import type { Insertable, Selectable } from 'kysely';
import type { Reader, Writer } from '../../ledger/database.ts';
import type { EngagementRow } from './tables.ts';

/** What a PSU may do with an account under an agreement, with the numbers of both. */
export type Engagement = Selectable<EngagementRow> & {
  readonly customer_number: string;
  readonly bban: string | null;
  readonly iban: string | null;
};

/** Inserts an engagement. */
export async function insertEngagement(tx: Writer, engagement: Insertable<EngagementRow>): Promise<void> {
  await tx.insertInto('engagement').values(engagement).execute();
}

/** The engagements under an agreement, the oldest first. */
export function engagementsIn(reader: Reader, agreementId: number): Promise<Engagement[]> {
  return reader
    .selectFrom('engagement')
    .innerJoin('customer', 'customer.id', 'engagement.customer_id')
    .innerJoin('account', 'account.id', 'engagement.account_id')
    .selectAll('engagement')
    .select(['customer.customer_number', 'account.bban', 'account.iban'])
    .where('engagement.agreement_id', '=', agreementId)
    .orderBy('engagement.id')
    .execute();
}

/** Whether this customer may register payments on the account under this agreement, or under any (rules.md A4). */
export async function mayRegister(
  reader: Reader,
  { customerId, accountId }: { readonly customerId: number; readonly accountId: number },
  agreementId: number | null = null,
): Promise<boolean> {
  const row = await reader
    .selectFrom('engagement')
    .innerJoin('agreement', 'agreement.id', 'engagement.agreement_id')
    .select('engagement.id')
    .where('engagement.customer_id', '=', customerId)
    .where('engagement.account_id', '=', accountId)
    .where('engagement.may_register', '=', 1)
    .where('agreement.deleted_at', 'is', null)
    .$if(agreementId !== null, (found) => found.where('agreement.id', '=', agreementId))
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * For each agreement of another owner under which the customer has REGISTER on this account: the keys of all accounts on
 * which it has REGISTER under that agreement (rules.md A5).
 */
export async function payableByAgreement(
  reader: Reader,
  customerId: number,
  accountId: number,
): Promise<ReadonlyMap<number, ReadonlySet<number>>> {
  const rows = await reader
    .selectFrom('engagement as debtor')
    .innerJoin('agreement', 'agreement.id', 'debtor.agreement_id')
    .innerJoin('engagement as other', 'other.agreement_id', 'debtor.agreement_id')
    .select(['other.agreement_id', 'other.account_id'])
    .where('debtor.customer_id', '=', customerId)
    .where('debtor.account_id', '=', accountId)
    .where('debtor.may_register', '=', 1)
    .where('other.customer_id', '=', customerId)
    .where('other.may_register', '=', 1)
    .where('agreement.owner_id', '!=', customerId)
    .where('agreement.deleted_at', 'is', null)
    .orderBy('other.agreement_id')
    .execute();
  const groups = Map.groupBy(rows, (row) => row.agreement_id);
  return new Map([...groups].map(([id, members]) => [id, new Set(members.map((row) => row.account_id))]));
}

/** Deletes every engagement of a customer, under an agreement, or on an account (rules.md D2). */
export async function deleteEngagements(
  tx: Writer,
  of: 'customer_id' | 'agreement_id' | 'account_id',
  id: number,
): Promise<void> {
  await tx.deleteFrom('engagement').where(of, '=', id).execute();
}

/** Deletes everybody's engagements under the agreements that a customer owns (rules.md D2). */
export async function deleteEngagementsUnderOwner(tx: Writer, customerId: number): Promise<void> {
  const owned = tx.selectFrom('agreement').select('id').where('owner_id', '=', customerId);
  await tx.deleteFrom('engagement').where('agreement_id', 'in', owned).execute();
}
