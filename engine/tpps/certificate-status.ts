import { deleteCertificateStatus, findCertificateStatus, saveCertificateStatus } from './rows/certificate-statuses.ts';
import { bankNow, type BankContext } from '../bank/bank-context.ts';

/** What the bank holds against a certificate (interface: Errors, CERTIFICATE_BLOCKED, CERTIFICATE_REVOKED); null: nothing. */
export type CertificateStatus = 'blocked' | 'revoked' | null;

/** Blocks, revokes or restores the certificate of a normalised serial: what the next check of it finds. A reset restores all. */
export async function setCertificateStatus(bank: BankContext, serial: string, hold: CertificateStatus): Promise<void> {
  await bank.ledger.write(async (tx) => {
    if (hold === null) await deleteCertificateStatus(tx, serial);
    else await saveCertificateStatus(tx, serial, hold, await bankNow(bank, tx));
  });
}

/** Read for every signed request, so that a reset and a restored ledger count at once: some 20 microseconds. */
export function readCertificateStatus(bank: BankContext, serial: string): Promise<CertificateStatus> {
  return bank.ledger.read(async (reader) => (await findCertificateStatus(reader, serial))?.status ?? null);
}
