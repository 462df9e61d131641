import { expect, test } from '@jest/globals';
import { runMain, type Ended } from '../support/recorded-terminal.ts';
import { testBank } from '../support/test-bank.ts';

const bank = testBank('2027-03-24T12:00:00+01:00');

const run = (...args: string[]): Promise<Ended> => runMain(args, { env: { BANK: bank.address } });

const clockLines = [
  expect.stringMatching(/^Sandbank {4}http:/),
  'Bank time   2027-03-24T12:00:00.000+01:00 (frozen)',
  'Next run    2027-03-24T13:30:00.000+01:00',
];

test('status of a quiet bank: its time, the next run, and nothing open', async () => {
  const { code, lines, errors } = await run('status');
  expect({ code, errors }).toEqual({ code: 0, errors: [] });
  expect(lines).toEqual([
    ...clockLines,
    'SCAs that wait for a PSU: none',
    'Payments short of funds: none',
    'Refused requests, by bank time: none',
  ]);
});

test('status shows what waits, four lines of each; --json has all', async () => {
  for (let request = 0; request < 6; request += 1) await bank.raw('GET', '/v1/accounts');
  await bank.raw('GET', '/v1/users?x=\u009b31m');
  await bank.control('POST', '/sandbox/as/shop/v1/bank-offered-consents', {});
  const paid = await run('pay', '--amount', '999999');
  expect(paid.code).toBe(0);
  await run('advance', '--runs', '1');
  const { lines } = await run('status');
  const text = lines.join('\n');
  expect(text).toMatch(
    /\nSCAs that wait for a PSU: 1\n {2}For .* {2}Opened .*\n {2}a consent to read accounts {2}Test-TPP shop {2}\S+ \S+ +http:\S+\/sca\/\S+\n/,
  );
  expect(text).toMatch(/\nPayments short of funds: 1\n {2}Payee .*\n.* 999999\.00 NOK {2}ACCP {2}.* enc!!\S+\n/);
  expect(text).toMatch(
    /\nRefused requests, by bank time: 7\n( {2}2027-03-24 12:00 {2}400 {2}GET \/v1\/.*\n){4} {2}and 3 more$/,
  );
  const { scas, shortOfFunds, refused, ...rest } = JSON.parse((await run('status', '--json')).lines.join('\n'));
  expect([scas.length, shortOfFunds.total, refused.length]).toEqual([1, 1, 7]);
  const { body: clock } = await bank.control('GET', '/sandbox/clock');
  expect(rest).toMatchObject({ address: bank.address, clock: { now: (clock as { now: string }).now } });
  expect((await run('reset')).code).toBe(0);
});
