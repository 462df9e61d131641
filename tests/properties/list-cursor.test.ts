import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { bankNow, storedQuirks, switchQuirks } from '../../engine/bank/bank-context.ts';
import type { Bank } from '../../engine/open-bank.ts';
import type { AccountRequest } from '../../engine/consents/account-access.ts';
import { listTransactions, type TransactionReport } from '../../engine/consents/list-transactions.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { addTransactions, deleteTransaction } from '../../engine/accounts/mock-transactions.ts';
import { transactionIdOf } from '../../engine/accounts/rules/transaction-list.ts';
import { osloDate, type Instant } from '../../engine/values/instant.ts';
import { addDays } from '../../engine/values/local-date.ts';
import { accountIdOf, consented, everything } from '../lab/consented.ts';
import { memoryBank } from '../lab/bank.ts';
import { pay, payInstantly, sign } from '../lab/payments.ts';
import { runs } from '../support/sample.ts';

/** What happens between two pages of a list. */
const move = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('post'), daysAgo: fc.nat({ max: 3 }) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('pay'), isInstant: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('delete'), which: fc.nat({ max: 40 }) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('wait'), minutes: fc.integer({ min: 1, max: 2_500 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('switch'), order: fc.constantFrom('', 'order') }) },
);
type Move = typeof move extends fc.Arbitrary<infer Made> ? Made : never;
const moves = fc.array(move, { maxLength: 4 });

/** One reader of one account, and what happens to it. */
class Reading {
  readonly bank: Bank;
  readonly #request: AccountRequest;
  readonly #account: string;
  /** The numbers of mock transactions, in the order they were posted. */
  readonly #posted: number[] = [];
  readonly deleted = new Set<number>();
  #paid = 0;

  constructor(bank: Bank, request: AccountRequest, account: string) {
    this.bank = bank;
    this.#request = request;
    this.#account = account;
  }

  page(change: Partial<typeof everything>): Promise<TransactionReport> {
    return listTransactions(this.bank, this.#request, this.#account, { ...everything, ...change });
  }

  async happen(done: Move): Promise<void> {
    const { bank } = this;
    const now = await bank.ledger.read((reader) => bankNow(bank, reader));
    if (done.do === 'post') {
      const day = addDays(osloDate(now), -done.daysAgo);
      const mock = { amount: 100n, currency: 'NOK', bookingDate: day, valueDate: day, details: {} } as const;
      for (const { transactionNumber } of await addTransactions(bank, this.#account, [mock]))
        this.#posted.push(transactionNumber);
    } else if (done.do === 'pay') {
      // Each another amount: none is a logical duplicate (rules.md P7).
      const amount = `${(this.#paid += 1)}.00`;
      const { payment } = await (done.isInstant ? payInstantly : pay)(bank, { from: 'nora', to: 'shop', amount });
      await sign(bank, payment.resource_id, 'nora');
    } else if (done.do === 'delete') {
      const number = this.#posted[done.which % Math.max(1, this.#posted.length)];
      if (number === undefined || this.deleted.has(number)) return;
      await deleteTransaction(bank, this.#account, transactionIdOf(number));
      this.deleted.add(number);
    } else if (done.do === 'switch') await switchQuirks(bank, () => storedQuirks(done.order));
    else await advanceClock(bank, (now + done.minutes * 60_000) as Instant);
  }
}

const numbersOf = (list: TransactionReport['booked']): number[] =>
  (list ?? []).map(({ transactionNumber }) => transactionNumber);

test('A9c: who follows next sees each booked transaction of the first page once, whatever happens between the pages', async () => {
  const property = fc.asyncProperty(
    fc.array(move, { minLength: 5, maxLength: 25 }),
    fc.array(moves, { minLength: 1, maxLength: 20 }),
    fc.integer({ min: 1, max: 4 }),
    fc.constantFrom('both', 'booked' as const),
    async (before, between, limit, bookingStatus) => {
      await using bank = await memoryBank('2027-03-22T12:00:00+01:00');
      const reading = new Reading(bank, await consented(bank, 'nora'), await accountIdOf(bank, 'nora'));
      for (const done of before) await reading.happen(done);
      const list = await reading.page({ bookingStatus });
      const first = numbersOf(list.booked);
      const seen: number[] = [];
      let page = await reading.page({ bookingStatus, limit });
      for (let turn = 0; ; turn += 1) {
        const shown = numbersOf(page.booked);
        expect(shown.length).toBeLessThanOrEqual(limit);
        expect(shown.filter((number) => reading.deleted.has(number))).toEqual([]);
        seen.push(...shown);
        const pending = (await reading.page({})).pending ?? [];
        expect(numbersOf(page.pending)).toEqual(bookingStatus === 'booked' ? [] : numbersOf(pending));
        if (page.next === null) break;
        for (const done of between[turn % between.length] ?? []) await reading.happen(done);
        page = await reading.page({ bookingStatus: null, limit, cursor: page.next });
      }
      // In their order, each once; what is missing was deleted before its page.
      expect(seen).toEqual(first.filter((number) => seen.includes(number)));
      expect(first.filter((number) => !seen.includes(number) && !reading.deleted.has(number))).toEqual([]);
    },
  );
  await fc.assert(property, { numRuns: runs(10) });
});
