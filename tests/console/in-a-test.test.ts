import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createBank } from '../../api/harness/index.ts';
import type { Bank } from '../../api/harness/index.ts';
import { beforeEaster } from './console-bank.ts';
import { ConsoleClient, hidden } from './console-client.ts';

/* The console of a bank inside a test, which has no named banks beside it: what needs one is not offered. */
const alone = 'This bank runs inside a test, which makes no other banks.';
let bank: Bank;
beforeAll(async () => {
  bank = await createBank({ now: beforeEaster, port: 0 });
});
afterAll(() => bank.close());

test('scenarios are shown, and none is offered to be played', async () => {
  const client = new ConsoleClient(bank.url);
  const list = await client.get('/console/scenarios');
  expect([list.status, list.text.includes(alone), list.text.includes('five-attempts')]).toEqual([200, true, true]);
  const { status, text } = await client.get('/console/scenarios/easter');
  expect([status, text.includes(alone)]).toEqual([200, true]);
  expect(text).toContain('<code>npx --no sandbank play easter</code>');
  expect(text).not.toMatch(/scenarios\/easter\/play|Play it/);
  const none = await client.get('/console/scenarios/plays/x');
  expect(none.status).toBe(404);
});

test('a form that plays one all the same is refused in words, and no bank is asked for', async () => {
  const client = new ConsoleClient(bank.url);
  const token = hidden(await client.get('/console/snapshots'), 'form-token');
  const path = '/console/scenarios/easter/play';
  const sent = await client.post(path, { 'form-token': token, pace: 'fast' });
  const shown = sent.status === 303 ? await client.follow(path, sent) : sent;
  expect(shown.text).toContain(`${alone} A scenario needs one.`);
});

test('the page of the banks makes none, and names no root elsewhere', async () => {
  const { status, text } = await new ConsoleClient(bank.url).get('/console/banks');
  expect([status, text.includes(alone)]).toEqual([200, true]);
  expect(text).not.toMatch(/Make a bank|the bank at the root of/);
});
