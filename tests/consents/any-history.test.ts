import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Bank } from '../../engine/open-bank.ts';
import { osloDate } from '../../engine/values/instant.ts';
import { addDays, localDate } from '../../engine/values/local-date.ts';
import type { ReportQuery } from '../../engine/accounts/rules/transaction-list.ts';
import { addTransactions } from '../../engine/accounts/mock-transactions.ts';
import { listTransactions, type TransactionReport } from '../../engine/consents/list-transactions.ts';
import { readBalances } from '../../engine/consents/read-account.ts';
import type { AccountRequest } from '../../engine/consents/account-access.ts';
import { bankNow } from '../../engine/bank/bank-context.ts';
import { memoryBank } from '../lab/bank.ts';
import type { Person } from '../lab/payments.ts';
import { histories, live } from '../lab/random-actions.ts';
import { rowsIn } from '../lab/rows.ts';
import { accountIdOf, consented, everything } from '../lab/consented.ts';
import { runs } from '../support/sample.ts';

const mock = fc.record({
  person: fc.constantFrom<Person>('nora', 'even', 'anne', 'kari', 'per'),
  amount: fc.integer({ min: -50_000, max: 50_000 }).filter((amount) => amount !== 0),
  daysAgo: fc.nat({ max: 60 }),
});

async function post(bank: Bank, mocks: readonly { person: Person; amount: number; daysAgo: number }[]): Promise<void> {
  const today = osloDate(await bank.ledger.read((reader) => bankNow(bank, reader)));
  for (const { person, amount, daysAgo } of mocks) {
    const date = addDays(today, -daysAgo);
    const wanted = {
      amount: BigInt(amount),
      currency: 'NOK' as const,
      bookingDate: date,
      valueDate: date,
      details: {},
    };
    await addTransactions(bank, await accountIdOf(bank, person), [wanted]);
  }
}

const sum = (list: readonly { readonly amount: { readonly minor: bigint } }[] | null): bigint =>
  (list ?? []).reduce((total, { amount }) => total + amount.minor, 0n);

/** Follows `next` from the first page to the last. */
async function pages(bank: Bank, request: AccountRequest, id: string, query: ReportQuery): Promise<number[]> {
  const ids: number[] = [];
  for (let cursor: string | null = null; ;) {
    const page: TransactionReport = await listTransactions(bank, request, id, { ...query, cursor });
    ids.push(...(page.booked ?? []).map(({ transactionNumber }) => transactionNumber));
    expect(page.booked?.length).toBeLessThanOrEqual(query.limit);
    if (page.next === null) return ids;
    cursor = page.next;
  }
}

test('after any history: balances fit the transactions that are shown, and the pages make the whole list', async () => {
  const actions = histories.map((history) => history.slice(0, -1));
  const property = fc.asyncProperty(
    actions,
    fc.array(mock, { maxLength: 12 }),
    fc.integer({ min: 1, max: 5 }),
    async (history, mocks, limit) => {
      await using bank = await memoryBank('2027-03-22T12:00:00+01:00');
      await live(bank, history);
      await post(bank, mocks);
      const today = osloDate(await bank.ledger.read((reader) => bankNow(bank, reader)));
      const query = { ...everything, dateFrom: localDate('2027-01-01') };
      for (const person of ['nora', 'even', 'anne', 'kari', 'per'] as const) {
        const request = await consented(bank, person);
        const id = await accountIdOf(bank, person);
        const { account, balances } = await readBalances(bank, request, id);
        const { booked, pending } = await listTransactions(bank, request, id, query);
        const [stored] = await rowsIn(
          bank,
          `select sum(amount_minor) as all_minor, sum(case when p.kind = 'opening' then amount_minor else 0 end) as
              opening_minor from entry left join direct_posting p on p.id = direct_posting_id
              where account_id = ${account.id}`,
        );
        expect(balances.interimBooked + sum(pending)).toBe(stored?.['all_minor']);
        expect(sum(booked)).toBe(balances.interimBooked - BigInt(String(stored?.['opening_minor'])));
        const ofToday = booked?.filter(({ bookingDate }) => bookingDate === today) ?? [];
        expect(balances.openingBooked + sum(ofToday)).toBe(balances.interimBooked);
        expect(balances.interimAvailable).toBe(account.balance_minor + account.credit_line_minor);
        const ids = await pages(bank, request, id, { ...query, limit });
        expect(ids).toEqual(booked?.map(({ transactionNumber }) => transactionNumber));
        expect(new Set(ids).size).toBe(ids.length);
      }
    },
  );
  await fc.assert(property, { numRuns: runs(10) });
});
