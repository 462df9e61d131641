import type { Reader, Writer } from '../../ledger/database.ts';
import type { TppContactRow } from './tables.ts';

/** The address of a TPP; undefined: it gave none. */
export function findTppContact(reader: Reader, tppId: string): Promise<TppContactRow | undefined> {
  return reader.selectFrom('tpp_contact').selectAll().where('tpp_id', '=', tppId).executeTakeFirst();
}

/** A TPP has one address: a later one takes the place of the one before. */
export async function saveTppContact(tx: Writer, contact: TppContactRow): Promise<void> {
  await tx
    .insertInto('tpp_contact')
    .values(contact)
    .onConflict((conflict) => conflict.column('tpp_id').doUpdateSet({ email: contact.email }))
    .execute();
}
