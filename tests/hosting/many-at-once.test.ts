import { beforeAll, expect, test } from '@jest/globals';
import { testBank } from '../support/test-bank.ts';

const now = '2027-03-24T12:00:00.000+01:00';
const names = Array.from({ length: 20 }, (_, index) => `at-once-${index}`);
const bank = testBank(now);

beforeAll(async () => {
  for (const name of names) await bank.control('POST', '/sandbox/banks', { name, now, mode: 'frozen' });
}, 30_000);

function clocks(): Promise<number[]> {
  return Promise.all(names.map(async (name) => (await bank.control('GET', `/banks/${name}/sandbox/clock`)).status));
}

test('twenty banks answer at once, again and again', async () => {
  for (let round = 1; round <= 2; round += 1) expect(new Set(await clocks())).toEqual(new Set([200]));
}, 30_000);

test('a bank is not taken away while its clock is being moved: 409; afterwards it is', async () => {
  const advancing = bank.control('POST', '/banks/at-once-0/sandbox/clock/advance', { by: 'P9Y' });
  const removed = await bank.control('DELETE', '/sandbox/banks/at-once-0');
  expect([200, 409]).toContain(removed.status);
  expect([200, 404]).toContain((await advancing).status);
  await bank.control('DELETE', '/sandbox/banks/at-once-0');
  expect((await bank.control('GET', '/banks/at-once-0/sandbox/clock')).status).toBe(404);
});

test('requests that race the removal of their bank are answered or refused, never a 500', async () => {
  const racing = Array.from({ length: 20 }, () => bank.control('GET', '/banks/at-once-1/sandbox/clock'));
  const removed = bank.control('DELETE', '/sandbox/banks/at-once-1');
  const statuses = (await Promise.all(racing)).map(({ status }) => status);
  expect(statuses.filter((status) => ![200, 404].includes(status))).toEqual([]);
  expect((await removed).status).toBe(200);
});
