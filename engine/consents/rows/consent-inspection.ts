import type { Instant } from '../../values/instant.ts';
import type { Reader } from '../../ledger/database.ts';
import type { CustomerType } from '../../values/customer-type.ts';

/** A consent with its TPP, PSU and agreement. */
export interface InspectedConsent {
  readonly id: number;
  readonly granted_at: Instant;
  readonly ended_at: Instant | null;
  readonly tpp_id: string;
  readonly psu_id: string;
  readonly last_sca_at: Instant;
  readonly customer_number: string;
  readonly customer_name: string;
  readonly agreement_id: string;
  readonly agreement_name: string;
  readonly owner_type: CustomerType;
}

/** Every consent, ended ones included, in the order in which they were granted. */
export function inspectConsents(reader: Reader): Promise<InspectedConsent[]> {
  return inspected(reader).orderBy('consent.id').execute();
}

export function inspectConsent(reader: Reader, id: number): Promise<InspectedConsent | undefined> {
  return inspected(reader).where('consent.id', '=', id).executeTakeFirst();
}

function inspected(reader: Reader) {
  return reader
    .selectFrom('consent')
    .innerJoin('psu', 'psu.id', 'consent.psu_key')
    .innerJoin('customer', 'customer.id', 'psu.customer_id')
    .innerJoin('agreement', 'agreement.id', 'consent.agreement_id')
    .innerJoin('customer as owner', 'owner.id', 'agreement.owner_id')
    .select([
      'consent.id',
      'consent.granted_at',
      'consent.ended_at',
      'psu.tpp_id',
      'psu.psu_id',
      'psu.last_sca_at',
      'customer.customer_number',
      'customer.name as customer_name',
      'agreement.resource_id as agreement_id',
      'agreement.name as agreement_name',
      'owner.type as owner_type',
    ]);
}
