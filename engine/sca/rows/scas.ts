import type { Instant } from '../../values/instant.ts';
import type { ScaOutcome } from '../rules/sca.ts';
import type { Insertable, Selectable } from 'kysely';
import type { Reader, Writer } from '../../ledger/database.ts';
import { insertRow, type Given, prepared } from '../../ledger/prepared.ts';
import type { ScaRow } from './tables.ts';

/** An SCA with the id of its payment. */
export type Sca = Selectable<ScaRow> & { readonly payment_resource_id: string | null };

export async function insertSca(tx: Writer, sca: Insertable<ScaRow>): Promise<void> {
  await insertRow(tx, 'sca', sca);
}

const byResourceId = prepared((db: Reader, { resourceId }: Given<{ resourceId: string }>) =>
  db
    .selectFrom('sca')
    .leftJoin('payment', 'payment.id', 'sca.payment_id')
    .selectAll('sca')
    .select('payment.resource_id as payment_resource_id')
    .where('sca.resource_id', '=', resourceId),
);

/** Finds an SCA by its unguessable id, ended or not. */
export async function findSca(reader: Reader, resourceId: string): Promise<Sca | undefined> {
  const [sca] = await byResourceId(reader, { resourceId });
  return sca;
}

/** Stores how many wrong national identity numbers were entered on an SCA's page (rules.md A2c). */
export async function saveWrongNumbers(tx: Writer, id: number, count: number): Promise<void> {
  await tx.updateTable('sca').set({ wrong_numbers: count }).where('id', '=', id).execute();
}

/** Ends an SCA. An ended SCA keeps its outcome (rules.md A2). */
export async function saveScaOutcome(tx: Writer, id: number, outcome: ScaOutcome): Promise<void> {
  await tx.updateTable('sca').set({ outcome }).where('id', '=', id).where('outcome', 'is', null).execute();
}

/** Stores the instant of the wall clock from which the lifetime of an SCA's link is counted. */
export async function saveScaStart(tx: Writer, id: number, createdAtWall: Instant): Promise<void> {
  await tx.updateTable('sca').set({ created_at_wall: createdAtWall }).where('id', '=', id).execute();
}
