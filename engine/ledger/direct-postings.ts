import type { Insertable, Selectable } from 'kysely';
import type { Transaction } from './database.ts';
import type { DirectPostingRow } from './tables.ts';

export type DirectPosting = Selectable<DirectPostingRow>;

export function insertDirectPosting(tx: Transaction, posting: Insertable<DirectPostingRow>): Promise<DirectPosting> {
  return tx.insertInto('direct_posting').values(posting).returningAll().executeTakeFirstOrThrow();
}

export async function markReversed(tx: Transaction, id: number, reversedBy: number): Promise<void> {
  await tx.updateTable('direct_posting').set({ reversed_by: reversedBy }).where('id', '=', id).execute();
}
