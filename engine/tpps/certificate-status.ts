import { deleteCertificateStatus, findCertificateStatus, saveCertificateStatus } from './rows/certificate-statuses.ts';
import { bankNow, type BankContext } from '../bank/bank-context.ts';

/** Status of a certificate (interface: Errors, CERTIFICATE_BLOCKED, CERTIFICATE_REVOKED); null: accepted. */
export type CertificateStatus = 'blocked' | 'revoked' | null;

/** Blocks, revokes or restores (null) the certificate with this normalised serial. A reset restores all. */
export async function setCertificateStatus(
  bank: BankContext,
  serial: string,
  status: CertificateStatus,
): Promise<void> {
  await bank.ledger.write(async (tx) => {
    if (status === null) await deleteCertificateStatus(tx, serial);
    else await saveCertificateStatus(tx, serial, status, await bankNow(bank, tx));
  });
}

/** Read for every signed request (some 20 microseconds), so that a reset or a restored snapshot counts at once. */
export function readCertificateStatus(bank: BankContext, serial: string): Promise<CertificateStatus> {
  return bank.ledger.read(async (reader) => (await findCertificateStatus(reader, serial))?.status ?? null);
}
