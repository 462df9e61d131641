import * as Type from 'typebox';
import { proveLedger } from '../../../engine/proof/prove-ledger.ts';
import { count, money, orNull, text } from '../answers.ts';
import { bban, iban } from '../../bodies/account.ts';
import { ownNumbers } from '../../interface/answer-parts.ts';
import { choice, closed } from '../../bodies/schema.ts';
import type { ControlEndpoint } from '../control-endpoint.ts';
import { amountJson } from '../format.ts';

export const proof = closed(
  {
    ok: Type.Boolean({ description: 'whether the books are right' }),
    currencies: Type.Record(Type.String({ pattern: '^[A-Z]{3}$' }), closed({ sum: money, entries: count('entries') }), {
      description: 'the sum of all entries by currency, which is zero',
      examples: [{ NOK: { sum: { amount: '0.00', currency: 'NOK' }, entries: 34 } }],
    }),
    executions: closed({
      settled: count('settled executions'),
      unbalanced: count('those whose entries do not fit, which is zero'),
    }),
    accounts: Type.Array(
      closed(
        {
          ok: Type.Boolean({ description: 'whether the stored balance is the recomputed one' }),
          name: text('the name of the account', 'Totalkonto'),
          kind: choice('of a customer, or of the bank', ['customer', 'clearing']),
          bban: orNull(bban),
          iban: orNull(iban),
          entries: count('its entries'),
          stored: money,
          recomputed: money,
        },
        { examples: [{ ...ownNumbers, entries: 1 }] },
      ),
    ),
  },
  { title: 'LedgerProof', description: 'The books, recomputed from the entries.' },
);

/** `GET /sandbox/ledger/proof`: checks the books by recomputing them from the entries (rules.md S5). */
export const getProof: ControlEndpoint = {
  method: 'GET',
  path: '/ledger/proof',
  summary: 'Recompute every balance from the entries',
  answer: proof,
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
