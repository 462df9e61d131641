import {
  type Amount,
  balanceLimit,
  type Currency,
  formatAmount,
  type FormattedAmount,
  isWithinBalanceLimit,
} from '../../values/money.ts';
import type { StreetAddress } from '../../values/credit-transfer.ts';
import { futureDate } from '../../accounts/rules/mock-transaction.ts';
import type { Fault } from '../../values/fault.ts';
import type { LocalDate } from '../../values/local-date.ts';

/** Members of a card that are only stored and returned. */
export interface CardDetails {
  readonly cardId?: string;
  readonly cardIdVNo?: string;
  readonly accountNumber?: string;
  readonly expiry?: string;
  readonly status?: string;
  /** Posted with the opening balance, and returned with the balance (rules.md D5). */
  readonly balance?: {
    readonly referenceDate?: string;
    readonly lastChangeDateTime?: string;
    readonly lastCommittedTransaction?: string;
  };
}

/** The members of a card transaction other than its amounts and dates (real-api-facts.md 10). Stored as JSON. */
export interface CardTransactionDetails {
  readonly terminalId?: string;
  readonly merchantCategoryCode?: string;
  readonly markupFeePercentage?: string;
  readonly cardAcceptorId?: string;
  readonly maskedPan?: string;
  readonly transactionDetails?: string;
  readonly proprietaryBankTransactionCode?: string;
  readonly markupFee?: FormattedAmount;
  /** Address of the shop. */
  readonly cardAcceptorAddress?: StreetAddress & { readonly country?: string };
  readonly invoiced?: boolean;
}

/** A mock card transaction to add: a purchase or a refund (rules.md D3, D5). */
export interface MockCardTransaction {
  /** It is null if the bank assigns one. */
  readonly cardTransactionId: string | null;
  /** After today. It is pending until then, and without a date it stays pending (rules.md D3d). */
  readonly bookingDate: LocalDate | null;
  readonly transactionDate: LocalDate;
  /** In the card's currency; a purchase is positive. */
  readonly transactionAmount: Amount;
  /** In the currency of the purchase, if known. */
  readonly originalAmount: Amount | null;
  readonly details: CardTransactionDetails;
}

/**
 * Faults of a mock card transaction (rules.md D3): an amount of zero or not in the card's currency, as
 * transactionAmount is what the card is charged (interface: Versioning, the switch of the two amounts); a transaction
 * date in the future.
 */
export function checkMockCardTransaction(
  wanted: MockCardTransaction,
  bank: { readonly currency: Currency; readonly today: LocalDate },
  path: string,
): readonly Fault[] {
  const faults: Fault[] = [];
  const refuse = (member: string, text: string) =>
    faults.push({ code: 'FORMAT_ERROR', path: `${path}.${member}`, text });
  const { minor, currency } = wanted.transactionAmount;
  if (currency !== bank.currency) {
    const text =
      `transactionAmount is in ${currency}, the card in ${bank.currency}. Send what the card is charged here, ` +
      'and the amount of the purchase as originalAmount.';
    refuse('transactionAmount.currency', text);
  }
  if (minor === 0n) refuse('transactionAmount.amount', 'The amount is zero. A purchase is above zero, a refund below.');
  const early = futureDate('transactionDate', wanted.transactionDate, bank.today);
  if (early !== null) refuse('transactionDate', early);
  return faults;
}

/**
 * A fault for the first of these transactions that would take the card's balance beyond the limit (rules.md P4),
 * counting from a sum of `before`; else empty.
 */
export function checkCardSum(before: bigint, wanted: readonly MockCardTransaction[]): readonly Fault[] {
  let sum = before;
  for (const [index, { transactionAmount }] of wanted.entries()) {
    sum -= transactionAmount.minor;
    if (isWithinBalanceLimit(sum)) continue;
    const limit = formatAmount({ ...transactionAmount, minor: balanceLimit });
    const text =
      `With it the balance of the card would be beyond ${limit} ${transactionAmount.currency}, the most that the bank ` +
      'keeps. Send a smaller amount.';
    return [{ code: 'FORMAT_ERROR', path: `[${index}].transactionAmount.amount`, text }];
  }
  return [];
}
