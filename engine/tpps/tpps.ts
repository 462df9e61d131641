import {
  certificateStatuses,
  deleteCertificateStatus,
  saveCertificateStatus,
  findTppContact,
  knownTpps,
  upsertTppContact as save,
} from './rows/tpps.ts';
import { bankNow, type BankContext } from '../bank/bank-context.ts';
import type { Outlet } from '../bank/outlet.ts';
import { clip } from '../values/text.ts';
import { Refusal } from '../values/fault.ts';

/** Shared by all banks, to save memory. */
const heardKinds = new Set(['certificate', 'reset'] as const);

/** Status of a certificate (interface: Errors, CERTIFICATE_BLOCKED, CERTIFICATE_REVOKED), or null if it is accepted. */
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
 * Returns a function that gives the status of a certificate, for every signed request. It reads the ledger once after
 * each change and after each reset or restored snapshot, so that a request costs nothing else.
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
  bank.listen({ kinds: heardKinds, hear: forget, failed: forget });
  const read = async (): Promise<ReadonlyMap<string, CertificateStatus>> => {
    const before = changes;
    const rows = await bank.ledger.read(certificateStatuses);
    const found = new Map(rows.map(({ serial, status }) => [serial, status] as const));
    if (changes === before) known = found;
    return found;
  };
  return (serial) => (known === null ? read().then((found) => found.get(serial) ?? null) : (known.get(serial) ?? null));
}

/** The ids of the TPPs that the bank knows: each has a PSU or an SCA here. In the order of their ids. */
export function listTpps(bank: BankContext): Promise<string[]> {
  return bank.ledger.read(knownTpps);
}

/** The email address that a TPP saved. RESOURCE_UNKNOWN without one; another TPP's: FORBIDDEN. */
export async function readTppContact(bank: BankContext, tppId: string, named: string): Promise<string> {
  requireOwnTpp(tppId, named);
  const contact = await bank.ledger.read((reader) => findTppContact(reader, tppId));
  if (contact !== undefined) return contact.email;
  const text = `${clip(named)} has given no contact information. PUT it to the same path: {"email": "..."}.`;
  throw new Refusal({ code: 'RESOURCE_UNKNOWN', place: 'path', text });
}

/** Stores the email address for notices to a TPP, replacing an earlier one (interface: What the service does, 7). */
export async function saveTppContact(bank: BankContext, tppId: string, named: string, email: string): Promise<void> {
  requireOwnTpp(tppId, named);
  await bank.ledger.write((tx) => save(tx, { tpp_id: tppId, email }));
}

/**
 * A TPP reads and writes only its own contact information (real-api-facts.md 8). The path names the
 * organizationIdentifier of its certificate, with or without the leading `PSD`, as the banks' pages print it. Any
 * other: FORBIDDEN.
 */
function requireOwnTpp(tppId: string, named: string): void {
  if (named === tppId || `PSD${named}` === tppId) return;
  const text =
    `The certificate is that of ${clip(tppId, 150)}, the path names ${clip(named)}. ` +
    'A TPP reads and writes its own contact information only.';
  throw new Refusal({ code: 'FORBIDDEN', text });
}
