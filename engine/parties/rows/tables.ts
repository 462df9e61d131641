import type { Generated } from 'kysely';
import type { Flag } from '../../ledger/queries.ts';
import type { CustomerType } from '../../values/customer-type.ts';
import type { Instant } from '../../values/instant.ts';

declare module '../../ledger/tables.ts' {
  interface Tables {
    customer: CustomerRow;
    agreement: AgreementRow;
    engagement: EngagementRow;
    psu: PsuRow;
    sca_session: ScaSessionRow;
  }
}

export type PsuContext = 'PRIVATE' | 'CORPORATE';

export interface CustomerRow {
  id: Generated<number>;
  resource_id: string;
  customer_number: string;
  name: string;
  type: CustomerType;
  /** How the type was posted, and comes back (rules.md D6). */
  is_type_in_capitals: Flag;
  deleted_at: Instant | null;
}

export interface AgreementRow {
  id: Generated<number>;
  resource_id: string;
  owner_id: number;
  name: string;
  deleted_at: Instant | null;
}

export interface EngagementRow {
  id: Generated<number>;
  agreement_id: number;
  customer_id: number;
  account_id: number;
  may_view: Flag;
  may_register: Flag;
}

export interface PsuRow {
  id: Generated<number>;
  psu_id: string;
  tpp_id: string;
  customer_id: number;
  /** The last SCA, or the last consent that the PSU granted directly with the bank (rules.md A7). */
  last_sca_at: Instant;
  /** Whether the PSU has completed an SCA with this TPP; a direct grant does not count (rules.md A5). */
  known_by_sca: Flag;
}

export interface ScaSessionRow {
  id: Generated<number>;
  psu_key: number;
  tpp_session_id: string;
  started_at: Instant;
  ended_at: Instant | null;
}
