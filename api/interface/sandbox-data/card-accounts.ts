import type { Told } from '../../bodies/written.ts';
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
import { cardAmount } from '../cards/card-json.ts';
import { cardAccountBody, type CardAccountBody } from './card-account-body.ts';
import { minorUnitsOf } from './sandbox-amount.ts';
import { resource } from './resource.ts';
import { cardAccountAnswer } from './sandbox-answers.ts';

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
function sandboxCardAccount(card: CardAccount): Told<typeof cardAccountAnswer> {
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
