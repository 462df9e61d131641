import type { Customer } from './rows/customers.ts';
import type { BankContext } from '../bank/bank-context.ts';
import { identifyPsu, type PsuReference } from './identify-psu.ts';

/** The customer behind a PSU-ID of this TPP; null when the request names none. Unknown: PSU_CREDENTIALS_INVALID. */
export function readPsu(bank: BankContext, tppId: string, psu: PsuReference): Promise<Customer | null> {
  return bank.ledger.read(async (reader) => (await identifyPsu(reader, tppId, psu)).customer);
}
