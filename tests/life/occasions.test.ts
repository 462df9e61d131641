import { expect, test } from '@jest/globals';
import { fileProblem } from '../../api/start/listed-files.ts';
import { personaOf } from '../../api/start/fixtures.ts';
import type { Bank } from '../../engine/open-bank.ts';
import { beginLife } from '../../engine/life/begin-life.ts';
import { amountOf } from '../../engine/life/rules/happening.ts';
import { Course } from '../../engine/life/rules/life-on.ts';
import { Almanac, isInSeason } from '../../engine/life/rules/occasions.ts';
import type { Persona } from '../../engine/life/rules/persona.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { forecast } from '../../engine/runs/forecast.ts';
import { inspectAccounts } from '../../engine/sandbox-data/inspect-accounts.ts';
import { hashLedger } from '../../engine/bank/change-state.ts';
import { truthOf } from '../../engine/sandbox-data/life-truth.ts';
import { defaultSettlementTimes, runSchedule } from '../../engine/time/rules/settlement-run.ts';
import { osloDate } from '../../engine/values/instant.ts';
import { localDate } from '../../engine/values/local-date.ts';
import { at, calendar } from '../lab/bank.ts';
import { brokenProofs } from '../lab/proof.ts';
import { rowsIn } from '../lab/rows.ts';
import { knownState, numbers, open, personaWith, statement } from './lived-banks.ts';

const [number = '', other = ''] = numbers;
const salary = [15, { event: 'salary', kind: 'transfer', amount: '30000.00', text: 'Lønn' }] as const;
const stream = [
  7,
  { event: 'stream', kind: 'card', card: 'visa', amount: '-99.00', shops: ['STRØMMLY.EXAMPLE'] },
] as const;
const gym = [
  20,
  {
    event: 'gym',
    kind: 'transfer',
    amount: '-399.00',
    text: 'Trening',
    mandateId: 'AG-1',
    parties: [{ name: 'Puls' }],
  },
] as const;
const rent = [
  1,
  { event: 'rent', kind: 'standing order', amount: '900.00', text: 'Leie', party: { name: 'Y', account: other } },
] as const;

/** Half a year from November 2026 on in which this happens. */
async function halfYear(occasion: object, ...steps: readonly string[]): Promise<Bank> {
  const usual = await personaWith([salary, stream, gym, rent]);
  const persona = await personaOf({ ...usual, occasions: [occasion] });
  const bank = await open();
  await beginLife(bank, number, { persona, months: 1 });
  for (const day of [...steps, '2027-05-23']) await advanceClock(bank, at(`${day}T12:00:00+02:00`));
  return bank;
}

/** Booking dates and øre of what has this text, of 2027. */
async function booked(bank: Bank, text: RegExp): Promise<string[]> {
  const { entries } = await statement(bank, number);
  return entries
    .filter((entry) => text.test(entry.text) && entry.bookingDate >= '2027-01-01')
    .map(({ bookingDate, amount }) => `${bookingDate} ${amount.minor}`);
}

test('L13: a salary comes a banking day late, once', async () => {
  const bank = await halfYear({ on: '2027-03-01', what: 'late', event: 'salary', days: 1 });
  expect(await booked(bank, /Lønn/)).toEqual(
    ['2027-01-15', '2027-02-15', '2027-03-16', '2027-04-15', '2027-05-18'].map((day) => `${day} 3000000`),
  );
});

test('L13: a purchase is charged twice, and one of the two is paid back', async () => {
  const bank = await halfYear({ on: '2027-03-10', what: 'charged twice', event: 'stream' });
  const march = (await booked(bank, /STRØMMLY/)).filter((each) => each >= '2027-03-11' && each < '2027-04-07');
  expect(march.map((each) => each.slice(11)).toSorted()).toEqual(['-9900', '-9900', '9900']);
  expect(march.at(-1)?.slice(11)).toBe('9900');
});

test('L13: a subscription goes up, and an AvtaleGiro is stopped', async () => {
  const bank = await halfYear({ on: '2027-03-01', what: 'new price', event: 'stream', amount: '-119.00' });
  const up = await booked(bank, /STRØMMLY/);
  expect(up.map((each) => each.slice(11))).toEqual(['-9900', '-9900', '-11900', '-11900', '-11900']);
  const stopped = await booked(await halfYear({ on: '2027-03-20', what: 'stopped', event: 'gym' }), /Puls/);
  expect(stopped.map((each) => each.slice(0, 7))).toEqual(['2027-01', '2027-02']);
});

test('L11, L13: the truth of a subscription has its new price from that day on', async () => {
  const usual = await personaWith([[7, { ...stream[1], category: 'subscription' }]]);
  const up = { on: '2027-03-01', what: 'new price', event: 'event-0', amount: '-119.00' };
  const bank = await open();
  await beginLife(bank, number, {
    persona: await personaOf({ ...usual, events: [{ ...usual.events[0], event: 'event-0' }], occasions: [up] }),
    months: 1,
  });
  await advanceClock(bank, at('2027-05-23T12:00:00+02:00'));
  const told = await truthOf(bank, number, { from: localDate('2027-01-01'), to: null });
  expect(told.map(({ subscription }) => subscription?.minor)).toEqual([9900n, 9900n, 11900n, 11900n, 11900n]);
});

test('L11, L14: the truth of a subscription has the price of the month, whether the subscription has days or times a month', async () => {
  const usual = await personaWith([[7, { ...stream[1], category: 'subscription' }]]);
  const whens = [usual.events[0]?.when, { perMonth: 1 }];
  for (const when of whens) {
    const bank = await open();
    const persona = await personaOf({
      ...usual,
      events: [{ ...usual.events[0], when }],
      rises: [{ since: '2026-03-01', percent: '9.99', categories: ['subscription'] }],
    });
    await beginLife(bank, number, { persona, months: 1 });
    await advanceClock(bank, at('2027-05-23T12:00:00+02:00'));
    const told = await truthOf(bank, number, { from: localDate('2027-01-01'), to: null });
    expect([...new Set(told.map(({ subscription }) => subscription?.minor))]).toEqual([9900n, 10800n]);
    expect(told.every(({ amount, subscription }) => amount.minor === -(subscription?.minor ?? 0n))).toBe(true);
  }
});

test('L13: a card is replaced: nothing is bought meanwhile, and what was bought before stays under the old number', async () => {
  const bank = await halfYear({ on: '2027-03-03', what: 'card replaced', days: 7 });
  expect((await booked(bank, /STRØMMLY/)).map((each) => each.slice(0, 7))).toEqual([
    '2027-01',
    '2027-02',
    '2027-04',
    '2027-05',
  ]);
  const cards = await rowsIn(
    bank,
    `select distinct details ->> 'additionalInformation' as card, min(id) as first from direct_posting where details like '%STRØMMLY%' group by 1 order by 2`,
  );
  expect(cards.map(({ card }) => card)).toEqual([
    expect.stringMatching(/^Kort \*\d{4}$/),
    expect.stringMatching(/^Kort \*\d{4}$/),
  ]);
});

test('L13, D3e: an account moves to another bank: its balance leaves, its orders end, it is closed, in any steps, and as was forecast', async () => {
  const moved = { on: '2027-03-11', what: 'account moved', party: { name: 'Kari Myhrvold', account: '99890412374' } };
  const bank = await halfYear(moved);
  const rows = await rowsIn(bank, `select closed_at, balance_minor from account where bban = '${number}'`);
  expect(rows).toEqual([{ closed_at: at('2027-03-11T00:00:00+01:00'), balance_minor: 0n }]);
  expect((await inspectAccounts(bank)).some(({ account }) => account.bban === number)).toBe(false);
  const texts = await rowsIn(
    bank,
    `select details ->> 'creditorName' as name from direct_posting where details like '%Kontobytte%'`,
  );
  expect(texts).toEqual([{ name: 'Kari Myhrvold' }]);
  expect(await brokenProofs(bank)).toEqual({});
  const stepwise = await halfYear(moved, '2027-03-10', '2027-03-11', '2027-03-12');
  expect(await hashLedger(stepwise, 'left-out')).toBe(await hashLedger(bank, 'left-out'));
  const persona = await personaOf({ ...(await personaWith([salary, rent])), occasions: [moved] });
  const early = await open();
  await beginLife(early, number, { persona, months: 1 });
  const { executions } = await forecast(early, { to: at('2027-05-23T12:00:00+02:00') });
  expect(executions.map(({ run }) => run.date)).toEqual(['2026-12-01', '2027-01-04', '2027-02-01', '2027-03-01']);
  const { runs } = await advanceClock(early, at('2027-05-23T12:00:00+02:00'));
  // Each pays or books: none is for the orders that ended.
  expect(runs.map(({ id }) => id)).toEqual(
    ['2026-12-01', '2027-01-04', '2027-02-01', '2027-03-01'].flatMap((day) => [`${day}/1`, `${day}/2`]),
  );
});

test('L13: an account without money moves to another bank, and books nothing', async () => {
  const moved = { on: '2026-11-30', what: 'account moved', party: { name: 'Kari Myhrvold' } };
  const bank = await open({ knownState: knownState('0.00') });
  const persona = await personaOf({ ...(await personaWith([salary])), occasions: [moved] });
  await beginLife(bank, number, { persona, months: 0 });
  await advanceClock(bank, at('2026-11-30T00:00:00+01:00'));
  const booked = await rowsIn(bank, `select id from direct_posting where details like '%Kontobytte%'`);
  const closed = await rowsIn(bank, 'select bban from account where closed_at is not null');
  expect([booked, closed]).toEqual([[], [{ bban: number }]]);
});

test.each([
  [{ on: '2027-03-01', what: 'late', event: 'salary' }, /occasions\[0\]\.days: The occasion "late" needs days/],
  [{ on: '2027-03-01', what: 'late', event: 'rent', days: 1 }, /occasions\[0\]\.event: .*standing order/],
  [{ on: '2027-03-01', what: 'stopped', event: 'nothing' }, /There is no event nothing/],
  [
    { on: '2027-03-01', what: 'account moved', party: { name: 'Kari', account: '99890412375' } },
    /occasions\[0\]\.party\.account: .*mod-11/,
  ],
  [{ on: '2027-02-30', what: 'stopped', event: 'gym' }, /occasions\[0\]\.on/],
  [{ on: '2100-01-01', what: 'stopped', event: 'gym' }, /occasions\[0\]\.on: .*1990-01-01 to 2099-12-31/],
  [{ on: '2027-03-01', what: 'new price', event: 'stream', amount: '0.00' }, /occasions\[0\]\.amount/],
])('L13: the occasion %j is refused with the path', async (occasion, said) => {
  const usual = await personaWith([salary, stream, gym, rent]);
  expect(await personaOf({ ...usual, occasions: [occasion] }).then(() => 'taken', fileProblem)).toMatch(said);
});

/** When an event of each of these days of the first half of 2026 happens, with its kroner: `2026-03-12 -99`. */
function lived(occasions: readonly object[], days: readonly number[], event: object): string[] {
  const events = days.map((day) => ({
    event: 'x',
    when: { days: [day], rule: 'following' },
    amount: '-99.00',
    ...event,
  }));
  const persona = { name: 'one', description: 'x', netPerYear: '0.00', events, occasions } as unknown as Persona;
  const life = { persona, seed: 'sandbank', account: number, holder: 'Kari', role: null, others: [] };
  const course = new Course(life, new Almanac(persona, calendar), runSchedule(defaultSettlementTimes, calendar));
  return course
    .between(localDate('2026-01-01'), localDate('2026-06-30'))
    .filter(({ action }) => action.kind === 'post' || action.kind === 'reserve')
    .map(({ at, action }) => `${osloDate(at)} ${Number(amountOf(action)) / 100}`)
    .filter((each) => each.startsWith('2026-03'));
}

const bought = { kind: 'card', card: 'visa', shops: ['X'] };
const paid = { kind: 'transfer', text: 'x', parties: [{ name: 'Y' }] };
const replaced = [{ on: '2026-03-05', what: 'card replaced', days: 7 }];
const priced = (on: string, amount: string) => ({ on, what: 'new price', event: 'x', amount });
test.each<[says: string, occasions: readonly object[], days: readonly number[], event: object, expected: string[]]>([
  ['a card is blocked from its day for 7 days', replaced, [4, 5, 11, 12], bought, ['2026-03-04 -99', '2026-03-12 -99']],
  ['a blocked card stops no transfer', replaced, [5], paid, ['2026-03-05 -99']],
  [
    'a new price counts on its day',
    [priced('2026-03-05', '-120.00')],
    [4, 5],
    paid,
    ['2026-03-04 -99', '2026-03-05 -120'],
  ],
  [
    'the latest price counts',
    [priced('2026-02-01', '-120.00'), priced('2026-03-05', '-130.00')],
    [4, 5],
    paid,
    ['2026-03-04 -120', '2026-03-05 -130'],
  ],
  [
    'what is stopped does not happen on that day',
    [{ on: '2026-03-05', what: 'stopped', event: 'x' }],
    [4, 5],
    paid,
    ['2026-03-04 -99'],
  ],
  [
    'an event before its day in the same month is late too',
    [{ on: '2026-03-25', what: 'late', event: 'x', days: 2 }],
    [5],
    paid,
    ['2026-03-09 -99'],
  ],
  [
    'a purchase whose reservation usually lapses is charged twice, and paid back once',
    [{ on: '2026-03-10', what: 'charged twice', event: 'x' }],
    [5],
    { ...bought, lapsesAfterDays: 3 },
    ['2026-03-05 -99', '2026-03-10 -99', '2026-03-10 -99', '2026-03-20 99'],
  ],
])('L13: %s', (_says, occasions, days, event, expected) => {
  expect(lived(occasions, days, event)).toEqual(expected);
});

test.each([
  ['03-02', '03-04', ['2027-03-02', '2027-03-03', '2027-03-04']],
  ['03-03', '03-03', ['2027-03-03']],
  ['12-27', '01-03', ['2027-01-02', '2027-12-27', '2027-12-28']],
])('L9g: a text has its season from %s to %s, both days included, also over New Year', (from, to, inside) => {
  const days = ['01-02', '01-04', '03-01', '03-02', '03-03', '03-04', '03-05', '12-26', '12-27', '12-28'];
  const season = { text: 'Jul', instead: 'Is', from, to };
  const found = days.map((day) => localDate(`2027-${day}`)).filter((day) => isInSeason(season, day, calendar));
  expect(found).toEqual(inside);
});
