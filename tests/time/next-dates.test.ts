import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { leastPeriodicPayment } from '../pipeline/samples.ts';
import { program } from '../support/program.ts';
import { runMain } from '../support/recorded-terminal.ts';
import { startTestBank, type TestBank } from '../lab/server.ts';

function nextDates(args: string, zone = 'UTC'): { lines: string[]; problem: string; status: number | null } {
  const { stdout, stderr, status } = spawnSync(process.execPath, [program, 'next-dates', ...args.split(' ')], {
    env: { TZ: zone },
    encoding: 'utf8',
  });
  return { lines: stdout.trimEnd().split('\n'), problem: stderr.trimEnd(), status };
}

describe('next-dates prints nominal date, execution date, weekday and reason', () => {
  test.each(['UTC', 'Asia/Tokyo', 'America/Los_Angeles'])('T2: the same when the process runs in %s', (zone) => {
    expect(nextDates('--start 2027-02-26 --frequency Monthly --rule preceeding --count 2', zone)).toEqual({
      lines: [
        '2027-02-26  2027-02-26  Fri',
        '2027-03-26  2027-03-24  Wed  Fri 26 Mar, closed: Skjærtorsdag and Langfredag, due Wed 24 Mar (preceding)',
      ],
      problem: '',
      status: 0,
    });
  });

  test('the end ends it', () => {
    expect(
      nextDates(
        '--start 2027-01-01 --frequency MonthlyVariable --day 04 --months 1,12 --quirks december-month --end 2028-01-04',
      ).lines,
    ).toEqual([
      '2027-01-04  2027-01-04  Mon',
      '2027-12-04  2027-12-06  Mon  Sat 4 Dec, closed: weekend, due Mon 6 Dec',
      '2028-01-04  2028-01-04  Tue',
    ]);
  });

  test.each([
    ['--frequency Monthly', '--start is missing'],
    ['--start 2027-02-31 --frequency Monthly', '--start: "2027-02-31" is refused: there is no such day'],
    ['--start 2027-02-01', '--frequency is missing'],
    ['--start 2027-02-01 --frequency fortnight', '--frequency: "fortnight"'],
    ['--start 2027-02-01 --frequency Monthly --rule nearest', '--rule: "nearest"'],
    ['--start 2027-02-01 --frequency Monthly --day 32', '1 to 31'],
    ['--start 2027-02-01 --frequency Monthly --count 0', 'from 1 to'],
    [
      '--start 2027-02-01 --frequency Monthly --end 2027-01-01',
      '--end: endDate 2027-01-01 is before startDate 2027-02-01',
    ],
    ['--start 2027-02-01 --frequency Monthly --day 12 --end 2027-02-11', '--end: No day of execution falls between'],
    ['--start 2027-02-01 --frequency MonthlyVariable', '--months: Frequency MonthlyVariable needs monthsOfExecution'],
    ['--start 2027-02-01 --frequency MonthlyVariable --months 1,1', 'Month 1 is listed twice'],
    ['--start 1989-02-01 --frequency Monthly', 'before 1990-01-01'],
    ['--begin 2027-02-01', '--begin'],
  ])('%s is refused in one line: %s', async (args, problem) => {
    const { code, lines, errors } = await runMain(['next-dates', ...args.split(' ')]);
    expect({ code, lines }).toEqual({ code: 2, lines: [] });
    expect(errors).toEqual([expect.stringContaining(problem)]);
    expect(errors[0]).toContain('--help');
  });
});

describe('without a server it answers as POST /sandbox/schedule does', () => {
  let bank: TestBank;
  beforeAll(async () => {
    bank = await startTestBank('2027-03-24T12:00:00+01:00');
  });
  afterAll(() => bank.stop());

  const monthly = { startDate: '2027-01-31', frequency: 'Monthly' };
  const variable = { startDate: '2027-01-15', frequency: 'MonthlyVariable' };
  test.each<[string, Record<string, unknown>]>([
    ['--start 2027-01-31 --frequency Monthly', monthly],
    ['--start 2027-01-31 --frequency Monthly --months 12', { ...monthly, monthsOfExecution: [12] }],
    ['--start 2027-01-31 --frequency Monthly --months 3', { ...monthly, monthsOfExecution: [3] }],
    ['--start 2027-01-15 --frequency MonthlyVariable --months 12', { ...variable, monthsOfExecution: [12] }],
    ['--start 2027-01-15 --frequency MonthlyVariable --months 0', { ...variable, monthsOfExecution: [0] }],
    ['--start 2027-01-15 --frequency MonthlyVariable --months -1', { ...variable, monthsOfExecution: [-1] }],
    ['--start 2027-01-15 --frequency MonthlyVariable --months x,2', { ...variable, monthsOfExecution: ['x', 2] }],
    ['--start 2027-01-15 --frequency MonthlyVariable --months 11,2', { ...variable, monthsOfExecution: [11, 2] }],
    ['--start 2027-01-15 --frequency MonthlyVariable', variable],
    ['--start 2027-01-31 --frequency Weekly --day 5', { ...monthly, frequency: 'Weekly', dayOfExecution: '5' }],
    ['--start 2027-01-31 --frequency Monthly --day 05', { ...monthly, dayOfExecution: '05' }],
    ['--start 2027-01-31 --frequency Monthly --day 0', { ...monthly, dayOfExecution: '0' }],
    ['--start 2027-01-31 --frequency Monthly --rule preceding', { ...monthly, executionRule: 'preceding' }],
    ['--start 2027-01-31 --frequency Monthly --rule preceeding', { ...monthly, executionRule: 'preceeding' }],
    // R6: the Wednesday before Easter has runs left, Maundy Thursday has not.
    [
      '--start 2027-03-26 --frequency Monthly --rule preceeding',
      { startDate: '2027-03-26', frequency: 'Monthly', executionRule: 'preceeding' },
    ],
    ['--start 2027-01-31 --frequency Monthly --end 2100-01-01', { ...monthly, endDate: '2100-01-01' }],
    ['--start 2100-01-31 --frequency Monthly', { ...monthly, startDate: '2100-01-31' }],
    ['--start 1989-12-31 --frequency Monthly', { ...monthly, startDate: '1989-12-31' }],
    ['--start 2027-2-1 --frequency fortnight', { startDate: '2027-2-1', frequency: 'fortnight' }],
    ['--start 2099-10-31 --frequency Daily', { startDate: '2099-10-31', frequency: 'Daily' }],
  ])('%s', async (args, members) => {
    const body = { ...leastPeriodicPayment, ...members };
    const signedAt = '2027-03-24T12:00:00+01:00';
    const path = `/sandbox/schedule?count=70&signedAt=${encodeURIComponent(signedAt)}`;
    const asked = await bank.control('POST', path, body);
    const said = await runMain(['next-dates', ...args.split(' '), '--count', '70', '--json', '--signed-at', signedAt]);
    if (asked.status === 200) {
      expect([said.code, JSON.parse(said.lines.join('\n'))]).toEqual([0, asked.body]);
      return;
    }
    const faults = (asked.body as { errors: { detail: string }[] }).errors.map(({ detail }) => detail);
    expect([said.code, said.lines, faults.length > 0]).toEqual([2, [], true]);
    const { detail } = JSON.parse(said.errors.join('')) as { detail: string };
    for (const fault of faults) expect(detail).toContain(fault);
  });

  test('what the frequency ignores is a warning, and no error', async () => {
    const { code, lines, errors } = await runMain(
      'next-dates --start 2027-01-15 --frequency Monthly --months 3 --count 1'.split(' '),
    );
    expect({ code, lines }).toEqual({ code: 0, lines: ['2027-01-15  2027-01-15  Fri'] });
    expect(errors).toEqual([expect.stringMatching(/^Warning: monthsOfExecution is ignored: /)]);
  });
});
