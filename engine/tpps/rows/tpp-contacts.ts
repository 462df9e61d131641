import type { Reader, Writer } from '../../ledger/database.ts';
import type { TppContactRow } from './tables.ts';

/** The contact of a TPP; undefined: none saved. */
export function findTppContact(reader: Reader, tppId: string): Promise<TppContactRow | undefined> {
  return reader.selectFrom('tpp_contact').selectAll().where('tpp_id', '=', tppId).executeTakeFirst();
}

/** Inserts or replaces the contact of a TPP. */
export async function saveTppContact(tx: Writer, contact: TppContactRow): Promise<void> {
  await tx
    .insertInto('tpp_contact')
    .values(contact)
    .onConflict((conflict) => conflict.column('tpp_id').doUpdateSet({ email: contact.email }))
    .execute();
}
