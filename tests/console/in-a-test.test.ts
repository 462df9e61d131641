import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createBank } from '../../api/harness/index.ts';
import type { Bank } from '../../api/harness/index.ts';
import { beforeEaster } from './console-bank.ts';
import { ConsoleClient } from './console-client.ts';

/* The console of a bank inside a test, which has no named banks beside it: what needs one is not offered. */
const alone = 'This bank runs inside a test, which makes no other banks.';
let bank: Bank;
beforeAll(async () => {
  bank = await createBank({ now: beforeEaster, port: 0 });
});
afterAll(() => bank.close());

test('the page of the banks makes none, and names no root elsewhere', async () => {
  const { status, text } = await new ConsoleClient(bank.url).get('/console/banks');
  expect([status, text.includes(alone)]).toEqual([200, true]);
  expect(text).not.toMatch(/Make a bank|the bank at the root of/);
});
