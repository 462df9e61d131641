import { beforeAll, expect, test } from '@jest/globals';
import type { Bank } from '../../../engine/open-bank.ts';
import { isProblem, noQuirks, switched } from '../../../engine/bank/rules/quirk.ts';
import { advanceClock } from '../../../engine/runs/advance-clock.ts';
import { at } from '../../lab/bank.ts';
import { inhabited, residentsOf } from '../../lab/lived-bank.ts';
import { changeRows, rowsIn } from '../../lab/rows.ts';
import { lifeDifferences } from '../../lab/simulation/lived.ts';

const until = '2028-02-20';
let bank: Bank;

beforeAll(async () => {
  const residents = await residentsOf(1);
  bank = await inhabited('2027-01-08', residents, { seed: '1', months: 3 });
  await advanceClock(bank, at(`${until}T12:00:00+01:00`));
  await changeRows(bank, 'drop trigger entry_is_never_changed');
}, 60_000);

test('L1 to L9: the files of the personas explain what lives did in a year and its past', async () => {
  expect(await lifeDifferences(bank, until)).toEqual([]);
});

test('D3c: under weekend-values a standing order of the past has the day that was wanted as its value date', async () => {
  const quirks = switched(noQuirks, [['weekend-values', true]]);
  if (isProblem(quirks)) throw new Error(quirks.problem);
  const closed = await inhabited('2027-01-08', await residentsOf(1), { seed: '1', months: 3, quirks });
  expect(await lifeDifferences(closed, '2027-01-08')).toEqual([]);
  const valued = `select 1 from entry where booking_date = '2026-11-02' and value_date = '2026-11-01'`;
  expect(await rowsIn(closed, valued)).not.toEqual([]);
}, 60_000);

test('L14: in 2069 a shop lacks funds for a payment whose amount has risen: the auditor knows what it costs then', async () => {
  const shop = (await residentsOf(10)).filter(({ number }) => number === '99870042007');
  expect(shop.map(({ persona }) => persona.name)).toEqual(['shop']);
  const risen = await inhabited('2068-05-14', shop, { seed: '772743', months: 2 });
  await advanceClock(risen, at('2069-05-14'));
  expect(await lifeDifferences(risen, '2069-05-14')).toEqual([]);
}, 60_000);

/** The first entry of a life whose text is like this one. */
const entryOf = (text: string): string =>
  `(select e.id from entry e join direct_posting d on d.id = e.direct_posting_id
    where e.account_id in (select account_id from life) and d.event is not null and d.details like '%"${text}%' and e.booking_date > '2027-03-01' order by e.id limit 1)`;

test.each([
  ['L6: a salary a day late', `booking_date = date(booking_date, '+1 day')`, 'Lønn', /salary .* is not due then/],
  [
    'L9: cash that is not in hundreds',
    'amount_minor = amount_minor + 100',
    '__.__ MINIBANK',
    /cash(?:-small)? .* is out of its bounds/,
  ],
  [
    'L6: a purchase booked before it',
    `booking_date = date(booking_date, '-9 days')`,
    '__.__ NÆRMAT',
    /groceries .* was bought on/,
  ],
  ['L2: an øre of interest more', 'amount_minor = amount_minor + 1', 'Renter', /interest on .* is \d+ and not \d+/],
  ['L6: a value date two days late', `value_date = date(value_date, '+2 days')`, 'Mobil', /has the value date/],
])('the auditor finds %s', async (_what, change, text, found) => {
  const [kept] = await rowsIn(bank, `select * from entry where id = ${entryOf(text)}`);
  expect(kept).toBeDefined();
  await changeRows(bank, `update entry set ${change} where id = ?`, [kept?.['id']]);
  const differences = await lifeDifferences(bank, until);
  const back = 'update entry set booking_date = ?, value_date = ?, amount_minor = ? where id = ?';
  const values = ['booking_date', 'value_date', 'amount_minor', 'id'].map((column) => kept?.[column]);
  await changeRows(bank, back, values);
  expect(differences.join('\n')).toMatch(found);
});
