import type { Insertable, Selectable, Generated } from 'kysely';
import type { ScaOutcome } from '../rules/sca.ts';
import type { Reader, Writer } from '../../ledger/database.ts';
import { insertRow, type Given, prepared, type Flag, preparedOne } from '../../ledger/queries.ts';
import type { PsuContext } from '../../parties/rows/customers.ts';
import type { Instant } from '../../values/instant.ts';

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

/** An SCA with the id of its payment. */
export type Sca = Selectable<ScaRow> & { readonly payment_resource_id: string | null };

export async function insertSca(tx: Writer, sca: Insertable<ScaRow>): Promise<void> {
  await insertRow(tx, 'sca', sca);
}

/** Finds an SCA by its unguessable id, ended or not. */
export const findSca = preparedOne((db: Reader, { resourceId }: Given<{ resourceId: string }>) =>
  db
    .selectFrom('sca')
    .leftJoin('payment', 'payment.id', 'sca.payment_id')
    .selectAll('sca')
    .select('payment.resource_id as payment_resource_id')
    .where('sca.resource_id', '=', resourceId),
);

/** Ends an SCA. An ended SCA keeps its outcome (rules.md A2). */
export const saveScaOutcome = prepared((tx: Writer, { id, outcome }: Given<{ id: number; outcome: ScaOutcome }>) =>
  tx.updateTable('sca').set({ outcome }).where('id', '=', id).where('outcome', 'is', null),
);

/** Stores the count of wrong numbers on an SCA's page (rules.md A2c), or from when its link's lifetime is counted, by the wall clock. */
export async function saveSca(
  tx: Writer,
  id: number,
  change: Partial<Pick<Sca, 'wrong_numbers' | 'created_at_wall'>>,
): Promise<void> {
  await tx.updateTable('sca').set(change).where('id', '=', id).execute();
}
