import {
  createCardAccount,
  type CreateCardAccount,
  deleteCardAccount,
  listSandboxCardAccounts,
  readSandboxCardAccount,
} from '../../../engine/sandbox-data/card-accounts.ts';
import { cardAccountBody, type CardAccountBody } from './card-account-body.ts';
import { type Answer, type Call, endpoint, type Endpoint } from '../../pipeline/endpoint.ts';
import { minorUnitsOf } from './minor-units.ts';
import { cardBalancesOf } from '../../../engine/cards/rules/card-transaction.ts';
import type { CardAccount } from '../../../engine/cards/rows/card-accounts.ts';
import type { CardDetails } from '../../../engine/cards/card-accounts.ts';
import { cardAmount } from '../cards/card-account-json.ts';
import { cardAccountAnswer, listOf } from './sandbox-answers.ts';
import { link } from '../../pipeline/links.ts';

const common = { role: null, requires: [], body: null } as const;
const path = '/sandbox/card-accounts';

/** interface: /v1/sandbox/card-accounts; real-api-facts.md 10. The list is a plain array. */
export const cardAccounts: readonly Endpoint[] = [
  endpoint({
    ...common,
    method: 'POST',
    path,
    summary: 'Create a card account',
    answers: { 201: cardAccountAnswer },
    body: cardAccountBody,
    faultPaths: { RESOURCE_UNKNOWN: 'customerNumber' },
    handle: create,
  }),
  {
    ...common,
    method: 'GET',
    path,
    summary: 'List all card accounts of the test data',
    answers: { 200: listOf(cardAccountAnswer, 'card accounts') },
    handle: list,
  },
  {
    ...common,
    method: 'GET',
    path: `${path}/:cardId`,
    summary: 'Read a card account of the test data',
    answers: { 200: cardAccountAnswer },
    names: 'account',
    handle: read,
  },
  {
    ...common,
    method: 'DELETE',
    path: `${path}/:cardId`,
    summary: 'Delete a card account',
    answers: { 204: null },
    names: 'account',
    handle: remove,
  },
];

async function create({ bank, body }: Call<CardAccountBody>): Promise<Answer> {
  const card = await createCardAccount(bank, wantedCard(body));
  return { status: 201, body: sandboxCardAccount(card) };
}

async function list({ bank }: Call): Promise<Answer> {
  return { status: 200, body: (await listSandboxCardAccounts(bank)).map(sandboxCardAccount) };
}

async function read({ bank, params }: Call): Promise<Answer> {
  return { status: 200, body: sandboxCardAccount(await readSandboxCardAccount(bank, params['cardId'] ?? '')) };
}

async function remove({ bank, params }: Call): Promise<Answer> {
  await deleteCardAccount(bank, params['cardId'] ?? '');
  return { status: 204 };
}

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
function sandboxCardAccount(card: CardAccount) {
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
