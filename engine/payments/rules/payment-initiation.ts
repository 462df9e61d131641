import { assert } from '../../values/assert.ts';
import { bicCountry, parseIban } from '../../values/account-number.ts';
import type { AccountReference, BulkPaymentItem, CreditTransferInitiation } from '../../values/credit-transfer.ts';
import { intervalOf, type Frequency, lastExecutionDate, type Schedule } from '../../time/rules/occurrences.ts';
import type { LocalDate } from '../../values/local-date.ts';
import { type Amount, parseInstructedAmount } from '../../values/money.ts';

export interface SinglePaymentInitiation extends CreditTransferInitiation {
  readonly requestedExecutionDate?: LocalDate;
}

/** A validated bulk request body (real-api-facts.md 6). */
export interface BulkPaymentInitiation {
  readonly paymentInformationId?: string;
  readonly debtorAccount: AccountReference;
  readonly requestedExecutionDate?: LocalDate;
  readonly payments: readonly BulkPaymentItem[];
}

/** A validated periodic request body (interface: Periodic payment initiation request body). */
export interface PeriodicPaymentInitiation extends CreditTransferInitiation {
  readonly startDate: LocalDate;
  readonly endDate?: LocalDate;
  readonly frequency: Frequency;
  /** `preceeding` is the interface's spelling. */
  readonly executionRule?: 'following' | 'preceeding';
  readonly dayOfExecution?: string;
  readonly monthsOfExecution?: readonly number[];
}

/** A validated request body with the service that it was sent to. */
export type Initiation =
  | { readonly service: 'payments'; readonly body: SinglePaymentInitiation }
  | { readonly service: 'periodic-payments'; readonly body: PeriodicPaymentInitiation }
  | { readonly service: 'bulk-payments'; readonly body: BulkPaymentInitiation };

/** One transfer of an initiation, with the creditor's number and the parsed amount. */
export interface InitiatedTransfer {
  /** Path in the body, `payments[3]`; empty for a body with one creditor. */
  readonly path: string;
  readonly body: CreditTransferInitiation;
  /** A bulk payment's item as sent; null for a single or periodic payment. */
  readonly item: BulkPaymentItem | null;
  readonly creditorNumber: string;
  readonly amount: Amount;
}

/** The transfers of an initiation, in the order of the body. */
export function transfersOf({ service, body }: Initiation): readonly InitiatedTransfer[] {
  if (service !== 'bulk-payments') return [transferOf('', body, null)];
  const { debtorAccount } = body;
  return body.payments.map((item, index) => transferOf(`payments[${index}]`, { ...item, debtorAccount }, item));
}

function transferOf(path: string, body: CreditTransferInitiation, item: BulkPaymentItem | null): InitiatedTransfer {
  return { path, body, item, creditorNumber: creditorNumber(body), amount: checkedAmount(body) };
}

/** The amount of a transfer whose body was checked. */
export function checkedAmount({ instructedAmount }: Pick<BulkPaymentItem, 'instructedAmount'>): Amount {
  const { amount: text, currency } = instructedAmount;
  const amount = parseInstructedAmount(text, currency);
  assert(typeof amount !== 'string', `${text} was checked with the body`);
  return amount;
}

/** The body without the items of a bulk payment, which are stored with their transfers. */
export function sharedMembers({ service, body }: Initiation): object {
  if (service !== 'bulk-payments') return body;
  const { paymentInformationId, debtorAccount, requestedExecutionDate } = body;
  return { paymentInformationId, debtorAccount, requestedExecutionDate };
}

/** The eleven-digit BBAN of a Norwegian account reference; null for an account in another country. */
export function norwegianNumber(reference: AccountReference): string | null {
  if (reference.iban === undefined) return reference.bban ?? null;
  const iban = parseIban(reference.iban);
  return typeof iban === 'string' || iban.country !== 'NO' ? null : iban.bban;
}

/** The number by which an account is looked up: the Norwegian BBAN, else the IBAN. */
export function accountNumber(reference: AccountReference): string {
  return norwegianNumber(reference) ?? reference.iban ?? '';
}

/**
 * The number by which a creditor account is looked up: {@link accountNumber}; for an account abroad without IBAN the
 * bank's BIC and the number.
 */
export function creditorNumber({
  creditorAccount,
  creditorAgent,
}: Pick<CreditTransferInitiation, 'creditorAccount' | 'creditorAgent'>): string {
  const { bban, iban } = creditorAccount;
  if (iban === undefined && creditorAgent !== undefined && bicCountry(creditorAgent) !== 'NO') {
    return `${creditorAgent} ${bban ?? ''}`;
  }
  return accountNumber(creditorAccount);
}

/** The schedule of a periodic initiation, without the members that its frequency ignores (rules.md R3, R5). */
export function scheduleOf(body: PeriodicPaymentInitiation): Schedule {
  return {
    startDate: body.startDate,
    endDate: endOf(body.endDate),
    frequency: body.frequency,
    executionRule: body.executionRule === 'preceeding' ? 'preceding' : 'following',
    dayOfExecution:
      body.dayOfExecution === undefined || ignoresDay(body.frequency) ? null : Number(body.dayOfExecution),
    monthsOfExecution: body.frequency === 'MonthlyVariable' ? (body.monthsOfExecution ?? null) : null,
  };
}

/** The end date; null if it is missing or after the last possible execution date (rules.md R7b). */
export function endOf(endDate: LocalDate | undefined): LocalDate | null {
  return endDate === undefined || endDate > lastExecutionDate ? null : endDate;
}

/** Whether a frequency ignores dayOfExecution, as those counted in days do (rules.md R3). */
export function ignoresDay(frequency: Frequency): boolean {
  return intervalOf(frequency).unit === 'day';
}
