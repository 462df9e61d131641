import {
  type Allowed,
  currency,
  date,
  formed,
  listOf,
  object,
  oneOf,
  optional,
  text,
  truth,
  whole,
} from '../../values/allowed.ts';
import { countJsonValues } from '../../values/lists.ts';
import { isCurrency, parseAmount, parseInstructedAmount } from '../../values/money.ts';
import { frequencies } from '../../time/rules/occurrences.ts';
import { isCountry } from '../../values/country.ts';

/** Maximum number of JSON values in a cell, in lists and objects: each takes memory, however short its text is. */
const maxValues = 1_000_000;

/** A text that is JSON of something, with at most {@link maxValues} values (control-plane.md B2). */
export function json(allowed: Allowed): Allowed {
  return (value) => {
    if (typeof value !== 'string') return false;
    if (value.length > maxValues && countJsonValues(new TextEncoder().encode(value)) > maxValues) return false;
    try {
      return allowed(JSON.parse(value));
    } catch {
      return false;
    }
  };
}

/* The JSON that the ledger keeps: its members and their values, not every rule that applied to the request. */

/** As long as a body may be: some texts have no other limit. */
export const words = text(1_000_000);
const some = optional(words);

/** Members with a text or none, their names separated by blanks. */
const texts = (names: string) => Object.fromEntries(names.split(' ').map((name) => [name, some]));

const country: Allowed = (value) => typeof value === 'string' && isCountry(value);
const streetAddress = texts('street buildingNumber postalCode city');
const address = object({ ...streetAddress, country });
const numbers = texts('bban iban');
const account = object({ ...numbers, currency });
/** The other side of a mock transaction, which may have a currency. */
const namedAccount = object({ ...numbers, currency: optional(currency) });

/** An amount that its currency can have. */
function money(parse: typeof parseAmount): Allowed {
  const hasForm = object({ amount: text(40), currency });
  return (value) => {
    if (!hasForm(value)) return false;
    const { amount, currency: code } = value as { readonly amount: string; readonly currency: string };
    return isCurrency(code) && typeof parse(amount, code) !== 'string';
  };
}

const formattedAmount = money(parseAmount);

const remittance = {
  remittanceInformationUnstructured: some,
  remittanceInformationStructuredArray: optional(
    listOf(object({ reference: words, referenceType: words, referenceIssuer: some })),
  ),
};

/** An item of a bulk payment. */
const item = {
  instructedAmount: money(parseInstructedAmount),
  creditorName: words,
  creditorAccount: account,
  creditorAddress: optional(address),
  ultimateDebtor: some,
  ...remittance,
};

export const bulkItem = object(item);

const transfer = { ...item, debtorAccount: account, creditorAgent: some, purposeCode: some };

/** The body of an initiation, of any service. */
const bodies: readonly Allowed[] = [
  object({ ...transfer, requestedExecutionDate: optional(date) }),
  object({
    ...transfer,
    startDate: date,
    endDate: optional(date),
    frequency: oneOf(frequencies),
    executionRule: optional(oneOf(['following', 'preceeding'])),
    dayOfExecution: optional(formed(/^\d{1,2}$/)),
    monthsOfExecution: optional(listOf(whole(0, 1_000_000))),
  }),
  object({ paymentInformationId: some, debtorAccount: account, requestedExecutionDate: optional(date) }),
];

export const initiation: Allowed = (value) => bodies.some((allowed) => allowed(value));

const exchange = object({
  instructedAmount: optional(formattedAmount),
  sourceCurrency: currency,
  targetCurrency: currency,
  unitCurrency: currency,
  exchangeRate: words,
  quotationDate: date,
});

const entryDetails = object({
  transactionAmount: formattedAmount,
  creditorName: some,
  creditorAccount: optional(namedAccount),
  ultimateDebtor: some,
  ...remittance,
});

/** TransactionDetails of a mock transaction. */
export const transactionDetails = object({
  ...remittance,
  remittanceInformationUnstructuredArray: optional(listOf(words)),
  ...texts('creditorId creditorName ultimateCreditor creditorAgent debtorName ultimateDebtor debtorAgent purposeCode'),
  ...texts('bankTransactionCode proprietaryBankTransactionCode mandateId'),
  ...texts('additionalInformation additionalInformationProprietaryX'),
  creditorAccount: optional(namedAccount),
  debtorAccount: optional(namedAccount),
  originalAmount: optional(formattedAmount),
  currencyExchange: optional(listOf(exchange)),
  batchIndicator: optional(truth),
  batchNumberOfTransactions: optional(whole(1, 2_147_483_647)),
  entryDetails: optional(listOf(entryDetails)),
});

/** CardDetails. */
export const cardDetails = object({
  ...texts('cardId cardIdVNo accountNumber expiry status'),
  balance: optional(object(texts('referenceDate lastChangeDateTime lastCommittedTransaction'))),
});

/** CardTransactionDetails. */
export const cardTransactionDetails = object({
  ...texts('terminalId merchantCategoryCode markupFeePercentage cardAcceptorId maskedPan transactionDetails'),
  ...texts('proprietaryBankTransactionCode'),
  markupFee: optional(formattedAmount),
  cardAcceptorAddress: optional(object({ ...streetAddress, country: some })),
  invoiced: optional(truth),
});
