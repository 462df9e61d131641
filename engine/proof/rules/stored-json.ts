import { frequencies } from '../../time/rules/frequency.ts';
import { isCountry } from '../../values/country.ts';
import { isCurrency } from '../../values/currency.ts';
import { parseAmount, parseInstructedAmount } from '../../values/money.ts';
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
} from './allowed.ts';

/* The JSON that the ledger keeps: its members and their values, not every rule that applied to the request. */

/** As long as a body may be: some texts have no other limit. */
const words = text(1_000_000);
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
function filled(allowed: Allowed): Allowed {
  return (value) => Array.isArray(value) && value.length > 0 && listOf(allowed)(value);
}

const number11 = formed(/^\d{11}$/);

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

/** A decimal of NOK, or of another currency. */
const decimal = formed(/^-?\d{1,10}(\.\d{2,3})?$/);
const personaParty = { name: words, account: optional(formed(/^(\d{11}|[A-Z]{2}\d{2}[0-9A-Z]{1,30})$/)) };
const numberFrom1 = (most: number): Allowed => whole(1, most);
const dated = object({
  days: filled(numberFrom1(31)),
  rule: oneOf(['preceding', 'following', 'month end']),
  months: optional(listOf(numberFrom1(12))),
});
const orderDays = object({ days: filled(numberFrom1(31)), rule: oneOf(['preceding', 'following']) });
const counted = (value: unknown): boolean =>
  object({ perMonth: numberFrom1(1_000), notOnSundays: optional(truth) })(value) ||
  object({ perYear: numberFrom1(12_000), notOnSundays: optional(truth) })(value);
const datedOrCounted: Allowed = (value) => dated(value) || counted(value);
const foreign = object({
  currency,
  rate: formed(/^\d{1,9}(\.\d{1,6})?$/),
});
const range = { amount: decimal, upTo: optional(decimal), foreign: optional(foreign), code: some };
const percent = formed(/^\d{1,3}\.\d{2}$/);
const personaEvents: Readonly<Record<string, Readonly<Record<string, Allowed>>>> = {
  transfer: {
    ...range,
    when: datedOrCounted,
    text: some,
    parties: optional(listOf(object(personaParty))),
    hasKid: optional(truth),
    mandateId: some,
  },
  card: {
    ...range,
    when: datedOrCounted,
    card: oneOf(['domestic', 'visa', 'foreign']),
    shops: filled(words),
    reserved: optional(decimal),
    lapsesAfterDays: optional(numberFrom1(30)),
  },
  'standing order': {
    when: orderDays,
    amount: decimal,
    text: words,
    party: object({ ...personaParty, account: number11 }),
  },
  bulk: {
    when: dated,
    text: words,
    payees: filled(object({ ...personaParty, account: number11, amount: decimal })),
  },
  interest: { when: dated, text: words, rate: percent, code: some },
  'overdraft interest': { when: dated, text: words, rate: percent, code: some },
  'fee for failed orders': { when: dated, text: words, rate: percent, code: some },
};

const personaEvent: Allowed = (value) => {
  const { kind } = Object(value) as { readonly kind?: unknown };
  const members = typeof kind === 'string' && Object.hasOwn(personaEvents, kind) ? personaEvents[kind] : undefined;
  return members !== undefined && object({ event: words, kind: words, ...members })(value) && hasAmounts(value);
};

/** Its amounts are those of its currency. */
function hasAmounts(value: unknown): boolean {
  const { amount, upTo, foreign: other } = value as Readonly<Partial<Record<string, unknown>>>;
  const code = (other as { readonly currency?: unknown } | undefined)?.currency ?? 'NOK';
  return [amount, upTo].every(
    (each) =>
      typeof each !== 'string' ||
      (typeof code === 'string' && isCurrency(code) && typeof parseAmount(each, code) !== 'string'),
  );
}

/** A Persona (engine/life). */
export const persona = object({
  name: words,
  description: words,
  netPerYear: decimal,
  events: listOf(personaEvent),
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
