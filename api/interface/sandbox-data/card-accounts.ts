import { createCardAccount, type CreateCardAccount } from '../../../engine/sandbox-data/create-card-account.ts';
import { deleteCardAccount } from '../../../engine/sandbox-data/delete-card-account.ts';
import { listSandboxCardAccounts } from '../../../engine/sandbox-data/list-sandbox-card-accounts.ts';
import { readSandboxCardAccount } from '../../../engine/sandbox-data/read-sandbox-card-account.ts';
import { cardAccountBody, type CardAccountBody } from './card-account-body.ts';
import { endpoint, type Answer, type Call, type Endpoint } from '../../pipeline/endpoint.ts';
import { sandboxCardAccount } from './card-account-json.ts';
import { minorUnitsOf } from './minor-units.ts';

const common = { role: null, requires: [], body: null } as const;
const path = '/sandbox/card-accounts';

/** interface: /v1/sandbox/card-accounts; real-api-facts.md 10. The list is a plain array. */
export const cardAccounts: readonly Endpoint[] = [
  endpoint({ ...common, method: 'POST', path, body: cardAccountBody, handle: create }),
  { ...common, method: 'GET', path, handle: list },
  { ...common, method: 'GET', path: `${path}/:cardId`, names: 'account', handle: read },
  { ...common, method: 'DELETE', path: `${path}/:cardId`, names: 'account', handle: remove },
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

/** A card without a name is called by its product, else Kort. */
function wantedCard(body: CardAccountBody): CreateCardAccount {
  const { customerNumber, maskedPan, currency, creditLimit, balances, name, product = null, ...details } = body;
  return {
    customerNumber,
    maskedPan,
    name: name ?? product ?? 'Kort',
    product,
    currency,
    creditLimit: minorUnitsOf(creditLimit?.amount, currency),
    openingBalance: minorUnitsOf(balances?.[0]?.balanceAmount.amount, currency),
    details,
  };
}
