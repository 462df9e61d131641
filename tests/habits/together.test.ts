import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { noQuirks, type Quirk, quirkNames, quirks, switched, isProblem } from '../../engine/bank/rules/quirk.ts';
import { runs } from '../support/sample.ts';
import { type Shown, Statement } from './statement.ts';

/* rules.md Q2: habits combine. Every answer is also checked against the document as relaxed by its habits (tests/support). */
let statement: Statement;
beforeAll(async () => {
  statement = await Statement.begin();
});
afterAll(() => statement.stop());

const values: Readonly<Partial<Record<Quirk, readonly string[]>>> = {
  'pending-dates': ['none', 'booking', 'both'],
  'rewritten-texts': ['PT37H', 'PT38H'],
  'text-forms': ['sr', 'bien'],
  'structured-references': ['objects', 'strings', 'joined'],
  'bank-codes': ['iso', 'proprietary', 'none'],
};

/** Any quirks that go together, each with a value. Ids have their own tests. */
const someQuirks = fc
  .subarray(quirkNames.filter((name) => name !== 'id-lengths' && name !== 'reissued-ids'))
  .chain((names) => fc.record(Object.fromEntries(names.map((name) => [name, valueOf(name)]))))
  .filter((chosen) => !isProblem(switched(noQuirks, Object.entries(chosen))));

function valueOf(name: Quirk): fc.Arbitrary<string | true> {
  if (quirks[name].value === null) return fc.constant(true);
  return fc.constantFrom(...(values[name] ?? [quirks[name].value?.usual ?? '']));
}

/** Amounts and, of booked ones, ids. They stay under every habit; the order of posting is another. */
function kept({ booked, pending }: { readonly booked: readonly Shown[]; readonly pending: readonly Shown[] }) {
  const one = ({ transactionId, cardTransactionId, transactionAmount: { amount, currency } }: Shown) =>
    `${amount} ${currency} ${transactionId ?? cardTransactionId}`;
  return {
    booked: booked.map(one).toSorted(),
    pending: pending.map(({ transactionAmount: { amount, currency } }) => `${amount} ${currency}`).toSorted(),
  };
}

async function seen(): Promise<object> {
  const list = await statement.list();
  const details = await Promise.all(list.booked.map(({ transactionId }) => statement.details(transactionId)));
  // Under pending-filtered the dates of the card's list are the same.
  return { list: kept(list), cards: kept(await statement.cardList()), details: kept({ booked: details, pending: [] }) };
}

test('Q2: under any quirks the answers keep their transactions, ids and amounts', async () => {
  await statement.under({});
  const usual = await seen();
  const property = fc.asyncProperty(someQuirks, async (chosen) => {
    await statement.under(chosen);
    expect(await seen()).toEqual(usual);
  });
  await fc.assert(property, { numRuns: runs(15) });
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
