import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { noQuirks, type Quirk, quirkNames, quirks, switched, isProblem } from '../../engine/bank/rules/quirk.ts';
import { runs } from '../support/sample.ts';
import { type Shown, statementForAll } from './statement.ts';

/* rules.md Q2: quirks combine. Every answer is also checked against the document under its quirks (tests/support). */
const statement = statementForAll();

const values: Readonly<Partial<Record<Quirk, readonly string[]>>> = {
  'reissued-ids': ['P60D', 'session'],
  'pending-dates': ['none', 'booking', 'both'],
  'rewritten-texts': ['PT37H', 'PT38H'],
  'text-forms': ['sr', 'bien'],
  'structured-references': ['objects', 'strings', 'joined'],
  'bank-codes': ['iso', 'proprietary', 'none'],
};

/** Any quirks that go together, each with a value. */
const someQuirks = fc
  .subarray([...quirkNames])
  .chain((names) => fc.record(Object.fromEntries(names.map((name) => [name, valueOf(name)]))))
  .filter((chosen) => !isProblem(switched(noQuirks, Object.entries(chosen))));

function valueOf(name: Quirk): fc.Arbitrary<string | true> {
  if (quirks[name].value === null) return fc.constant(true);
  return fc.constantFrom(...(values[name] ?? [quirks[name].value?.usual ?? '']));
}

/** Amounts, which stay under every quirk. The order of posting is another. */
const amountsOf = (items: readonly Shown[]): string[] =>
  items.map(({ transactionAmount: { amount, currency } }) => `${amount} ${currency}`);

/** The amounts of both lists, and whether the details of each booked transaction have the amount that the list has. */
async function seen(): Promise<object> {
  await statement.find();
  const [list, cards] = [await statement.list(), await statement.cardList()];
  const details = await Promise.all(list.booked.map(({ transactionId }) => statement.details(transactionId)));
  expect(amountsOf(details)).toEqual(amountsOf(list.booked));
  return [list.booked, list.pending, cards.booked, cards.pending].map((items) => amountsOf(items).toSorted());
}

test('Q2: under any quirks the answers keep their transactions and amounts', async () => {
  await statement.under({});
  const usual = await seen();
  const property = fc.asyncProperty(someQuirks, async (chosen) => {
    await statement.under(chosen);
    expect(await seen()).toEqual(usual);
  });
  await fc.assert(property, { numRuns: runs(6) });
  await statement.under({});
  await statement.find();
});

test('Q2: a text has its form before it loses its date, and a pending one all its members before it is cut', async () => {
  await statement.under({
    'rewritten-texts': 'PT37H',
    'text-forms': 'bien',
    'bank-codes': 'iso',
    'pending-members': true,
    'pending-dates': true,
  });
  const { remittanceInformationUnstructured: text } = await statement.one('-49.90');
  const { pending } = await statement.list();
  expect(text).toBe('KIOSKEN TORGET');
  expect(Object.keys(pending[0])).not.toContain('bankTransactionCode');
  expect(pending[0]).toMatchObject({
    bookingDate: '2027-03-17',
    remittanceInformationUnstructured: 'Til: Company 123',
  });
});
