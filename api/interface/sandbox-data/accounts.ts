import { createAccount, type CreateAccount } from '../../../engine/sandbox-data/create-account.ts';
import { deleteAccount } from '../../../engine/sandbox-data/delete-account.ts';
import { listSandboxAccounts } from '../../../engine/sandbox-data/list-sandbox-accounts.ts';
import { readSandboxAccount } from '../../../engine/sandbox-data/read-sandbox-account.ts';
import { accountBody, type AccountBody } from './account-body.ts';
import { endpoint, type Endpoint } from '../../pipeline/endpoint.ts';
import { sandboxAccount } from './account-json.ts';
import { accountIn } from './account-in.ts';
import { minorUnitsOf } from './minor-units.ts';

const common = { role: null, requires: [], body: null } as const;
const path = '/sandbox/accounts';

/** interface: /v1/sandbox/accounts; real-api-facts.md 10. The list is a plain array. */
export const accounts: readonly Endpoint[] = [
  endpoint({
    ...common,
    method: 'POST',
    path,
    body: accountBody,
    handle: async ({ bank, body }) => {
      const account = await createAccount(bank, wantedAccount(body));
      return { status: 201, body: sandboxAccount(account) };
    },
  }),
  {
    ...common,
    method: 'GET',
    path,
    handle: async ({ bank }) => ({ status: 200, body: (await listSandboxAccounts(bank)).map(sandboxAccount) }),
  },
  {
    ...common,
    method: 'GET',
    path: `${path}/:accountId`,
    names: 'account',
    handle: async (call) => ({
      status: 200,
      body: sandboxAccount(await readSandboxAccount(call.bank, accountIn(call))),
    }),
  },
  {
    ...common,
    method: 'DELETE',
    path: `${path}/:accountId`,
    names: 'account',
    handle: async (call) => {
      await deleteAccount(call.bank, accountIn(call));
      return { status: 204 };
    },
  },
];

/** An account without a name is called by its product, else Konto. */
function wantedAccount(body: AccountBody): CreateAccount {
  const { customerNumber, bban, iban, currency, product = null, cashAccountType = null } = body;
  return {
    customerNumber,
    name: body.accountName ?? product ?? 'Konto',
    bban,
    iban,
    currency,
    product,
    cashAccountType,
    creditLine: minorUnitsOf(body.creditLine, currency),
    openingBalance: minorUnitsOf(body.balances?.[0]?.balanceAmount.amount, currency),
  };
}
