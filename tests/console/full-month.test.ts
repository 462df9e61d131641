import { expect, test } from '@jest/globals';
import { bulkItem, bulkPath, bulkPayment, singlePath, singlePayment } from '../lab/bodies.ts';
import { startTestBank } from '../lab/server.ts';
import { pay } from './console-bank.ts';
import { ConsoleClient } from './console-client.ts';

test('C17: the calendar names the payments of its month even if a run after the month has a thousand', async () => {
  await using bank = await startTestBank('2027-04-29T12:00:00+02:00');
  await pay(bank, singlePath, singlePayment({ requestedExecutionDate: '2027-04-30', creditorName: 'Aprilsnarr' }));
  const thousand = Array.from({ length: 1000 }, (_, index) => bulkItem(((index + 1) / 100).toFixed(2)));
  const id = await pay(bank, bulkPath, bulkPayment(thousand, { requestedExecutionDate: '2027-05-03' }));
  await bank.advance({ to: '2027-05-04T12:00:00+02:00' });
  const client = new ConsoleClient(bank.address);
  const { text } = await client.get('/console/calendar?month=2027-04');
  expect(text).toMatch(/Aprilsnarr/);
  // A page of it has a hundred of its items, each list by itself.
  const path = `/console/payments/${encodeURIComponent(id)}`;
  const first = await client.get(path);
  const rowsOf = (page: string): number => page.split('<tr>').length;
  expect(first.text).toMatch(/1 to 100 of 1000[^]*1 to 100 of 1000/);
  expect(first.text).toContain('and 900 more, which the line for curl shows');
  expect(rowsOf(first.text)).toBeLessThan(350);
  const [, next = ''] = /href="([^"]*\?dates=100)"/.exec(first.text) ?? [];
  const second = await client.get(`${path}?${next.split('?')[1]}`);
  expect(second.text).toMatch(/101 to 200 of 1000[^]*1 to 100 of 1000/);
}, 60_000);
