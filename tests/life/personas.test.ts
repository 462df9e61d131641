import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { personaSchema } from '../../api/openapi/known-state-schema.ts';
import { fileProblem } from '../../api/start/listed-files.ts';
import { runMain } from '../support/recorded-terminal.ts';
import { loadPersona, personaNames, personaOf } from '../../api/start/fixtures.ts';
import { openBank } from '../../engine/open-bank.ts';
import { takeLedgerImage } from '../../engine/bank/snapshots.ts';
import { beginLife, listLives } from '../../engine/life/begin-life.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { at } from '../lab/bank.ts';
import { brokenProofs } from '../lab/proof.ts';
import { numbers, open, ownBank } from './lived-banks.ts';
import { Mistake } from '../../engine/values/mistake.ts';
import { tempFolder } from '../support/temp-folder.ts';

const folder = tempFolder();

/* rules.md L8: what a persona may have. */

const [pension] = [
  {
    name: 'pensioner',
    description: 'A pension',
    netPerYear: '180000.00',
    events: [
      {
        event: 'pension',
        kind: 'transfer',
        when: { days: [20], rule: 'preceeding' },
        amount: '15000.00',
        text: 'Pensjon',
      },
    ],
  },
];

function changed(change: object): object {
  return { ...pension, events: [{ ...pension?.events[0], ...change }] };
}

test.each<[what: string, persona: unknown, refusal: RegExp]>([
  ['no object', 'x', /expected an object/],
  ['no events', { ...pension, events: [] }, /^events: /],
  ['a member too many', { ...pension, age: 7 }, /^age: /],
  [
    'an event twice',
    { ...pension, events: [...(pension?.events ?? []), ...(pension?.events ?? [])] },
    /^events\[1\]\.event: .*already/,
  ],
  ['an unknown kind', changed({ kind: 'gift' }), /^events\[0\]\.kind: /],
  ['no way of when', changed({ when: {} }), /^events\[0\]\.when: .*exactly one/],
  [
    'two ways of when',
    changed({ when: { days: [1], rule: 'following', perMonth: 2 } }),
    /^events\[0\]\.when: .*exactly one/,
  ],
  ['days without a rule', changed({ when: { days: [1] } }), /^events\[0\]\.when\.rule: /],
  ...[{ perMonth: 4 }, { perYear: 53 }, { days: [1], rule: 'following' }, { everyWeek: true }].map(
    (when): [string, unknown, RegExp] => [
      `weekdays of ${JSON.stringify(when)}`,
      changed({ when: { ...when, weekdays: [5] } }),
      /^events\[0\]\.when\.weekdays: .*up to 3/,
    ],
  ),
  ...[
    [{ text: 'Pensum' }, /^events\[0\]\.seasons\[0\]\.text: .*no such text/],
    [{ instead: 'Kino' }, /^events\[0\]\.seasons\[0\]\.instead: .*already/],
    [{ from: '13-01' }, /^events\[0\]\.seasons\[0\]\.from: /],
  ].map(([change, refusal]): [string, unknown, RegExp] => [
    `a season of ${JSON.stringify(change)}`,
    changed({
      texts: ['Jul', 'Kino'],
      seasons: [{ text: 'Jul', from: '11-10', to: '12-20', instead: 'Is', ...change }],
    }),
    refusal as RegExp,
  ]),
  [
    'more than a debit left over',
    changed({ kind: 'left over', party: { name: 'A' }, amount: '1.00' }),
    /amount: .*above/,
  ],
  ['day 32', changed({ when: { days: [32], rule: 'following' } }), /^events\[0\]\.when\.days\[0\]: /],
  ['a card without a shop', changed({ kind: 'card', card: 'visa', text: undefined }), /shops, which is missing/],
  [
    'a member of another kind',
    changed({ payees: [{ name: 'A', account: '99890412342', amount: '1.00' }] }),
    /has no payees/,
  ],
  [
    'an order that is counted',
    changed({ kind: 'standing order', party: { name: 'A', account: '99890412377' }, when: { perMonth: 1 } }),
    /^events\[0\]\.when: .*days/,
  ],
  [
    'an order at the month end',
    changed({
      kind: 'standing order',
      party: { name: 'A', account: '99890412358' },
      when: { days: [31], rule: 'month end' },
    }),
    /^events\[0\]\.when\.rule: /,
  ],
  [
    'an order of some months',
    changed({
      kind: 'standing order',
      party: { name: 'A', account: '99890412358' },
      when: { days: [1], rule: 'following', months: [1] },
    }),
    /^events\[0\]\.when\.months: /,
  ],
  [
    'an order without an account',
    changed({ kind: 'standing order', party: { name: 'A' } }),
    /^events\[0\]\.party\.account: /,
  ],
  [
    'a wrong check digit',
    changed({ parties: [{ name: 'A', account: '99890412340' }] }),
    /^events\[0\]\.parties\[0\]\.account: .*mod-11/,
  ],
  [
    'a wrong number of who gets what is left over',
    changed({ kind: 'left over', party: { name: 'A', account: '9989.04.12358' } }),
    /events\[0\]\.party\.account: .*mod-11/,
  ],
  ...['1989-12-31', '1600-05-01', '2100-01-01'].map((since): [string, unknown, RegExp] => [
    `a rise since ${since}`,
    { ...pension, rises: [{ since, percent: '9.99', categories: ['benefit'] }] },
    /^rises\[0\]\.since: .*1990-01-01 to 2099-12-31/,
  ]),
  [
    'a category that rises twice',
    {
      ...pension,
      rises: [
        { since: '2026-05-01', percent: '2.50', categories: ['benefit'] },
        { since: '2026-01-01', percent: '2.50', categories: ['energy', 'benefit'] },
      ],
    },
    /^rises\[1\]\.categories\[1\]: .*benefit rises already/,
  ],
  ['an amount of zero', changed({ amount: '0.00' }), /^events\[0\]\.amount: .*zero/],
  ['an amount without øre', changed({ amount: '15000' }), /^events\[0\]\.amount: .*fraction digits/],
  ['ends on both sides of zero', changed({ amount: '-1.00', upTo: '1.00' }), /^events\[0\]\.upTo: .*both sides/],
  [
    'NOK as another currency',
    changed({ foreign: { currency: 'NOK', rate: '1' } }),
    /^events\[0\]\.foreign\.currency: /,
  ],
  ['too many events a month', changed({ when: { perMonth: 1001 } }), /^events\[0\]\.when\.perMonth: /],
  [
    'too many events in all',
    { ...pension, events: [1, 2].map((one) => ({ ...pension?.events[0], event: `e${one}`, when: { perMonth: 600 } })) },
    /^events: .*1000 a month/,
  ],
  [
    'too many events on open days',
    {
      ...pension,
      events: Array.from({ length: 38 }, (_, one) => ({
        ...pension?.events[0],
        event: `e${one}`,
        when: { everyOpenDay: true },
      })),
    },
    /^events: The events are about 1026 a month; .*1000 a month/,
  ],
  [
    'months alone where it needs times',
    changed({ when: { months: [1] } }),
    /^events\[0\]\.when: .* has days, perMonth, perYear, everyOpenDay, everyWeek\.$/,
  ],
])('a persona with %s is refused in one line with the path', async (_what, persona, refusal) => {
  const problem = await personaOf(structuredClone(persona)).then(() => 'taken', fileProblem);
  expect(problem).toMatch(refusal);
  expect(problem).not.toMatch(/\n/);
});

test('fixtures/personas/persona.schema.json is fresh: npm run generate', () => {
  expect(JSON.parse(readFileSync('fixtures/personas/persona.schema.json', 'utf8'))).toEqual(personaSchema());
});

test('the schema takes each listed persona, and refuses a text that is no amount, as the bank does', async () => {
  const fits = new Ajv2020({ strict: true, allowUnionTypes: true, formats: { date: true } }).compile(personaSchema());
  for (const name of personaNames())
    expect([name, fits(JSON.parse(readFileSync(`fixtures/personas/${name}.json`, 'utf8')))]).toEqual([name, true]);
  for (const amount of ['a lot', '0.00', '1,00', '-0.00']) {
    const wrong = { ...pension, events: [{ ...pension?.events[0], amount }] };
    expect([amount, fits(wrong)]).toEqual([amount, false]);
    await expect(personaOf(structuredClone(wrong))).rejects.toThrow();
  }
});

test('an unknown persona is refused with the nearest one, and a path with the path', async () => {
  await expect(loadPersona('familly')).rejects.toThrow(
    new Mistake('there is no persona familly; the nearest is family, and docs/life.md has all'),
  );
  await expect(loadPersona('./nowhere.json')).rejects.toThrow(
    'the persona ./nowhere.json cannot be used: there is no such file or folder',
  );
});

test('L8: a persona of odd members harms nobody: amounts below an øre, an order to itself, salaries without funds', async () => {
  const [number = '', other = ''] = numbers;
  const persona = await personaOf({
    name: 'odd',
    description: 'Whatever the schema allows',
    netPerYear: '0.00',
    events: [
      {
        event: 'dust',
        kind: 'card',
        when: { perMonth: 30 },
        card: 'foreign',
        amount: '-1.00',
        shops: ['X'],
        foreign: { currency: 'IDR', rate: '0.0001' },
      },
      {
        event: 'to-itself',
        kind: 'standing order',
        when: { days: [31, 1], rule: 'preceeding' },
        amount: '10.00',
        text: 'x',
        party: { name: 'Y', account: number },
      },
      {
        event: 'salaries',
        kind: 'bulk',
        when: { days: [29], rule: 'following' },
        text: 'x',
        payees: [{ name: 'Z', account: other, amount: '9999999.99' }],
      },
      {
        event: 'all',
        kind: 'transfer',
        when: { perYear: 700 },
        amount: '-0.01',
        upTo: '-9000000.00',
        parties: [{ name: 'W' }],
      },
      {
        event: 'lapses',
        kind: 'card',
        when: { perYear: 40 },
        card: 'visa',
        amount: '-1.00',
        shops: ['X'],
        lapsesAfterDays: 30,
      },
    ],
  });
  const times = { settlementTimes: { private: ['00:10'], corporate: ['00:10'] } };
  const bank = await open({ now: '2027-02-27T23:59:00+01:00', ...times });
  await beginLife(bank, number, { persona, months: 120, seed: 'ø' });
  await advanceClock(bank, at('2028-02-29T23:59:00+01:00'));
  expect(await brokenProofs(bank)).toEqual({});
  const copied = await takeLedgerImage(bank);
  const again = await openBank({ ...ownBank, ledger: ':memory:', copied, ...times });
  expect(await listLives(again)).toEqual(await listLives(bank));
  await advanceClock(again, at('2028-04-29T23:59:00+02:00'));
  expect(await brokenProofs(again)).toEqual({});
});

test('L8: a preview tells each mistake of a file in a line of its own, with its path', async () => {
  const file = join(folder, 'wrong.json');
  const days = { days: [20] };
  const events = [{ event: 'pension', kind: 'transfer', when: days, amount: '1.0' }];
  writeFileSync(file, JSON.stringify({ name: 'Widow', description: 'x', netPerYear: '0.00', events }));
  const { code, errors } = await runMain(['life', 'preview', file]);
  const [first, ...lines] = errors.join('\n').split('\n');
  expect([code, first]).toEqual([2, `the persona ${file} cannot be used:`]);
  expect(lines.map((line) => /^ {2}([\w.[\]]+): \S/.exec(line)?.[1])).toEqual([
    'name',
    'events[0].when.rule',
    'events[0].amount',
  ]);
});

test('L8: a preview prints two months of a persona without a bank, the same each time', async () => {
  const printed = await Promise.all([1, 2].map(() => runMain(['life', 'preview', 'pensioner'])));
  const [first, again] = printed.map(({ lines }) => lines);
  expect(first).toEqual(again);
  expect(first?.filter((line) => /Nav: Alderspensjon/.test(line))).toEqual([
    expect.stringMatching(/^ {2}2027-01-20 +19850.00 {2}Nav: Alderspensjon$/),
    expect.stringMatching(/^ {2}2027-02-19 +19850.00 {2}Nav: Alderspensjon$/),
  ]);
});

test('L8: a preview ends with the income, the spending and what is left of each month', async () => {
  const { lines } = await runMain(['life', 'preview', 'pensioner', '--json']);
  const { booked, months } = JSON.parse(lines.join('\n')) as {
    booked: { date: string; amount: string }[];
    months: { month: string; income: string; spending: string; left: string }[];
  };
  const kroner = (month: string, sign: number): number =>
    booked.reduce((sum, { date, amount }) => {
      const counts = date.startsWith(month) && (sign === 0 || Math.sign(Number(amount)) === sign);
      return counts ? sum + Math.round(100 * Number(amount)) : sum;
    }, 0) / 100;
  expect(months.map(({ month }) => month)).toEqual(['2027-01', '2027-02']);
  for (const { month, income, spending, left } of months)
    expect([income, spending, left].map(Number)).toEqual([1, -1, 0].map((sign) => kroner(month, sign)));
  const printed = (await runMain(['life', 'preview', 'pensioner'])).lines;
  const last = months.at(-1);
  expect(printed.at(-1)?.trim().split(/\s+/)).toEqual(['2027-02', last?.income, last?.spending, last?.left]);
});
