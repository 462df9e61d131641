import type { Instant } from '../../values/instant.ts';
import type { Reader, Writer } from '../../ledger/database.ts';
import type { CertificateStatusRow } from './tables.ts';

/** The certificates that are not accepted, by their normalised serials. */
export function certificateStatuses(reader: Reader): Promise<CertificateStatusRow[]> {
  return reader.selectFrom('certificate_status').selectAll().execute();
}

/** Inserts or replaces the status of a certificate, set at bank time `at`. */
export async function saveCertificateStatus(
  tx: Writer,
  serial: string,
  status: CertificateStatusRow['status'],
  at: Instant,
): Promise<void> {
  const row = { serial, status, at };
  await tx
    .insertInto('certificate_status')
    .values(row)
    .onConflict((conflict) => conflict.column('serial').doUpdateSet(row))
    .execute();
}

/** Deletes the status of a certificate: it is accepted again. */
export async function deleteCertificateStatus(tx: Writer, serial: string): Promise<void> {
  await tx.deleteFrom('certificate_status').where('serial', '=', serial).execute();
}
