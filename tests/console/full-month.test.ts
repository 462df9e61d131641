import { expect, test } from '@jest/globals';
import { bulkItem, bulkPath, bulkPayment, singlePath, singlePayment } from '../lab/bodies.ts';
import { startTestBank } from '../lab/server.ts';
import { pay } from './console-bank.ts';
import { ConsoleClient } from './console-client.ts';

test('C17: the calendar names the payments of its month even if a run after the month has a thousand', async () => {
  const bank = await startTestBank('2027-04-29T12:00:00+02:00');
  try {
    await pay(bank, singlePath, singlePayment({ requestedExecutionDate: '2027-04-30', creditorName: 'Aprilsnarr' }));
    const thousand = Array.from({ length: 1000 }, (_, index) => bulkItem(((index + 1) / 100).toFixed(2)));
    await pay(bank, bulkPath, bulkPayment(thousand, { requestedExecutionDate: '2027-05-03' }));
    await bank.advance({ to: '2027-05-04T12:00:00+02:00' });
    const { text } = await new ConsoleClient(bank.address).get('/console/calendar?month=2027-04');
    expect(text).toMatch(/Aprilsnarr/);
  } finally {
    await bank.stop();
  }
}, 60_000);
