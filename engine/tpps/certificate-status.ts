import { certificateStatuses, deleteCertificateStatus, saveCertificateStatus } from './rows/tpps.ts';
import { bankNow, type BankContext } from '../bank/bank-context.ts';
import type { Outlet } from '../bank/outlet.ts';

/** Of every bank: a list of its own would take memory in each. */
const kinds = new Set(['certificate', 'reset'] as const);

/** Status of a certificate (interface: Errors, CERTIFICATE_BLOCKED, CERTIFICATE_REVOKED); null: accepted. */
export type CertificateStatus = 'blocked' | 'revoked' | null;

/** Blocks, revokes or restores (null) the certificate with this normalised serial. A reset restores all. */
export async function setCertificateStatus(
  bank: BankContext,
  serial: string,
  status: CertificateStatus,
): Promise<void> {
  await bank.ledger.write(async (tx) => {
    const at = await bankNow(bank, tx);
    if (status === null) await deleteCertificateStatus(tx, serial);
    else await saveCertificateStatus(tx, serial, status, at);
    bank.tell({ kind: 'certificate', at, serial, status });
  });
}

/**
 * Returns a function that gives the status of a certificate, for every signed request. It reads the ledger once after each change and
 * after each reset or restored snapshot, so that a request costs nothing else.
 */
export function statusesAtHand(
  bank: BankContext & Pick<Outlet, 'listen'>,
): (serial: string) => CertificateStatus | Promise<CertificateStatus> {
  let known: ReadonlyMap<string, CertificateStatus> | null = null;
  let changes = 0;
  const forget = (): void => {
    known = null;
    changes += 1;
  };
  bank.listen({ kinds, hear: forget, failed: forget });
  const read = async (): Promise<ReadonlyMap<string, CertificateStatus>> => {
    const before = changes;
    const rows = await bank.ledger.read(certificateStatuses);
    const found = new Map(rows.map(({ serial, status }) => [serial, status] as const));
    if (changes === before) known = found;
    return found;
  };
  return (serial) => (known === null ? read().then((found) => found.get(serial) ?? null) : (known.get(serial) ?? null));
}
