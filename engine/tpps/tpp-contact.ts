import { clip } from '../values/text.ts';
import { Refusal } from '../values/fault.ts';
import { findTppContact, saveTppContact as save } from './rows/tpp-contacts.ts';
import type { BankContext } from '../bank/bank-context.ts';

/** The address that a TPP gave. None: RESOURCE_UNKNOWN. */
export async function readTppContact(bank: BankContext, tppId: string, named: string): Promise<string> {
  requireOwnTpp(tppId, named);
  const contact = await bank.ledger.read((reader) => findTppContact(reader, tppId));
  if (contact !== undefined) return contact.email;
  const text = `${clip(named)} has given no contact information. PUT it to the same path: {"email": "..."}.`;
  throw new Refusal({ code: 'RESOURCE_UNKNOWN', place: 'path', text });
}

/** Keeps the address that notices to a TPP go to, in place of an earlier one (interface: What the service does, 7). */
export async function saveTppContact(bank: BankContext, tppId: string, named: string, email: string): Promise<void> {
  requireOwnTpp(tppId, named);
  await bank.ledger.write((tx) => save(tx, { tpp_id: tppId, email }));
}

/**
 * A TPP reads and writes only what is its own (real-api-facts.md 8): the id in the path is the organizationIdentifier of
 * its certificate, with or without the `PSD` in front, as the banks' pages print it. Another: FORBIDDEN.
 */
function requireOwnTpp(tppId: string, named: string): void {
  if (named === tppId || `PSD${named}` === tppId) return;
  const text =
    `The certificate is that of ${clip(tppId, 150)}, the path names ${clip(named)}. ` +
    'A TPP reads and writes its own contact information only.';
  throw new Refusal({ code: 'FORBIDDEN', text });
}
