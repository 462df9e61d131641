import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { tempFolder } from '../../support/temp-folder.ts';
import { eveningBefore, fillLarge, largeCount } from '../../support/large-run.ts';
import { cpuTimeDuring, leastCpuTime } from '../../support/cpu-time.ts';
import { startTestBank, type TestBank } from '../../lab/server.ts';
import { ConsoleClient } from '../../console/console-client.ts';

const folder = tempFolder();
let bank: TestBank;
let client: ConsoleClient;

beforeAll(async () => {
  const nobody = join(folder, 'nobody.json');
  writeFileSync(nobody, JSON.stringify({ customers: [], agreements: [] }));
  bank = await startTestBank(eveningBefore, ['--fixtures', nobody]);
  await fillLarge(bank.bank);
  client = new ConsoleClient(bank.address);
});
afterAll(() => bank.stop());

const rowsOf = (text: string) => [...text.matchAll(/<td data-head="Initiated"|<td data-head="Payment"/g)].length;

/** Rows of the table beside the settlement line. */
const rowsOfLine = (text: string) => [...text.matchAll(/<tr>\n<td>/g)].length;

test(`C31: with ${largeCount} payments the first page takes 100 ms while nothing changes, 900 ms after a change`, async () => {
  const { text } = await client.get('/console');
  expect(text).toContain('10000 payments will settle');
  expect(text).toMatch(/\+ 99\d\d that will settle/);
  expect(rowsOfLine(text)).toBe(50);
  const read = () => client.get('/console');
  const kept = await leastCpuTime(5, () => cpuTimeDuring(read));
  const changed = await leastCpuTime(3, async () => {
    await bank.control('POST', '/sandbox/accounts/90000000001/top-up', { amount: { amount: '1.00', currency: 'NOK' } });
    return cpuTimeDuring(read);
  });
  expect(kept).toBeLessThan(100);
  expect(changed).toBeLessThan(900);
}, 120_000);

test('lists are paged', async () => {
  const last = (await client.get(`/console/payments?offset=${largeCount - 20}`)).text;
  expect(rowsOf(last)).toBe(20);
  expect(last).toContain(`${largeCount - 19} to ${largeCount} of ${largeCount}`);
  expect(last).toContain('rel="prev"');
  expect(last).not.toContain('rel="next"');
});

test.each(['', '/forecast', '/calendar', '/payments', '/accounts', '/people'])(
  '/console%s stays below 150 KB',
  async (path) => {
    const { status, text } = await client.get(`/console${path}`);
    expect(status).toBe(200);
    expect(Buffer.byteLength(text)).toBeLessThan(150_000);
  },
);

test.each(['-1', 'x', '1e9', '99999999999999999999', ''])(
  'an offset of %j is refused or taken, never a failure',
  async (offset) => {
    expect((await client.get(`/console/payments?offset=${offset}`)).status).toBe(200);
    const run = await client.get(`/console/runs/2027-04-14-1?offset=${offset}`);
    expect(run.status).toBe(offset === '' ? 200 : 400);
  },
);
