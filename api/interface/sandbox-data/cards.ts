import type { AnswerValue } from '../../bodies/written.ts';
import {
  createCardAccount,
  type CreateCardAccount,
  deleteCardAccount,
  listSandboxCardAccounts,
  readSandboxCardAccount,
} from '../../../engine/sandbox-data/customers.ts';
import type {
  CardDetails,
  CardTransactionDetails,
  MockCardTransaction,
} from '../../../engine/cards/rules/card-transaction.ts';
import type { CardAccount } from '../../../engine/cards/rows/cards.ts';
import {
  addCardTransactions,
  listSandboxCardTransactions,
  readSandboxCardTransaction,
  removeCardTransactions,
} from '../../../engine/cards/cards.ts';
import { link } from '../../pipeline/endpoint.ts';
import { cardAmount, cardTransactionAnswer, cardTransaction } from '../cards/card-accounts.ts';
import { minorUnitsOf, resource, amountOf, formatMoney } from './resource.ts';
import * as Type from 'typebox';
import { faultAt, formatValue, memberOf, type Members, type RuleFault } from '../../bodies/rule.ts';
import { belowZero, minorIn, sandboxMoney } from '../../bodies/amount.ts';
import { choice, closed, listOf, meaning, optional, type Static, titled } from '../../bodies/schema.ts';
import { currency, customerNumber, date, maskedPan, mockBookingDate, name, sandboxText } from '../../bodies/values.ts';
import { story, storyDays } from '../../bodies/examples.ts';
import { mockTransactions } from './mock-transactions.ts';
import { amount, resourceId, links, some } from '../answer-parts.ts';

const text = optional(sandboxText);

/** interface: /v1/sandbox/card-accounts; real-api-facts.md 10. Amounts are parsed by parseSandboxAmount. */
export const cardAccountBody = titled('SandboxCardAccount', 'A card account that the bank opens.', {
  examples: [
    {
      customerNumber: story.psu,
      maskedPan: '123456******4321',
      currency: 'NOK',
      creditLimit: { amount: '30000.00', currency: 'NOK' },
    },
  ],
  rules: [cardAmounts, equalBalances],
}).closed({
  customerNumber: meaning('Whose card it is.', customerNumber),
  maskedPan,
  currency,
  creditLimit: optional(sandboxMoney),
  balances: optional(
    listOf(
      closed({
        balanceType: choice('the kind of balance', ['EXPECTED']),
        balanceAmount: sandboxMoney,
        referenceDate: text,
        lastChangeDateTime: text,
        lastCommittedTransaction: text,
      }),
      'a list with the opening balance; several of them are equal',
    ),
  ),
  cardId: text,
  cardIdVNo: text,
  accountNumber: text,
  expiry: text,
  name: optional(name),
  product: optional(name),
  status: text,
});

type CardAccountBody = Static<typeof cardAccountBody>;

/** rules.md D5: several balances of one type say the same. */
function equalBalances({ balances }: Members): readonly RuleFault[] {
  if (!Array.isArray(balances)) return [];
  const described = balances.map(wordsOf);
  const other = described.findIndex((words) => words !== described[0]);
  if (other === -1) return [];
  const text = 'It is not equal to balances[0], and a card has one balance of a type. Send one of them, or equal ones.';
  return faultAt(`balances[${other}]`, text);
}

/** All that a balance says, as one text; amounts that are spelled differently are the same amount. */
function wordsOf(balance: unknown): string {
  const money = memberOf(balance, 'balanceAmount');
  const [amount, code] = [memberOf(money, 'amount'), memberOf(money, 'currency')];
  const minor = minorIn(amount, code)?.toString() ?? amount;
  const texts = ['balanceType', 'referenceDate', 'lastChangeDateTime', 'lastCommittedTransaction'];
  return JSON.stringify([minor, code, ...texts.map((name) => memberOf(balance, name))]);
}

/** Credit limit and opening balance are in the card's currency; the limit is not below zero. */
function cardAmounts({ currency: own, creditLimit, balances }: Members): readonly RuleFault[] {
  const first: unknown = Array.isArray(balances) ? balances[0] : undefined;
  return [
    ...inCurrency('creditLimit.currency', memberOf(creditLimit, 'currency'), own),
    ...inCurrency('balances[0].balanceAmount.currency', memberOf(memberOf(first, 'balanceAmount'), 'currency'), own),
    ...belowZero('creditLimit.amount', memberOf(creditLimit, 'amount')),
  ];
}

function inCurrency(member: string, held: unknown, own: unknown): readonly RuleFault[] {
  if (typeof held !== 'string' || typeof own !== 'string' || held === own) return [];
  return faultAt(member, `It is in ${formatValue(held)}, the card in ${formatValue(own)}. Send the card's currency.`);
}

const cardAccountAnswer = titled('CardAccountOfTestData', 'A card account, whoever may read it.', {
  examples: [{ name: 'Kredittkort', creditLimit: { amount: '30000.00', currency: 'NOK' } }],
}).closed({
  resourceId: resourceId(story.cardId),
  customerNumber,
  maskedPan,
  currency,
  name,
  product: optional(name),
  creditLimit: amount,
  balances: listOf(
    closed({
      balanceType: choice('which balance it is', ['EXPECTED']),
      balanceAmount: amount,
      referenceDate: some,
      lastChangeDateTime: some,
      lastCommittedTransaction: some,
    }),
    'A list of one balance.',
    { minItems: 1, maxItems: 1 },
  ),
  cardId: some,
  cardIdVNo: some,
  accountNumber: some,
  expiry: some,
  status: some,
  _links: links(`/v1/sandbox/card-accounts/${story.cardId}`, ['self', 'transactions']),
});

/** interface: /v1/sandbox/card-accounts; real-api-facts.md 10. */
export const sandboxCardAccounts = resource({
  path: '/sandbox/card-accounts',
  id: 'cardId',
  names: 'account',
  summaries: {
    create: 'Create a card account',
    list: 'List all card accounts of the test data',
    read: 'Read a card account of the test data',
    remove: 'Delete a card account',
  },
  all: 'card accounts',
  answer: cardAccountAnswer,
  body: cardAccountBody,
  faultPaths: { RESOURCE_UNKNOWN: 'customerNumber' },
  create: (bank, body) => createCardAccount(bank, wantedCard(body)),
  list: listSandboxCardAccounts,
  read: readSandboxCardAccount,
  remove: deleteCardAccount,
  show: sandboxCardAccount,
});

/** The name defaults to the product, then to `Kort`. */
function wantedCard(body: CardAccountBody): CreateCardAccount {
  const { customerNumber, maskedPan, currency, creditLimit, balances, name, product = null, ...details } = body;
  const { balanceAmount, balanceType, ...balance } = balances?.[0] ?? {};
  return {
    customerNumber,
    maskedPan,
    name: name ?? product ?? 'Kort',
    product,
    currency,
    creditLimit: minorUnitsOf(creditLimit?.amount, currency),
    openingBalance: minorUnitsOf(balanceAmount?.amount, currency),
    details: { ...details, ...(balanceType !== undefined && { balance }) },
  };
}

/**
 * real-api-facts.md 10: POST and GET /v1/sandbox/card-accounts. EXPECTED is the opening balance less all transactions.
 */
function sandboxCardAccount(card: CardAccount): AnswerValue<typeof cardAccountAnswer> {
  const self = `/v1/sandbox/card-accounts/${card.resource_id}`;
  const { balance, ...details } = JSON.parse(card.details) as CardDetails;
  return {
    resourceId: card.resource_id,
    customerNumber: card.customer_number,
    maskedPan: card.masked_pan,
    currency: card.currency,
    name: card.name,
    ...(card.product !== null && { product: card.product }),
    creditLimit: cardAmount(card, card.credit_limit_minor),
    balances: [{ balanceType: 'EXPECTED', balanceAmount: cardAmount(card, card.sum_minor), ...balance }],
    ...details,
    _links: {
      self: link(self, 'GET', 'DELETE'),
      transactions: link(`${self}/transactions`, 'GET', 'POST', 'DELETE'),
    },
  };
}

/** An empty text means unknown. Amounts are parsed by parseSandboxAmount. */
const cardTransactionItem = titled(
  'SandboxCardTransaction',
  'A purchase or a refund that is to have happened on a card.',
).closed({
  cardTransactionId: text,
  terminalId: text,
  bookingDate: optional(mockBookingDate),
  transactionDate: date,
  transactionAmount: meaning("A purchase above zero, a refund below; in the card's currency.", sandboxMoney),
  originalAmount: optional(meaning('The amount in the currency of the purchase.', sandboxMoney)),
  merchantCategoryCode: text,
  markupFee: optional(sandboxMoney),
  markupFeePercentage: text,
  cardAcceptorId: text,
  cardAcceptorAddress: optional(
    closed(
      { street: text, buildingNumber: text, postalCode: text, city: text, country: text },
      { description: 'Where the goods were bought.', expected: 'an address; any of it may be left out' },
    ),
  ),
  maskedPan: text,
  transactionDetails: text,
  invoiced: optional(
    // No enum: generated clients name a member by its text, and have `true` twice then.
    Type.Unsafe<boolean | 'true' | 'false' | ''>({
      description: 'true or false, as a text or a boolean; empty: false',
      type: ['boolean', 'string'],
      pattern: '^(true|false)?$',
    }),
  ),
  proprietaryBankTransactionCode: text,
});

/** interface: /v1/sandbox/card-accounts/{id}/transactions; real-api-facts.md 10. */
export const cardTransactionsBody = Type.Array(cardTransactionItem, {
  title: 'SandboxCardTransactions',
  description: 'Transactions that are to have happened on a card: all of them or none.',
  expected: 'a list of one card transaction or more',
  minItems: 1,
  examples: [
    [
      {
        transactionDate: storyDays.lastBankingDay,
        bookingDate: storyDays.lastBankingDay,
        transactionAmount: { amount: '120.00', currency: 'NOK' },
        transactionDetails: 'Kaffebrenneriet',
      },
    ],
  ],
});

type CardTransaction = Static<typeof cardTransactionItem>;

/** interface: /v1/sandbox/card-accounts/{id}/transactions; real-api-facts.md 10. */
export const sandboxCardTransactions = mockTransactions({
  path: '/sandbox/card-accounts/:cardId/transactions',
  ids: ['cardId', 'cardTransactionId'],
  summaries: {
    add: 'Add transactions to a card account',
    list: 'List transactions of a card account of the test data',
    removeAll: 'Delete all transactions of a card account',
    read: 'Read a transaction of a card account of the test data',
    remove: 'Delete a transaction of a card account',
  },
  all: 'transactions of the card account',
  answer: cardTransactionAnswer,
  body: cardTransactionsBody,
  faultPaths: { CONFLICT: '[0].cardTransactionId' },
  add: async (bank, cardId, body) => {
    const { card, added } = await addCardTransactions(bank, cardId, body.map(mockCardTransactionOf));
    return added.map((row) => cardTransaction(card, row));
  },
  list: async (bank, cardId, window) => {
    const { card, transactions } = await listSandboxCardTransactions(bank, cardId, window);
    return transactions.map((row) => cardTransaction(card, row));
  },
  removeAll: (bank, cardId) => removeCardTransactions(bank, cardId, null),
  read: async (bank, cardId, id) => {
    const { card, transaction } = await readSandboxCardTransaction(bank, cardId, id);
    return cardTransaction(card, transaction);
  },
  remove: removeCardTransactions,
});

/**
 * One item of the body in the engine's terms. Drops empty texts, which the published scripts send for unknown values.
 */
function mockCardTransactionOf(item: CardTransaction): MockCardTransaction {
  const { cardTransactionId, bookingDate, transactionDate, transactionAmount, originalAmount } = item;
  return {
    cardTransactionId: cardTransactionId || null,
    bookingDate: bookingDate || null,
    transactionDate,
    transactionAmount: amountOf(transactionAmount),
    originalAmount: originalAmount === undefined ? null : amountOf(originalAmount),
    details: detailsOf(item),
  };
}

function detailsOf(item: CardTransaction): CardTransactionDetails {
  const { invoiced, markupFee, cardAcceptorAddress } = item;
  const address = withoutEmpty(cardAcceptorAddress ?? {});
  return {
    ...withoutEmpty({
      terminalId: item.terminalId,
      merchantCategoryCode: item.merchantCategoryCode,
      markupFeePercentage: item.markupFeePercentage,
      cardAcceptorId: item.cardAcceptorId,
      maskedPan: item.maskedPan,
      transactionDetails: item.transactionDetails,
      proprietaryBankTransactionCode: item.proprietaryBankTransactionCode,
    }),
    ...(Object.keys(address).length > 0 && { cardAcceptorAddress: address }),
    ...(markupFee !== undefined && { markupFee: formatMoney(markupFee) }),
    ...(invoiced !== undefined && invoiced !== '' && { invoiced: String(invoiced) === 'true' }),
  };
}

function withoutEmpty(texts: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(texts).filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== ''),
  );
}
