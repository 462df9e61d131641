import { Refusal, type Fault } from '../values/fault.ts';
import { clip } from '../values/text.ts';
import type { Reader } from '../ledger/database.ts';
import { actingCustomer, type ActingCustomer } from '../parties/rows/customers.ts';
import type { Sca } from '../sca/rows/scas.ts';

/** Why a national identity number is wrong: no PSU has it, or the SCA waits for another PSU (rules.md A2c). */
export type WrongNumber = 'unknown' | 'other';

/** The PSU with this national identity number, or why it is wrong. */
export async function findSigner(reader: Reader, sca: Sca, psuNumber: string): Promise<ActingCustomer | WrongNumber> {
  const signer = await actingCustomer(reader, psuNumber);
  if (signer === undefined) return 'unknown';
  return sca.customer_id !== null && sca.customer_id !== signer.customer.id ? 'other' : signer;
}

/** The fault of a wrong number (rules.md A4). */
export function wrongNumberFault(why: WrongNumber, psuNumber: string): Fault {
  const other = 'This SCA waits for another PSU: the one whom the request of the TPP named.';
  const text = why === 'other' ? other : `No PSU of this bank has the number ${clip(psuNumber, 40)}.`;
  return { code: 'PSU_CREDENTIALS_INVALID', text };
}

/**
 * The PSU with this national identity number. PSU_CREDENTIALS_INVALID: unknown, or not the one the SCA waits for
 * (rules.md A4).
 */
export async function signerOf(reader: Reader, sca: Sca, psuNumber: string): Promise<ActingCustomer> {
  const signer = await findSigner(reader, sca, psuNumber);
  if (typeof signer === 'string') throw new Refusal(wrongNumberFault(signer, psuNumber));
  return signer;
}
