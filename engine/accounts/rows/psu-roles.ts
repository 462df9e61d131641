import type { Account } from './accounts.ts';
import type { Flag } from '../../ledger/queries.ts';
import type { Reader } from '../../ledger/database.ts';

/** A customer's engagement with the names of its agreement, owner and account. */
export interface Engaged {
  readonly customer_id: number;
  readonly agreement_id: string;
  readonly agreement_name: string;
  readonly owner_number: string;
  readonly bban: string | null;
  readonly iban: string | null;
  readonly account_name: string;
  readonly may_view: Flag;
  readonly may_register: Flag;
}

/** The engagements of these customers on open accounts, under agreements that are not deleted. */
export function engagementsOf(reader: Reader, customerIds: readonly number[]): Promise<Engaged[]> {
  return engaged(reader).where('engagement.customer_id', 'in', customerIds).execute();
}

function engaged(reader: Reader) {
  return reader
    .selectFrom('engagement')
    .innerJoin('agreement', 'agreement.id', 'engagement.agreement_id')
    .innerJoin('customer as owner', 'owner.id', 'agreement.owner_id')
    .innerJoin('account', 'account.id', 'engagement.account_id')
    .select([
      'engagement.customer_id',
      'agreement.resource_id as agreement_id',
      'agreement.name as agreement_name',
      'owner.customer_number as owner_number',
      'account.bban',
      'account.iban',
      'account.name as account_name',
      'engagement.may_view',
      'engagement.may_register',
    ])
    .where('agreement.deleted_at', 'is', null)
    .where('account.closed_at', 'is', null)
    .orderBy('engagement.id');
}

/** The open accounts that a customer may read under an agreement: VIEW alone is enough (rules.md A4d). */
export function viewableAccounts(reader: Reader, agreementId: number, customerId: number): Promise<Account[]> {
  return reader
    .selectFrom('engagement')
    .innerJoin('account', 'account.id', 'engagement.account_id')
    .selectAll('account')
    .where('engagement.agreement_id', '=', agreementId)
    .where('engagement.customer_id', '=', customerId)
    .where('engagement.may_view', '=', 1)
    .where('account.closed_at', 'is', null)
    .orderBy('account.id')
    .execute();
}

/** An engagement with the key of its agreement and its PSU. */
export type PsuEngagement = Engaged & {
  readonly agreement_key: number;
  readonly psu_number: string;
  readonly psu_name: string;
};

/** Every engagement on an open account, under an agreement that is not deleted, the oldest first. */
export function allEngagements(reader: Reader): Promise<PsuEngagement[]> {
  return engaged(reader)
    .innerJoin('customer as psu', 'psu.id', 'engagement.customer_id')
    .select(['agreement.id as agreement_key', 'psu.customer_number as psu_number', 'psu.name as psu_name'])
    .execute();
}
