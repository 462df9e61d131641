import { countJsonValues } from '../../values/lists.ts';
import { clockRange } from '../../time/rules/bank-clock.ts';
import { balanceLimit, isCurrency, limitOf, parseAmount, parseInstructedAmount } from '../../values/money.ts';
import { parseLocalDate } from '../../values/local-date.ts';
import { frequencies } from '../../time/rules/occurrences.ts';
import { isCountry } from '../../values/country.ts';

/* Which values a column, or a member of JSON in a column, may have. */

export type Allowed = (value: unknown) => boolean;

const day = 86_400_000;
/** First and last instant of bank time and of the wall clock; a running clock may pass the last one that can be set. */
const instants = { from: clockRange.from - day, to: clockRange.to + 400 * day };
/** First and last day of bank activity: the calendar covers them. */
const days = { from: '1990-01-01', to: '2101-02-28' };
/** Far more than a ledger has, and low enough for counts to stay exact. */
const maxRows = 1_000_000_000;

/** A whole number within bounds, both included. */
export function whole(from: number, to: number): Allowed {
  return (value) => typeof value === 'number' && Number.isSafeInteger(value) && value >= from && value <= to;
}

export const key = whole(1, maxRows);
/** Of a payment or an execution: it begins with a day before 2100 (engine/ledger/queries.ts). */
export const dayKey = whole(1, 2 ** 46);
export const count = whole(0, maxRows);
export const flagged = whole(0, 1);
/** In ms. */
export const instant = whole(instants.from, instants.to);
/** An instant of the wall clock, which may be before all bank time. */
export const wallInstant = whole(0, instants.to);

/** Minor units of money within a limit. */
function minor(isIn: (value: bigint) => boolean): Allowed {
  return (value) => typeof value === 'bigint' && isIn(value);
}

export const amount = minor((value) => value !== 0n && value <= balanceLimit && value >= -balanceLimit);
export const positive = minor((value) => value > 0n && value <= balanceLimit);
export const notNegative = minor((value) => value >= 0n && value <= balanceLimit);
/** A balance of an account of a customer, or of the bank's own. */
export const balance = minor((value) => value <= limitOf('clearing') && value >= -limitOf('clearing'));

/** A text whose length is within these bounds. */
export function text(maxLength: number, minLength = 0): Allowed {
  return (value) => typeof value === 'string' && value.length >= minLength && value.length <= maxLength;
}

/** A text that matches the form. */
export function formed(form: RegExp): Allowed {
  return (value) => typeof value === 'string' && form.test(value);
}

/** Ids from engine/bank/ids.ts, and those that tests choose. */
export const id = formed(/^[\w!=.:~+-]{1,200}$/);
export const name = text(200);
export const currency: Allowed = (value) => typeof value === 'string' && isCurrency(value);
/** A day that exists. */
export const date: Allowed = (value) => typeof value === 'string' && parseLocalDate(value) !== null;
/** A day on which the bank may do something. */
export const bankDate: Allowed = (value) => date(value) && String(value) >= days.from && String(value) <= days.to;

export function oneOf(values: Iterable<string | boolean>): Allowed {
  const known = new Set<unknown>(values);
  return (value) => known.has(value);
}

/** Allows null too. */
export function orNull(allowed: Allowed): Allowed {
  return (value) => value === null || allowed(value);
}

/* Members of JSON. */

export const truth: Allowed = (value) => typeof value === 'boolean';

/** Allows a missing member too. */
export function optional(allowed: Allowed): Allowed {
  return (value) => value === undefined || allowed(value);
}

export function listOf(allowed: Allowed): Allowed {
  return (value) => Array.isArray(value) && value.every(allowed);
}

/** An object with these members and no others. */
export function object(members: Readonly<Record<string, Allowed>>): Allowed {
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    const entries = new Map<string, unknown>(Object.entries(value));
    const isKnown = [...entries.keys()].every((member) => Object.hasOwn(members, member));
    return isKnown && Object.entries(members).every(([member, allowed]) => allowed(entries.get(member)));
  };
}

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

/** A list that is not empty. */
export function filled(allowed: Allowed): Allowed {
  return (value) => Array.isArray(value) && value.length > 0 && listOf(allowed)(value);
}

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
