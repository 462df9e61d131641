import { describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { localDate } from '../../engine/values/local-date.ts';
import { paySigned } from '../lab/payments.ts';
import { runMain, type Ended } from '../support/recorded-terminal.ts';
import { testBankForEach } from '../support/test-bank.ts';

const now = '2027-03-24T12:00:00.000+01:00';
const bank = testBankForEach(now);

function advance(args: readonly string[]): Promise<Ended> {
  return runMain(['advance', ...args, '--port', new URL(bank.address).port]);
}

async function signed(on: string, amount: string, from: 'nora' | 'anne' = 'nora'): Promise<string> {
  const { payment } = await paySigned(bank.bank, { from, to: 'even', amount }, localDate(on));
  return payment.resource_id;
}

test('the story: a row for each run with work, totals, and where the clock is', async () => {
  await signed('2027-03-30', '10.00');
  expect(await advance(['2027-04-01'])).toEqual({
    code: 0,
    errors: [],
    lines: [
      'Run           Oslo   settled  retried  rejected  booked  registered',
      '2027-03-30/1  05:30  1        0        0         0       0',
      '2027-03-30/2  09:30  0        0        0         1       0',
      '2 runs with work, 10 without: 1 settled, 0 retried, 0 rejected, 1 booked, 0 registered.',
      'The bank clock went from 2027-03-24T12:00:00.000+01:00 to 2027-04-01T00:00:00.000+02:00.',
    ],
  });
});

test.each([
  [['P3D'], '2027-03-27T12:00:00.000+01:00'],
  [['--runs', '3'], '2027-03-30T05:30:00.000+02:00'],
  [['2027-03-25T12:00:00+01:00'], '2027-03-25T12:00:00.000+01:00'],
])('%j moves the clock to %s', async (args, to) => {
  const { code, lines } = await advance(args);
  expect([code, lines.at(-1)]).toEqual([0, `The bank clock went from ${now} to ${to}.`]);
  expect((await bank.control('GET', '/sandbox/clock')).body.now).toBe(to);
});

test('--json prints the answer of the control plane, and nothing else', async () => {
  await signed('2027-03-30', '10.00');
  const { lines, errors } = await advance(['P10D', '--json']);
  const answer = JSON.parse(lines.join('\n'));
  expect(answer.runs.map(({ id }: { id: string }) => id)).toEqual(['2027-03-30/1', '2027-03-30/2']);
  expect([answer.from, errors]).toEqual([now, []]);
});

test('--until a status: 0 when it is reached; 1 and a line when the payment ends in another', async () => {
  const paid = await signed('2027-03-30', '10.00');
  expect(await advance(['--until', `${paid}=ACSC`])).toMatchObject({ code: 0, errors: [] });
  const short = await signed('2027-03-31', '1000.00', 'anne');
  const missed = await advance(['--until', `${short}=ACSC`, '--json']);
  expect(missed).toMatchObject({
    code: 1,
    errors: [
      JSON.stringify({
        detail: `${short}=ACSC was not reached: the payment ended in another status, and the clock stopped there`,
      }),
    ],
  });
  expect(JSON.parse(missed.lines.join('\n')).reached).toBe(false);
});

test('a run that fails is named, and nothing else is printed', async () => {
  await signed('2027-03-30', '10.00');
  const trigger = `create trigger broken after insert on settlement_run when new.number = 2
    begin select raise(abort, 'no second run'); end`;
  await bank.bank.ledger.write(async (tx) => void (await sql.raw(trigger).execute(tx)));
  const { code, lines, errors } = await advance(['P10D']);
  expect([code, lines]).toEqual([1, []]);
  expect(errors).toEqual([expect.stringMatching(/^refused \(500\): The run 2027-03-30\/2 at .* failed/)]);
});

describe('what the bank refuses ends in 1, in its words and with what would have been allowed', () => {
  const forms: unknown = expect.stringMatching(/^allowed: .*\{"by":"P3D"\}/);
  const allowed = `allowed: from ${now} to 2037-03-24T12:00:00.000+01:00`;
  test.each([
    ['backwards', ['2021-01-01'], /^refused \(409\): .* has passed/, allowed],
    ['a word that is no time', ['soon'], /^refused \(400\): .*"soon"/, forms],
    ['an unknown bank', ['P1D', '--bank', 'nope'], /^refused \(404\): There is no bank "nope"/, undefined],
  ])('%s', async (_what, args, refusal, second) => {
    const { code, lines, errors } = await advance(args);
    expect({ code, lines }).toEqual({ code: 1, lines: [] });
    expect(errors[0]).toMatch(refusal);
    expect(errors.slice(1)).toEqual(second === undefined ? [] : [second]);
    expect((await bank.control('GET', '/sandbox/clock')).body.now).toBe(now);
  });
});

describe('a wrong command ends in 2 with one line that says where help is, asking no server', () => {
  test.each([
    [[], 'give one of INSTANT, DURATION, --runs N, --until PAYMENT=STATUS'],
    [['P3D', '--runs', '2'], 'give one of INSTANT'],
    [['P3D', 'P4D'], '"P4D" is one word too many'],
  ])('%j', async (args, problem) => {
    const { code, lines, errors } = await runMain(['advance', ...args]);
    expect({ code, lines, count: errors.length }).toEqual({ code: 2, lines: [], count: 1 });
    expect(errors[0]).toContain(problem);
    expect(errors[0]).toMatch(/ \(sandbank advance --help shows how to use this\)$/);
  });
});
