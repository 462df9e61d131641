import * as Type from 'typebox';
import { proveLedger } from '../../../engine/proof/prove-ledger.ts';
import { accountNumber } from '../answers/names.ts';
import { count, money, orNull } from '../answers/forms.ts';
import { bban, iban } from '../../bodies/account.ts';
import { ownNumbers } from '../../interface/answer-parts.ts';
import { choice, closed, flag, listOf, optional, text, titled } from '../../bodies/schema.ts';
import { date } from '../../bodies/values.ts';
import { controlEndpoint } from '../control-endpoint.ts';
import { oneOf } from '../read-query.ts';
import { quote } from '../../../engine/values/text.ts';
import { hashLedger } from '../../../engine/bank/change-state.ts';

export const proof = titled('LedgerProof', 'The books, recomputed from the entries.').closed({
  ok: flag('whether the books are right'),
  currencies: Type.Record(Type.String({ pattern: '^[A-Z]{3}$' }), closed({ sum: money, entries: count('entries') }), {
    description: 'the sum of all entries by currency, which is zero',
    examples: [{ NOK: { sum: { amount: '0.00', currency: 'NOK' }, entries: 34 } }],
  }),
  executions: closed({
    settled: count('settled executions'),
    unbalanced: count('those whose entries do not fit, which is zero'),
  }),
  accounts: listOf(
    closed(
      {
        ok: flag('whether the stored balance is the recomputed one'),
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
  reservations: listOf(
    closed({
      account: accountNumber,
      amount: money,
      valueDate: date,
      bookingDate: orNull(date, 'null if no day is known'),
    }),
    'what is reserved or announced, the oldest first; in no sum, as it is no entry',
    { examples: [[]] },
  ),
});

/** `GET /sandbox/ledger/proof`: checks the books by recomputing them from the entries (rules.md S5). */
export const getProof = controlEndpoint('GET /ledger/proof', {
  summary: 'Recompute every balance from the entries',
  answer: proof,
  handle: async ({ bank }) => {
    const { ok, currencies, executions, accounts, reservations } = await proveLedger(bank);
    return { ok, currencies: Object.fromEntries(currencies), executions, accounts, reservations };
  },
});

const choices = ['included', 'left-out'] as const;

/**
 * `GET /sandbox/ledger/hash`: ledgers with the same content have the same hash; `?ids=included` includes generated ids.
 */
export const getHash = controlEndpoint('GET /ledger/hash', {
  summary: 'A hash over the ledger: the same for banks that were given the same calls at the same bank times',
  answer: titled('LedgerHash').closed({
    hash: text('SHA-256, hexadecimal', {
      pattern: '^[0-9a-f]{64}$',
      examples: ['51f942f7996a78298976f8a4afc65089ae47d873b894da6aefc9a1607122f07d'],
    }),
  }),
  query: { ids: optional(choice('whether generated ids are included', choices)) },
  handle: async ({ bank, query }) => {
    const ids = query.get('ids') ?? 'left-out';
    return { hash: await hashLedger(bank, oneOf(choices, ids, 'ids', `ids is ${quote(ids)}.`)) };
  },
});
