import type { Generated } from 'kysely';
import type { Flag } from '../../ledger/queries.ts';
import type { PsuContext } from '../../parties/rows/tables.ts';
import type { Instant } from '../../values/instant.ts';
import type { ScaOutcome } from '../rules/sca.ts';

declare module '../../ledger/tables.ts' {
  interface Tables {
    sca: ScaRow;
  }
}

export type ScaPurpose = 'payment' | 'cancellation' | 'basket' | 'consent' | 'identification';

export interface ScaRow {
  id: Generated<number>;
  resource_id: string;
  purpose: ScaPurpose;
  payment_id: number | null;
  basket_id: number | null;
  tpp_id: string;
  tpp_name: string;
  tpp_redirect_uri: string;
  tpp_session_id: string | null;
  /** The customer who is to sign, if the TPP named one. */
  customer_id: number | null;
  /** PSU-Context of the request. */
  context: PsuContext | null;
  /** Whether `context` is the only one in which the PSU can approve (rules.md A7d); else the page preselects it. */
  context_binds: Flag;
  /** The agreement that the request named in PSU-Corporate-ID. */
  agreement_id: number | null;
  created_at_wall: Instant;
  /** Count of national identity numbers entered on its page that belong to no PSU who may sign (rules.md A2c). */
  wrong_numbers: Generated<number>;
  outcome: ScaOutcome | null;
}
