import { Refusal } from '../values/fault.ts';
import { accountNumber, type InitiatedTransfer } from './rules/payment-initiation.ts';
import type { AccountReference } from '../values/credit-transfer.ts';
import type { Creditor } from './rules/transfer-rules.ts';
import { accountsByNumber, type Account } from '../accounts/rows/accounts.ts';
import type { Reader } from '../ledger/database.ts';
import type { IdentifiedPsu } from '../parties/identify-psu.ts';
import { payableByAgreement } from '../parties/rows/engagements.ts';
import type { PsuContext } from '../parties/rows/tables.ts';

/** A creditor account of this bank; `customerId` is its holder. */
interface CreditorAccount extends Creditor {
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

/** The PSU of an initiation, and the PSU-Context that it named. */
interface Initiator extends IdentifiedPsu {
  readonly context: PsuContext | null;
}

/**
 * The exemption of a payment from SCA, or null (rules.md A5). The TPP knows the PSU by an earlier SCA, the debtor account
 * needs one signature, and every account is open to the PSU in one context: its own accounts in PRIVATE, in CORPORATE those
 * on which it has REGISTER under one agreement. A context or agreement that the request names is the only one that counts.
 */
export async function exemptionOf(
  reader: Reader,
  { customer, psu, agreement: named, context }: Initiator,
  { debtor, creditors }: Parties,
  transfers: readonly InitiatedTransfer[],
): Promise<Exemption | null> {
  if (customer === null || psu?.known_by_sca !== 1 || debtor.signatures_required > 1) return null;
  const others: CreditorAccount[] = [];
  for (const number of new Set(transfers.map(({ creditorNumber }) => creditorNumber))) {
    const creditor = creditors.get(number);
    if (creditor === undefined) return null;
    others.push(creditor);
  }
  const areOwn = [debtor.customer_id, ...others.map(({ customerId }) => customerId)].every((id) => id === customer.id);
  if (areOwn && context !== 'CORPORATE' && named === null) return { agreementId: null };
  if (context === 'PRIVATE') return null;
  const payable = await payableByAgreement(reader, customer.id, debtor.id);
  const agreementId = [...payable.keys()].find(
    (id) => id === (named?.id ?? id) && others.every((account) => payable.get(id)?.has(account.id)),
  );
  return agreementId === undefined ? null : { agreementId };
}
