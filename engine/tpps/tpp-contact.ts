import { clip } from '../values/text.ts';
import { Refusal } from '../values/fault.ts';
import { findTppContact, saveTppContact as save } from './rows/tpps.ts';
import type { BankContext } from '../bank/bank-context.ts';

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
 * A TPP reads and writes only its own contact information (real-api-facts.md 8). The path names the organizationIdentifier
 * of its certificate, with or without the leading `PSD`, as the banks' pages print it. Any other: FORBIDDEN.
 */
function requireOwnTpp(tppId: string, named: string): void {
  if (named === tppId || `PSD${named}` === tppId) return;
  const text =
    `The certificate is that of ${clip(tppId, 150)}, the path names ${clip(named)}. ` +
    'A TPP reads and writes its own contact information only.';
  throw new Refusal({ code: 'FORBIDDEN', text });
}
