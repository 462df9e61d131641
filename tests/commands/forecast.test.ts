import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { localDate } from '../../engine/values/local-date.ts';
import { pay, sign } from '../lab/payments.ts';
import { runMain, type Ended } from '../support/recorded-terminal.ts';
import { startTestBank, type TestBank } from '../lab/server.ts';

const now = '2027-03-24T12:00:00.000+01:00';
let bank: TestBank;

beforeAll(async () => {
  bank = await startTestBank(now);
});
afterAll(() => bank.stop());

function forecast(...args: string[]): Promise<Ended> {
  return runMain(['forecast', ...args, '--port', new URL(bank.address).port]);
}

const head = 'Time              What     Amount (money out is negative)';

test('each attempt with its money, payment and reason; then how many of each', async () => {
  expect((await forecast('P1D')).lines).toEqual([`No attempts, from ${now} to 2027-03-25T12:00:00.000+01:00.`]);
  const { payment } = await pay(bank.bank, { from: 'nora', to: 'even', amount: '10.00' }, localDate('2027-03-25'));
  await sign(bank.bank, payment.resource_id, 'nora');
  const { code, lines, errors } = await forecast('2027-03-31');
  expect({ code, errors }).toEqual({ code: 0, errors: [] });
  expect(lines).toEqual([
    head,
    expect.stringMatching(/^2027-03-30 05:30 {2}settle {3}-10\.00 NOK, available [\d.]+, account \d{11}$/),
    `    ${payment.resource_id}`,
    expect.stringMatching(/^ {4}Thu 25 Mar, closed: Skjærtorsdag to Andre påskedag, due Tue 30 Mar; /),
    `Attempts: 1 settle, 0 retry, 0 reject, from ${now} to 2027-03-31T00:00:00.000+02:00.`,
  ]);
  const answer = JSON.parse((await forecast('2027-03-31', '--json')).lines.join('\n'));
  expect(answer).toEqual((await bank.control('GET', '/sandbox/forecast?to=2027-03-31')).body);
});

test('an offset reaches the bank as it was typed', async () => {
  expect((await forecast('2027-03-24T13:00:00+01:00')).lines[0]).toContain('to 2027-03-24T13:00:00.000+01:00.');
});

test('what is planned is in words, and stands with the attempts of the runs in the order of time', async () => {
  await bank.control('POST', '/sandbox/life', { account: '70323119469', persona: 'student', months: 1 });
  const { payment } = await pay(bank.bank, { from: 'nora', to: 'even', amount: '11.00' }, localDate('2027-04-20'));
  await sign(bank.bank, payment.resource_id, 'nora');
  const { lines } = await forecast('P2M');
  const [planned, tried] = [
    lines.filter((line) => line.includes('  planned  ')),
    lines.filter((line) => /settle {2}/.test(line)),
  ];
  expect([lines[0], planned.length > 1, tried.length > 1]).toEqual([head, true, true]);
  // A student pays rent, and gets a loan.
  const signs = planned.map((line) => /planned {2}(-?)\d/.exec(line)?.[1]);
  expect(new Set(signs)).toEqual(new Set(['-', '']));
  expect(planned.filter((line) => !/account 70323119469: [a-z ]+$/.test(line))).toEqual([]);
  expect(tried).toContainEqual(expect.stringMatching(/^2027-04-20 05:30 {2}settle {3}-11\.00 NOK, /));
  const times = lines.flatMap((line) => /^\d{4}-\d\d-\d\d(?: \d\d:\d\d)?/.exec(line) ?? []);
  expect(times).toEqual(times.toSorted());
});

test('sandbank life lists the account of a household with its role, and tells the command that goes on', async () => {
  const onPort = ['--port', new URL(bank.address).port];
  const begun = await runMain(['life', '--persona', 'family', '--shared', '09232911044', '--months', '1', ...onPort]);
  expect(begun.lines.at(-1)).toMatch(/^Then: .*\badvance P14D --port \d+$/);
  const { lines } = await runMain(['life', ...onPort]);
  expect(lines).toContainEqual(
    expect.stringMatching(/^09232911044 {2}family, shared {2,}since \d{4}-\d\d-\d\d {2}seed sandbank$/),
  );
});

test('sandbank when at a server without the platform says what to do', async () => {
  const { code, errors } = await runMain(['when', '--port', new URL(bank.address).port]);
  expect([code, errors[0]]).toEqual([1, expect.stringContaining('start it with --platform')]);
});

test.each([
  [['2021-01-01'], 1, /^refused \(400\): .* has passed/],
  [['P11Y'], 1, /^refused \(400\): A forecast looks 10 years ahead at most/],
  [['soon'], 2, /^"soon" is no instant and no duration: .*--help/],
  [[], 2, /^something is missing: forecast \(INSTANT \| DURATION\)/],
])('%j ends in %i', async (args, code, problem) => {
  const ended = await forecast(...args);
  expect([ended.code, ended.lines, ended.errors[0]]).toEqual([code, [], expect.stringMatching(problem)]);
});
