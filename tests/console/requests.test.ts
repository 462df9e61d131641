import { expect, test } from '@jest/globals';
import { singlePath, singlePayment } from '../lab/bodies.ts';
import { testBank } from '../support/test-bank.ts';
import { beforeEaster, pay } from './console-bank.ts';
import { ConsoleClient } from './console-client.ts';

const bank = testBank(beforeEaster);

test('J1: a payment that a reset has removed is no link on the page of its request, which says so', async () => {
  const id = await pay(bank, singlePath, singlePayment());
  const { requests } = (await bank.control('GET', '/sandbox/requests')).body;
  const client = new ConsoleClient(bank.address);
  const page = () => client.get(`/console/requests/${requests.at(-1).requestId}`);
  const link = `/payments/${encodeURIComponent(id)}"`;
  expect((await page()).text).toContain(link);
  await bank.control('POST', '/sandbox/reset', {});
  const { text } = await page();
  expect(text).toMatch(/payment[^]{0,200}removed by a reset/);
  expect(text).not.toContain(link);
  expect((await client.get('/console/requests')).text).toContain('before the last reset');
});
