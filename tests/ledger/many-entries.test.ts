import { expect, test } from '@jest/globals';
import type { Posting } from '../../engine/accounts/rules/entry.ts';
import { localDate } from '../../engine/values/local-date.ts';
import { insertPostings } from '../../engine/accounts/rows/entries.ts';
import { memoryBank } from '../lab/bank.ts';
import { rowsIn } from '../lab/rows.ts';

const day = localDate('2027-04-12');
const accounts = 7;

/** Of amounts 1, 2, 3, ..., so that an amount tells which it was. */
function posting(index: number): Posting {
  return {
    cause: { directPostingId: 1 },
    debtorAccountId: 1 + (index % accounts),
    creditorAccountId: 1 + ((index * 3 + 1) % accounts),
    amount: BigInt(index + 1),
    bookingDate: day,
    valueDate: day,
    bookedAt: null,
    isFee: false,
    batchId: null,
  };
}

/** Debit and credit of each posting, as [account, amount]. */
const linesOf = (postings: readonly Posting[]): [number, bigint][] =>
  postings.flatMap(({ debtorAccountId, creditorAccountId, amount }) => [
    [debtorAccountId, -amount],
    [creditorAccountId, amount],
  ]);

// Below, at and above the sizes of the statements that carry the lines, two of each posting.
test.each([0, 1, 2, 3, 31, 32, 33, 63, 64, 65, 249, 250, 251, 3_999, 4_000, 4_001, 8_255])(
  'S5: %i postings have two lines each, in their order',
  async (count) => {
    const { bank, before } = await bankWithEntries();
    const postings = Array.from({ length: count }, (_, index) => posting(index));
    await bank.ledger.write((tx) => insertPostings(tx, postings));
    expect(await added(bank, before)).toEqual(linesOf(postings));
    await bank.close();
  },
);

async function bankWithEntries() {
  const bank = await memoryBank('2027-04-12T12:00:00+02:00');
  const [row] = await rowsIn(bank, 'select max(id) as last from entry');
  return { bank, before: Number(row?.['last']) };
}

async function added(bank: Awaited<ReturnType<typeof memoryBank>>, after: number): Promise<unknown[]> {
  const statement = `select account_id, amount_minor from entry where id > ${after} order by id`;
  const rows = await rowsIn(bank, statement);
  return rows.map((row) => [row['account_id'], row['amount_minor']]);
}
