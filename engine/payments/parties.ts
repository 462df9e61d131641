import { Refusal } from '../values/fault.ts';
import { accountNumber, type InitiatedTransfer } from './rules/payment-initiation.ts';
import type { AccountReference } from '../values/credit-transfer.ts';
import type { Creditor } from './rules/transfer-rules.ts';
import { accountsByNumber, type Account } from '../accounts/rows/accounts.ts';
import type { OwnedAgreement } from '../parties/rows/agreements.ts';
import type { Customer } from '../parties/rows/customers.ts';
import type { Reader } from '../ledger/database.ts';
import { accountsByAgreement } from '../parties/rows/engagements.ts';

/** A creditor account of this bank; `customerId` is its holder. */
export interface CreditorAccount extends Creditor {
  readonly id: number;
  readonly customerId: number | null;
}

/** The accounts of an initiation that this bank has. */
export interface Parties {
  readonly debtor: Account;
  /** By creditor number; an account in another bank is missing. */
  readonly creditors: ReadonlyMap<string, CreditorAccount>;
}

/** Reads debtor and creditor accounts in one query. Unknown debtor account: RESOURCE_UNKNOWN; one without payment permission: SERVICE_BLOCKED. */
export async function partiesOf(
  reader: Reader,
  debtorAccount: AccountReference,
  transfers: readonly InitiatedTransfer[],
): Promise<Parties> {
  const number = accountNumber(debtorAccount);
  const numbers = new Set([number, ...transfers.map(({ creditorNumber }) => creditorNumber)]);
  const accounts = await accountsByNumber(reader, numbers);
  const debtor = accounts.get(number);
  if (debtor === undefined) {
    const text =
      `This bank has no account ${number}. ` +
      'GET /sandbox/info lists the PSUs to try, GET /v1/sandbox/accounts the accounts.';
    throw new Refusal({ code: 'RESOURCE_UNKNOWN', place: 'payload', path: 'debtorAccount', text });
  }
  if (debtor.payments_allowed === 0) {
    const text = `The bank has removed the payment permission of account ${number}. Pay from another account.`;
    throw new Refusal({ code: 'SERVICE_BLOCKED', path: 'debtorAccount', text });
  }
  return { debtor, creditors: new Map([...accounts].map(([key, account]) => [key, creditorOf(account)])) };
}

function creditorOf({ id, customer_id, currency, kid_agreement }: Account): CreditorAccount {
  return { id, customerId: customer_id, currency, kidAgreement: kid_agreement };
}

/** An exemption of a payment from SCA. */
export interface Exemption {
  /** The agreement under which it is exempt; null: between the PSU's own accounts. */
  readonly agreementId: number | null;
}

/**
 * The exemption of a payment from SCA, or null (rules.md A5). Exempt are payments between the PSU's own accounts, and
 * between accounts on which the PSU has engagements under one agreement, with REGISTER on the debtor's. Of several such
 * agreements the one that the request names counts. A debtor account that requires several signatures is never exempt.
 */
export async function exemptionOf(
  reader: Reader,
  psu: Customer,
  { debtor, creditors }: Parties,
  transfers: readonly InitiatedTransfer[],
  named: OwnedAgreement | null,
): Promise<Exemption | null> {
  if (debtor.signatures_required > 1) return null;
  const others: CreditorAccount[] = [];
  for (const number of new Set(transfers.map(({ creditorNumber }) => creditorNumber))) {
    const creditor = creditors.get(number);
    if (creditor === undefined) return null;
    others.push(creditor);
  }
  if (debtor.customer_id === psu.id) {
    return others.every(({ customerId }) => customerId === psu.id) ? { agreementId: null } : null;
  }
  const shared = await accountsByAgreement(reader, psu.id, debtor.id);
  const exempting = [...shared.keys()].filter((id) => others.every((account) => shared.get(id)?.has(account.id)));
  const [agreementId] = exempting.includes(named?.id ?? 0) ? [named?.id] : exempting;
  return agreementId === undefined ? null : { agreementId };
}
