import type { ScaOutcome } from '../rules/sca.ts';
import type { NewRow, Reader, Row, Writer } from '../../ledger/database.ts';
import { insertRow, type Given, prepared, preparedOne } from '../../ledger/queries.ts';

export type ScaPurpose = Row<'sca'>['purpose'];

/** An SCA with the id of its payment. */
export type Sca = Row<'sca'> & { readonly payment_resource_id: string | null };

export async function insertSca(tx: Writer, sca: NewRow<'sca'>): Promise<void> {
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

/** The keys and ids of the SCAs that have no outcome. */
export async function openScas(db: Reader): Promise<readonly Pick<Sca, 'id' | 'resource_id'>[]> {
  return db.selectFrom('sca').select(['id', 'resource_id']).where('outcome', 'is', null).execute();
}

/**
 * Stores the count of wrong numbers on an SCA's page (rules.md A2c), another id, or from when its link's lifetime is
 * counted, by the wall clock.
 */
export async function saveSca(
  tx: Writer,
  id: number,
  change: Partial<Pick<Sca, 'wrong_numbers' | 'created_at_wall' | 'resource_id'>>,
): Promise<void> {
  await tx.updateTable('sca').set(change).where('id', '=', id).execute();
}
