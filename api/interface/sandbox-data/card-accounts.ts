import type { AnswerValue } from '../../bodies/written.ts';
import {
  createCardAccount,
  type CreateCardAccount,
  deleteCardAccount,
  listSandboxCardAccounts,
  readSandboxCardAccount,
} from '../../../engine/sandbox-data/customers.ts';
import { cardBalancesOf } from '../../../engine/cards/rules/card-transaction.ts';
import type { CardAccount } from '../../../engine/cards/rows/cards.ts';
import type { CardDetails } from '../../../engine/cards/cards.ts';
import { link } from '../../pipeline/endpoint.ts';
import { cardAmount } from '../cards/card-answers.ts';
import { minorUnitsOf, resource } from './resource.ts';
import { cardAccountAnswer } from './sandbox-answers.ts';
import * as Type from 'typebox';
import { formatValue, memberOf, type Members, type RuleFault } from '../../bodies/rule.ts';
import { belowZero, minorIn, sandboxMoney } from '../../bodies/amount.ts';
import {
  choice,
  closed,
  currency,
  customerNumber,
  maskedPan,
  meaning,
  name,
  sandboxText,
  type Static,
} from '../../bodies/schema.ts';
import { story } from '../../bodies/story.ts';

const text = Type.Optional(sandboxText);

/** interface: /v1/sandbox/card-accounts; real-api-facts.md 10. Amounts are parsed by parseSandboxAmount. */
export const cardAccountBody = closed(
  {
    customerNumber: meaning('Whose card it is.', customerNumber),
    maskedPan,
    currency,
    creditLimit: Type.Optional(sandboxMoney),
    balances: Type.Optional(
      Type.Array(
        closed({
          balanceType: choice('the kind of balance', ['EXPECTED']),
          balanceAmount: sandboxMoney,
          referenceDate: text,
          lastChangeDateTime: text,
          lastCommittedTransaction: text,
        }),
        { description: 'a list with the opening balance; several of them are equal' },
      ),
    ),
    cardId: text,
    cardIdVNo: text,
    accountNumber: text,
    expiry: text,
    name: Type.Optional(name),
    product: Type.Optional(name),
    status: text,
  },
  {
    title: 'SandboxCardAccount',
    description: 'A card account that the bank opens.',
    examples: [
      {
        customerNumber: story.psu,
        maskedPan: '123456******4321',
        currency: 'NOK',
        creditLimit: { amount: '30000.00', currency: 'NOK' },
      },
    ],
    rules: [cardAmounts, equalBalances],
  },
);

type CardAccountBody = Static<typeof cardAccountBody>;

/** rules.md D5: several balances of one type say the same. */
function equalBalances({ balances }: Members): readonly RuleFault[] {
  if (!Array.isArray(balances)) return [];
  const described = balances.map(wordsOf);
  const other = described.findIndex((words) => words !== described[0]);
  if (other === -1) return [];
  const text = 'It is not equal to balances[0], and a card has one balance of a type. Send one of them, or equal ones.';
  return [{ member: `balances[${other}]`, text }];
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
  return [
    { member, text: `It is in ${formatValue(held)}, the card in ${formatValue(own)}. Send the card's currency.` },
  ];
}

/** interface: /v1/sandbox/card-accounts; real-api-facts.md 10. */
export const cardAccounts = resource({
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

/** real-api-facts.md 10: POST and GET /v1/sandbox/card-accounts. EXPECTED is the opening balance less all transactions. */
function sandboxCardAccount(card: CardAccount): AnswerValue<typeof cardAccountAnswer> {
  const self = `/v1/sandbox/card-accounts/${card.resource_id}`;
  const { expected } = cardBalancesOf(card.sum_minor, card.credit_limit_minor);
  const { balance, ...details } = JSON.parse(card.details) as CardDetails;
  return {
    resourceId: card.resource_id,
    customerNumber: card.customer_number,
    maskedPan: card.masked_pan,
    currency: card.currency,
    name: card.name,
    ...(card.product !== null && { product: card.product }),
    creditLimit: cardAmount(card, card.credit_limit_minor),
    balances: [{ balanceType: 'EXPECTED', balanceAmount: cardAmount(card, expected), ...balance }],
    ...details,
    _links: {
      self: link(self, 'GET', 'DELETE'),
      transactions: link(`${self}/transactions`, 'GET', 'POST', 'DELETE'),
    },
  };
}
