import { clip } from '../values/text.ts';
import { Refusal } from '../values/fault.ts';
import { findTppContact } from './rows/tpp-contacts.ts';
import type { BankContext } from '../bank/bank-context.ts';
import { requireOwnTpp } from '../parties/own-tpp.ts';

/** The address that a TPP gave. None: RESOURCE_UNKNOWN. */
export async function readTppContact(bank: BankContext, tppId: string, named: string): Promise<string> {
  requireOwnTpp(tppId, named);
  const contact = await bank.ledger.read((reader) => findTppContact(reader, tppId));
  if (contact !== undefined) return contact.email;
  const text = `${clip(named)} has given no contact information. PUT it to the same path: {"email": "..."}.`;
  throw new Refusal({ code: 'RESOURCE_UNKNOWN', place: 'path', text });
}
