import { clip } from '../values/text.ts';
import { type Fault, Refusal } from '../values/fault.ts';
import { actingCustomer, type ActingCustomer } from '../parties/rows/agreements.ts';
import type { Customer } from '../parties/rows/customers.ts';
import type { Reader } from '../ledger/database.ts';
import { mayRegisterUnder } from '../parties/rows/engagements.ts';
import type { SignablePayment } from './rows/signable-payments.ts';
import type { Sca } from '../sca/rows/scas.ts';
import type { Acting } from '../parties/acting.ts';

/** Why a national identity number is wrong: no PSU has it, or the SCA waits for another PSU (rules.md A2c). */
export type WrongNumber = 'unknown' | 'other';

const wrongNumberTexts: Readonly<Record<WrongNumber, (psuNumber: string) => string>> = {
  unknown: (psuNumber) => `No PSU of this bank has the number ${clip(psuNumber, 40)}.`,
  other: () => 'This SCA waits for another PSU: the one whom the request of the TPP named.',
};

/** The PSU with this national identity number, or why it is wrong. */
export async function findSigner(reader: Reader, sca: Sca, psuNumber: string): Promise<ActingCustomer | WrongNumber> {
  const signer = await actingCustomer(reader, psuNumber);
  if (signer === undefined) return 'unknown';
  return sca.customer_id !== null && sca.customer_id !== signer.customer.id ? 'other' : signer;
}

/** The fault of a wrong number (rules.md A4). */
export function wrongNumberFault(why: WrongNumber, psuNumber: string): Fault {
  return { code: 'PSU_CREDENTIALS_INVALID', text: wrongNumberTexts[why](psuNumber) };
}

/** The PSU with this national identity number. PSU_CREDENTIALS_INVALID: unknown, or not the one the SCA waits for (rules.md A4). */
export async function signerOf(reader: Reader, sca: Sca, psuNumber: string): Promise<ActingCustomer> {
  const signer = await findSigner(reader, sca, psuNumber);
  if (typeof signer === 'string') throw new Refusal(wrongNumberFault(signer, psuNumber));
  return signer;
}

/**
 * FORBIDDEN unless the PSU may pay from the debtor account in this context: in PRIVATE it must hold the account, in
 * CORPORATE have an engagement with REGISTER on it under the agreement (rules.md A4; interface: What the service does, 9).
 */
export async function requireRightToPay(
  reader: Reader,
  customer: Customer,
  { context, agreement }: Acting,
  payment: SignablePayment,
): Promise<void> {
  const { debtor_account_id: accountId, debtor_bban: bban } = payment;
  const mayPay =
    context === 'PRIVATE'
      ? payment.debtor_customer_id === customer.id
      : await mayRegisterUnder(reader, agreement.id, { customerId: customer.id, accountId });
  if (mayPay) return;
  const text =
    `The PSU does not reach account ${bban} here: in PRIVATE it must hold the account, in CORPORATE it needs an ` +
    'engagement with REGISTER on it under the agreement that it chose.';
  throw new Refusal({ code: 'FORBIDDEN', text });
}
