import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { createBank } from '../../api/harness/index.ts';
import { markdownLines, pagesOf } from '../support/markdown.ts';

/*
 * docs/settlement.md and the pages of its folder row by row: what the bank does through its public API, and what data from outside says of the same row.
 */
const rows = pagesOf('settlement')
  .flatMap((path) => markdownLines(readFileSync(path, 'utf8')))
  .filter(({ kind }) => kind === 'row');
const data = (name: string): string => readFileSync(new URL(`../data/${name}`, import.meta.url), 'utf8');
const tableOf = (name: string): string[][] =>
  data(name)
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t'));

const closed = new Set(tableOf('norway-holidays.tsv').map(([date = '']) => date));
const published = tableOf('settlement-published.tsv');
const { cases } = JSON.parse(data('periodic-schedules.json')) as {
  cases: { request: Record<string, unknown>; nominal: string[]; following: string[]; preceeding: string[] }[];
};
const runTimes = ['05:30', '09:30', '11:30', '13:30', '15:30'];

const dayAfter = (date: string): string => new Date(Date.parse(date) + 86_400_000).toISOString().slice(0, 10);
const isOpen = (date: string): boolean => !closed.has(date) && ![0, 6].includes(new Date(date).getUTCDay());

/** The run after a time of day on a date, by the closed days from outside; its id. */
function runFrom(date: string, time: string): { date: string; number: number } {
  const number = runTimes.findIndex((one) => one > time) + 1;
  return isOpen(date) && number > 0 ? { date, number } : runFrom(dayAfter(date), '00:00');
}

const payments = rows
  .filter(({ columns }) => columns[2] === 'settles in')
  .map(({ section, cells: [signed = '', asked = '', settles = '', booked = '', source = ''] }) => {
    return { section, signed, asked, settles, booked, source };
  });

describe('docs/settlement.md', () => {
  test.each(payments)('$section: signed $signed for $asked settles in $settles', async (row) => {
    const { signed, asked, settles, booked } = row;
    await using bank = await createBank({ now: inOslo(signed) });
    const on = asked === 'today' ? {} : { on: asked };
    const payment = await bank.tpp().pay({ from: '09232911044', to: '90491105991', amount: '250.00', ...on });
    await bank.clock.advance({ until: { paymentId: payment, status: 'ACSC' } });
    await bank.clock.advance({ runs: 1 });
    const { attempts, entries } = await bank.payments(payment);
    expect(attempts.map(({ run, outcome }) => [run, outcome])).toEqual([[settles, 'settle']]);
    expect(entries.every(({ bookingDate }) => bookingDate === booked)).toBe(true);
  });

  // The closed days from outside begin in 2020.
  test.each(payments.filter(({ signed }) => signed > '2020'))(
    '$section: the days from outside say so of $signed, $asked',
    ({ signed, asked, settles, booked }) => {
      const [day = '', time = ''] = signed.split(' ');
      const run = asked === 'today' || asked === day ? runFrom(day, time) : runFrom(asked, '00:00');
      expect(`${run.date}/${run.number}`).toBe(settles);
      const next = runTimes[run.number];
      expect((next === undefined ? runFrom(dayAfter(run.date), '00:00') : run).date).toBe(booked);
    },
  );

  test('every announcement of a bank without a cut-off of its own is a row, and no row is of another', () => {
    const comparable = published.filter(
      ([, , , , note = '', cutOffs = '']) => cutOffs === '' && !note.startsWith('incident'),
    );
    const said = payments.filter(({ source }) => source !== '');
    expect(said.map(({ asked, settles }) => [asked, settles.slice(0, 10)])).toEqual(
      comparable.map(([, due, settled]) => [due, settled]),
    );
    const addresses = comparable.map(([, , , source]) => source).filter((source) => source !== 'same');
    expect([...new Set(said.map(({ source }) => source))]).toEqual([...new Set(addresses)]);
  });

  const atCutOffs = rows.filter(({ columns }) => columns[3] === 'first attempt').map(({ cells }) => cells);

  test.each(atCutOffs)('%s, cut-off %s: signed %s, first tried in %s', async (currency, cutOff, signed = '', first) => {
    await using bank = await createBank({
      now: inOslo(signed),
      cutOffs: { 'cross-border:CZK': '11:00', foreign: '16:15' },
    });
    const { cutOffs } = (await bank.info()).configuration;
    expect(cutOffs).toMatchObject({ [currency === 'CZK' ? 'cross-border:CZK' : 'foreign']: cutOff });
    const abroad = { to: 'SE4550000000058398257466', product: 'cross-border-credit-transfers', currency } as const;
    const payment = await bank.tpp().pay({ from: '09232911044', amount: '25.00', ...abroad });
    await bank.clock.advance({ until: { paymentId: payment, status: 'ACSC' } });
    const { attempts } = await bank.payments(payment);
    expect(attempts.map(({ run }) => run)).toEqual([first]);
  });

  test('the five attempts', async () => {
    const bank = await createBank({ now: '2027-03-24T12:00:00+01:00' });
    const payment = await bank.tpp().pay({ from: '34300000012', to: '90491105991', amount: '250.00' });
    await bank.clock.advance({ until: { paymentId: payment, status: 'RJCT' } });
    const { attempts } = await bank.payments(payment);
    await bank.close();
    const shown = rows.filter(({ columns }) => columns[0] === 'attempt').map(({ cells }) => cells);
    expect(attempts.map(({ run, outcome }, index) => [`${index + 1}`, run, outcome])).toEqual(shown);
  });

  const orders = rows
    .filter(({ section }) => section === 'Standing orders')
    .map(({ cells: [start = '', frequency = '', day = '', nominal = '', following = '', preceeding = ''] }) => {
      return { start, frequency, day, nominal, following, preceeding };
    });

  test.each(orders)('$frequency from $start, nominal $nominal', async ({ start, frequency, day, ...dates }) => {
    const [known] = cases.filter(
      ({ request }) =>
        request['startDate'] === start &&
        request['frequency'] === frequency &&
        (request['dayOfExecution'] ?? '') === day,
    );
    const place = known?.nominal.indexOf(dates.nominal) ?? -1;
    expect([known?.following[place], known?.preceeding[place]]).toEqual([dates.following, dates.preceeding]);

    await using bank = await createBank({ now: '2024-01-01T00:00:00+01:00' });
    for (const executionRule of ['following', 'preceeding'] as const) {
      const body = {
        instructedAmount: { amount: '100.00', currency: 'NOK' },
        debtorAccount: { bban: '09232911044', currency: 'NOK' },
        creditorAccount: { bban: '90491105991', currency: 'NOK' },
        creditorName: 'Company 123',
        startDate: start,
        frequency,
        executionRule,
        ...(day === '' ? {} : { dayOfExecution: day }),
      };
      const answer = await bank.fetch('/sandbox/schedule', { method: 'POST', body });
      const { occurrences } = (await answer.json()) as {
        occurrences: { nominalDate: string; executionDate: string }[];
      };
      const found = occurrences.find(({ nominalDate }) => nominalDate === dates.nominal);
      expect(found?.executionDate).toBe(dates[executionRule]);
    }
  });

  test('every part of the page has rows', () => {
    expect(payments.length).toBeGreaterThan(30);
    expect(atCutOffs).toHaveLength(5);
    expect(orders.length).toBeGreaterThan(8);
  });
});

/** `2027-03-24 12:00`, perhaps with seconds, in Oslo, as an instant. */
function inOslo(local: string): string {
  const asUtc = new Date(`${local.replace(' ', 'T')}Z`);
  const name = new Intl.DateTimeFormat('en', { timeZone: 'Europe/Oslo', timeZoneName: 'longOffset' })
    .formatToParts(new Date(asUtc.getTime() - 3_600_000))
    .find(({ type }) => type === 'timeZoneName')?.value;
  return `${local.replace(' ', 'T')}${local.length === 16 ? ':00' : ''}${name?.replace('GMT', '') ?? ''}`;
}
