import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';

const script = fileURLToPath(new URL('../../scripts/next-dates.ts', import.meta.url));

function nextDates(args: string, zone = 'UTC'): { lines: string[]; problem: string; status: number | null } {
  const { stdout, stderr, status } = spawnSync(process.execPath, [script, ...args.split(' ')], {
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
        '2027-03-26  2027-03-24  Wed  Langfredag is closed; moved to the preceding banking day',
      ],
      problem: '',
      status: 0,
    });
  });

  test('the end ends it', () => {
    expect(
      nextDates('--start 2027-01-01 --frequency MonthlyVariable --day 04 --months 1,12 --end 2028-01-04').lines,
    ).toEqual([
      '2027-01-04  2027-01-04  Mon',
      '2027-12-04  2027-12-06  Mon  Saturday is closed; moved to the following banking day',
      '2028-01-04  2028-01-04  Tue',
    ]);
  });

  test.each([
    ['--frequency Monthly', '--start is missing'],
    ['--start 2027-02-31 --frequency Monthly', 'not a date'],
    ['--start 2027-02-01', '--frequency is missing'],
    ['--start 2027-02-01 --frequency monthly', 'no frequency monthly: expected one of Daily, Weekly'],
    ['--start 2027-02-01 --frequency Monthly --rule nearest', 'no rule nearest'],
    ['--start 2027-02-01 --frequency Monthly --day 32', 'from 1 to 31'],
    ['--start 2027-02-01 --frequency Monthly --count 0', 'from 1 to'],
    ['--start 2027-02-01 --frequency Monthly --end 2027-01-01', 'before --start'],
    ['--start 2027-02-01 --frequency Monthly --day 12 --end 2027-02-11', 'no execution'],
    ['--start 2027-02-01 --frequency MonthlyVariable', 'needs --months'],
    ['--start 2027-02-01 --frequency MonthlyVariable --months 1,1', 'twice'],
    ['--start 1989-02-01 --frequency Monthly', '1990 to 2101'],
    ['--begin 2027-02-01', '--begin'],
  ])('%s is refused in one line: %s', (args, problem) => {
    const refused = nextDates(args);
    expect(refused).toMatchObject({ lines: [''], status: 2 });
    expect(refused.problem).toContain(problem);
    expect(refused.problem).toContain('--help');
    expect(refused.problem).not.toContain('\n');
  });
});
