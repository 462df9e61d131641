import { spawnSync } from 'node:child_process';
import { compileCache } from '../support/kept.ts';
import { testBank } from '../support/test-bank.ts';
import { describe, expect, test } from '@jest/globals';
import { minimalPeriodicPayment } from '../pipeline/samples.ts';
import { runMain, type Ended } from '../support/recorded-terminal.ts';

/** Prints the execution dates of a monthly payment, before which a holiday moves the second. */
const inOtherZone = `
  import { orderOf, planOf } from './engine/payments/rules/plan.ts';
  import { noQuirks } from './engine/bank/rules/quirk.ts';
  import { defaultSettlementTimes, runSchedule } from './engine/time/rules/settlement-run.ts';
  import { norwegianCalendar } from './engine/time/norwegian-calendar.ts';
  const schedule = runSchedule(defaultSettlementTimes, norwegianCalendar());
  const debtorAccount = { bban: '90491105991', currency: 'NOK' };
  const body = {
    ...{ startDate: '2027-02-26', frequency: 'Monthly', executionRule: 'preceeding' },
    ...{ debtorAccount, creditorAccount: debtorAccount, instructedAmount: { amount: '1.00', currency: 'NOK' } },
  };
  const initiation = { service: 'periodic-payments', product: 'norwegian-domestic-credit-transfers', body };
  const order = orderOf(initiation, { type: 'private', currency: 'NOK' }, new Map(), '2027-01-01');
  const at = Date.parse('2027-01-01');
  const { ahead } = planOf(order, { schedule, quirks: noQuirks, prices: null }, { at, lastRunAt: at, isSigned: false });
  const [one, two] = ahead();
  console.log([one, two].map(({ executionDate }) => executionDate).join());
`;

test.each(['UTC', 'Asia/Tokyo', 'America/Los_Angeles'])('T2: the same dates when the process runs in %s', (zone) => {
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', inOtherZone], {
    env: { ...compileCache, TZ: zone },
    encoding: 'utf8',
  });
  expect([stdout.trimEnd(), stderr]).toEqual(['2027-02-26,2027-03-24', '']);
});

const bank = testBank('2027-03-24T12:00:00+01:00');

const run = (args: string): Promise<Ended> =>
  runMain(['next-dates', ...args.split(' ')], { env: { BANK: bank.address } });

test('next-dates prints nominal date, execution date and reason', async () => {
  expect(await run('--start 2027-02-26 --frequency Monthly --rule preceeding --count 2')).toMatchObject({
    code: 0,
    lines: [
      'Occurrences: 2',
      '  Nominal date  Execution date  Reason',
      '  2027-02-26    2027-02-26',
      '  2027-03-26    2027-03-24      Fri 26 Mar, closed: Skjærtorsdag and Langfredag, due Wed 24 Mar (preceding)',
    ],
    errors: [],
  });
});

test('the end ends it', async () => {
  await bank.quirks({ 'december-month': true });
  const { lines } = await run('--start 2027-01-01 --frequency MonthlyVariable --day 04 --months 1,12 --end 2028-01-04');
  await bank.quirks({ 'december-month': false });
  expect(lines.slice(2)).toEqual([
    '  2027-01-04    2027-01-04',
    '  2027-12-04    2027-12-06      Sat 4 Dec, closed: weekend, due Mon 6 Dec',
    '  2028-01-04    2028-01-04',
  ]);
});

test.each([
  ['--frequency Monthly', '--start is missing'],
  ['--start 2027-02-01', '--frequency is missing'],
  ['--begin 2027-02-01', '--begin'],
])('%s is a wrong command: %s', async (args, problem) => {
  const { code, lines, errors } = await run(args);
  expect({ code, lines }).toEqual({ code: 2, lines: [] });
  expect(errors).toEqual([expect.stringContaining(problem)]);
  expect(errors[0]).toContain('--help');
});

test.each([
  ['--start 2027-02-31 --frequency Monthly', '"2027-02-31" is refused: there is no such day'],
  ['--start 2027-02-01 --frequency Monthly --count 0', 'from 1 to'],
])('%s is refused by the bank in one line: %s', async (args, problem) => {
  const { code, lines, errors } = await run(args);
  expect({ code, lines }).toEqual({ code: 1, lines: [] });
  expect(errors[0]).toMatch(/^refused \(400\): /);
  expect(errors[0]).toContain(problem);
});

describe('it answers as POST /sandbox/schedule does', () => {
  const monthly = { startDate: '2027-01-31', frequency: 'Monthly' };
  const variable = { startDate: '2027-01-15', frequency: 'MonthlyVariable' };
  test.each<[string, Record<string, unknown>]>([
    ['--start 2027-01-31 --frequency Monthly', monthly],
    ['--start 2027-01-31 --frequency Monthly --months 12', { ...monthly, monthsOfExecution: [12] }],
    ['--start 2027-01-15 --frequency MonthlyVariable --months 12', { ...variable, monthsOfExecution: [12] }],
    ['--start 2027-01-15 --frequency MonthlyVariable --months x,2', { ...variable, monthsOfExecution: ['x', 2] }],
    ['--start 2027-01-15 --frequency MonthlyVariable --months 11,2', { ...variable, monthsOfExecution: [11, 2] }],
    ['--start 2027-01-31 --frequency Weekly --day 5', { ...monthly, frequency: 'Weekly', dayOfExecution: '5' }],
    ['--start 2027-01-31 --frequency Monthly --day 05', { ...monthly, dayOfExecution: '05' }],
    ['--start 2027-01-31 --frequency Monthly --rule preceeding', { ...monthly, executionRule: 'preceeding' }],
    // R6: the Wednesday before Easter has runs left, Maundy Thursday has not.
    [
      '--start 2027-03-26 --frequency Monthly --rule preceeding',
      { startDate: '2027-03-26', frequency: 'Monthly', executionRule: 'preceeding' },
    ],
    ['--start 2027-01-31 --frequency Monthly --end 2100-01-01', { ...monthly, endDate: '2100-01-01' }],
    ['--start 2027-2-1 --frequency fortnight', { startDate: '2027-2-1', frequency: 'fortnight' }],
    ['--start 2099-10-31 --frequency Daily', { startDate: '2099-10-31', frequency: 'Daily' }],
  ])('%s', async (args, members) => {
    const body = { ...minimalPeriodicPayment, ...members };
    const signedAt = '2027-03-24T12:00:00+01:00';
    const path = `/sandbox/schedule?count=70&signedAt=${encodeURIComponent(signedAt)}`;
    const asked = await bank.control('POST', path, body);
    const said = await run(`${args} --count 70 --json --signed-at ${signedAt}`);
    if (asked.status === 200) {
      expect([said.code, JSON.parse(said.lines.join('\n'))]).toEqual([0, asked.body]);
      return;
    }
    expect([said.code, said.lines, JSON.parse(said.errors.join(''))]).toEqual([1, [], asked.body]);
  });

  test('what the frequency ignores is a warning, and no error', async () => {
    const { code, lines } = await run('--start 2027-01-15 --frequency Monthly --months 3 --count 1');
    expect([code, lines[2]]).toEqual([0, '  2027-01-15    2027-01-15']);
    expect(lines.at(-1)).toMatch(/monthsOfExecution is ignored: /);
  });
});
