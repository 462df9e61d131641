import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestBank, type TestBank } from '../../lab/server.ts';
import { cpuTimeDuring, leastCpuTime } from '../../support/cpu-time.ts';
import { eveningBefore, fillLarge, largeCount } from '../../support/large-run.ts';

let folder: string;
let bank: TestBank;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sandbank-timeline-'));
  const fixtures = join(folder, 'nobody.json');
  writeFileSync(fixtures, JSON.stringify({ customers: [], agreements: [] }));
  bank = await startTestBank(eveningBefore, ['--fixtures', fixtures]);
  await fillLarge(bank.bank);
}, 60_000);
afterAll(async () => {
  await bank.stop();
  rmSync(folder, { recursive: true });
});

const read = async (path: string): Promise<string> => (await fetch(bank.address + path)).text();

test(`C31: with ${largeCount} payments the first page takes 100 ms while nothing changes, 900 ms after a change`, async () => {
  const page = await read('/console');
  expect(page).toContain('10000 payments will settle');
  expect(page).toMatch(/\+ 99\d\d that will settle/);
  const kept = await leastCpuTime(5, () => cpuTimeDuring(() => read('/console')));
  const changed = await leastCpuTime(3, async () => {
    await bank.control('POST', '/sandbox/accounts/90000000001/top-up', { amount: { amount: '1.00', currency: 'NOK' } });
    return cpuTimeDuring(() => read('/console'));
  });
  expect(kept).toBeLessThan(100);
  expect(changed).toBeLessThan(900);
}, 120_000);
