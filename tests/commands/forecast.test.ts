import { expect, test } from '@jest/globals';
import { localDate } from '../../engine/values/local-date.ts';
import { pay, sign } from '../lab/payments.ts';
import { runMain, type Ended } from '../support/recorded-terminal.ts';
import { testBank } from '../support/test-bank.ts';

const now = '2027-03-24T12:00:00.000+01:00';
const bank = testBank(now);

function forecast(...args: string[]): Promise<Ended> {
  return runMain(['forecast', ...args, '--port', new URL(bank.address).port]);
}

test('each attempt with its money, payment and reason', async () => {
  expect((await forecast('P1D')).lines).toEqual([
    `From  ${now}`,
    'To    2027-03-25T12:00:00.000+01:00',
    'Executions: none',
    'Planned: none',
  ]);
  const { payment } = await pay(bank.bank, { from: 'nora', to: 'even', amount: '10.00' }, localDate('2027-03-25'));
  await sign(bank.bank, payment.resource_id, 'nora');
  const { code, lines, errors } = await forecast('2027-03-31');
  expect({ code, errors }).toEqual({ code: 0, errors: [] });
  expect(lines).toEqual([
    `From  ${now}`,
    'To    2027-03-31T00:00:00.000+02:00',
    'Executions: 1',
    expect.stringMatching(/^ {2}Run .*Outcome .*Needed .*Available {2}Account .*Payment .*Why$/),
    expect.stringMatching(
      new RegExp(
        `^  2027-03-30 05:30  settle   10.00 NOK  [\\d.]+ NOK  \\d{11}  ${payment.resource_id}  Thu 25 Mar, closed: Skjærtorsdag to Andre påskedag, due Tue 30 Mar; `,
      ),
    ),
    'Planned: none',
  ]);
  const answer = JSON.parse((await forecast('2027-03-31', '--json')).lines.join('\n'));
  expect(answer).toEqual((await bank.control('GET', '/sandbox/forecast?to=2027-03-31')).body);
});

test('an offset reaches the bank as it was typed', async () => {
  expect((await forecast('2027-03-24T13:00:00+01:00')).lines[1]).toBe('To    2027-03-24T13:00:00.000+01:00');
});

test('what is planned stands beside the attempts of the runs, both in the order of time', async () => {
  await bank.control('POST', '/sandbox/life', { account: '70323119469', persona: 'student', months: 1 });
  const { payment } = await pay(bank.bank, { from: 'nora', to: 'even', amount: '11.00' }, localDate('2027-04-20'));
  await sign(bank.bank, payment.resource_id, 'nora');
  const { lines } = await forecast('P2M');
  const at = lines.findIndex((line) => line.startsWith('Planned: '));
  const [tried, planned] = [lines.slice(4, at), lines.slice(at + 2)];
  expect([planned.length > 1, tried.length > 1]).toEqual([true, true]);
  // A student pays rent, and gets a loan.
  const signs = planned.map((line) => /70323119469 {2}(-?)\d/.exec(line)?.[1]);
  expect(new Set(signs)).toEqual(new Set(['-', '']));
  expect(tried).toContainEqual(expect.stringMatching(/^ {2}2027-04-20 05:30 {2}settle .*11\.00 NOK /));
  for (const rows of [tried, planned])
    expect(rows).toEqual(rows.toSorted((one, other) => one.slice(0, 18).localeCompare(other.slice(0, 18))));
});

test('sandbank life begins and lists the lives of a household with their roles, and ends one', async () => {
  const onPort = ['--port', new URL(bank.address).port];
  const begin = ['life', 'begin', '--persona', 'family', '--shared', '09232911044', '--months', '1', ...onPort];
  const begun = await runMain(begin);
  expect(begun.lines).toContainEqual('Account  09232911044');
  const shared = expect.stringMatching(/^ {2}09232911044 {2}family {3,}sandbank {2}\d{4}-\d\d-\d\d {2}shared$/);
  for (const lines of [begun.lines, (await runMain(['life', 'list', ...onPort])).lines])
    expect(lines).toContainEqual(shared);
  expect(await runMain(['life', 'end', '09232911044', ...onPort])).toMatchObject({
    code: 0,
    lines: ['Removed  09232911044'],
  });
  const wrong = await runMain(['life', 'end', '09232911044', '--months', '1', ...onPort]);
  expect([wrong.code, wrong.errors[0]]).toEqual([2, expect.stringContaining('--months is no flag of life end')]);
});

test.each([
  [['2021-01-01'], 1, /^refused \(400\): .* has passed/],
  [[], 2, /^something is missing: forecast UNTIL/],
])('%j ends in %i', async (args, code, problem) => {
  const ended = await forecast(...args);
  expect([ended.code, ended.lines, ended.errors[0]]).toEqual([code, [], expect.stringMatching(problem)]);
});
