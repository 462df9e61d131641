import type { Reader, Row, Writer } from '../../ledger/database.ts';
import { insertRow } from '../../ledger/queries.ts';
import type { Instant } from '../../values/instant.ts';

/** The ids of the TPPs that have a PSU or an SCA, in their order. */
export async function knownTpps(reader: Reader): Promise<string[]> {
  const ofPsus = reader.selectFrom('psu').select('tpp_id');
  const rows = await ofPsus.union(reader.selectFrom('sca').select('tpp_id')).orderBy('tpp_id').execute();
  return rows.map(({ tpp_id: id }) => id);
}

/** The contact of a TPP, if it saved one. */
export function findTppContact(reader: Reader, tppId: string): Promise<Row<'tpp_contact'> | undefined> {
  return reader.selectFrom('tpp_contact').selectAll().where('tpp_id', '=', tppId).executeTakeFirst();
}

/** Inserts or replaces the contact of a TPP. */
export async function upsertTppContact(tx: Writer, contact: Row<'tpp_contact'>): Promise<void> {
  await insertRow(tx, 'tpp_contact', contact, 'replace');
}

/** The certificates that are not accepted, by their normalised serials. */
export function certificateStatuses(reader: Reader): Promise<Row<'certificate_status'>[]> {
  return reader.selectFrom('certificate_status').selectAll().execute();
}

/** Inserts or replaces the status of a certificate, set at bank time `at`. */
export async function saveCertificateStatus(
  tx: Writer,
  serial: string,
  status: Row<'certificate_status'>['status'],
  at: Instant,
): Promise<void> {
  await insertRow(tx, 'certificate_status', { serial, status, at }, 'replace');
}

/** Deletes the status of a certificate: it is accepted again. */
export async function deleteCertificateStatus(tx: Writer, serial: string): Promise<void> {
  await tx.deleteFrom('certificate_status').where('serial', '=', serial).execute();
}
