import { proveLedger } from '../../../engine/proof/prove-ledger.ts';
import type { ControlEndpoint } from '../control-endpoint.ts';
import { amountJson } from '../format.ts';

/** `GET /sandbox/ledger/proof`: checks the books by recomputing them from the entries (rules.md S5). */
export const getProof: ControlEndpoint = {
  method: 'GET',
  path: '/ledger/proof',
  handle: async ({ bank }) => {
    const { ok, currencies, accounts, executions } = await proveLedger(bank);
    return {
      ok,
      currencies: Object.fromEntries(
        [...currencies].map(([currency, { sum, entries }]) => [currency, { sum: amountJson(sum), entries }]),
      ),
      executions,
      accounts: accounts.map((account) => ({
        ...account,
        stored: amountJson(account.stored),
        recomputed: amountJson(account.recomputed),
      })),
    };
  },
};
