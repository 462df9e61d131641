import { proveLedger } from '../../../engine/proof/prove-ledger.ts';
import type { ControlEndpoint } from '../control-endpoint.ts';
import { shownAmount } from '../shown.ts';

/** `GET /sandbox/ledger/proof`: the books, recomputed from the entries (rules.md S5). */
export const getProof: ControlEndpoint = {
  method: 'GET',
  path: '/ledger/proof',
  handle: async ({ bank }) => {
    const { ok, currencies, accounts, executions } = await proveLedger(bank);
    return {
      ok,
      currencies: Object.fromEntries(
        [...currencies].map(([currency, { sum, entries }]) => [currency, { sum: shownAmount(sum), entries }]),
      ),
      executions,
      accounts: accounts.map((account) => ({
        ...account,
        stored: shownAmount(account.stored),
        recomputed: shownAmount(account.recomputed),
      })),
    };
  },
};
