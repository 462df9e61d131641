import { saveTppContact as save } from './rows/tpp-contacts.ts';
import type { BankContext } from '../bank/bank-context.ts';
import { requireOwnTpp } from '../parties/own-tpp.ts';

/** Keeps the address that notices to a TPP go to, in place of an earlier one (interface: What the service does, 7). */
export async function saveTppContact(bank: BankContext, tppId: string, named: string, email: string): Promise<void> {
  requireOwnTpp(tppId, named);
  await bank.ledger.write((tx) => save(tx, { tpp_id: tppId, email }));
}
