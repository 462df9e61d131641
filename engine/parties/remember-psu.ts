import type { Instant } from '../values/instant.ts';
import type { Customer } from './rows/customers.ts';
import type { Writer } from '../ledger/database.ts';
import { savePsu, type Psu } from './rows/psus.ts';
import type { BankContext } from '../bank/bank-context.ts';

/** The PSU-ID is stable for one TPP and PSU; the last SCA is what the age of access counts from (rules.md A7). */
export function rememberPsu(
  bank: BankContext,
  tx: Writer,
  tppId: string,
  customer: Customer,
  now: Instant,
): Promise<Psu> {
  return savePsu(tx, { psu_id: bank.ids.uuid(), tpp_id: tppId, customer_id: customer.id, last_sca_at: now });
}
