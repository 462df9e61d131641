import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { tempFolder } from '../support/temp-folder.ts';
import { readConfig } from '../../api/start/config.ts';
import { startServer } from '../../api/hosting/server.ts';
import { singlePayment } from '../lab/bodies.ts';
import { accounts, balancesOf, nora, paid, productPath, refusalOf, transactionsOf } from '../lab/products.ts';
import { startTestBank, TestBank } from '../lab/server.ts';

const folder = tempFolder();
const bban = accounts.noraNok.bban;
const saturday = '2027-04-10T22:00:00+02:00';

let bank: TestBank;
afterEach(() => bank.stop());

const to = (instant: string) => bank.advance({ to: instant });

/** Nora's transactions as `amount bookingDate valueDate`; what a pending one does not show is `-`. */
async function seen(): Promise<{ booked: string[]; pending: string[] }> {
  const { booked, pending } = await transactionsOf(bank, nora, bban);
  return { booked: booked.map(inWords), pending: pending.map(inWords) };
}

function inWords(item: Record<string, string> & { transactionAmount?: { amount: string } }): string {
  const amount = item.transactionAmount?.amount ?? item['amount'];
  return [amount, item['bookingDate'] ?? '-', item['valueDate'] ?? '-'].join(' ');
}

/** The same under `/v1/sandbox`, with the status of each. */
async function mocked(query = ''): Promise<string[]> {
  const list = await bank.signed('GET', '/v1/sandbox/accounts');
  const { resourceId } = list.body.find((each: { bban: string }) => each.bban === bban);
  const { body } = await bank.signed('GET', `/v1/sandbox/accounts/${resourceId}/transactions${query}`);
  return body.map((item: Record<string, string>) => `${item['bookingStatus']} ${inWords(item)}`);
}

describe('interface, What the service does 10: S6, P10: straks on a Saturday evening', () => {
  test('is pending without a booking date, and booked by the first run of Monday, with its date', async () => {
    bank = await startTestBank(saturday);
    const id = await paid(bank, 'straks', singlePayment());
    expect(await seen()).toEqual({ booked: [], pending: ['-100.00 - -'] });
    expect(await mocked()).toEqual(['pending -100.00 - 2027-04-10']);
    await to('2027-04-12T05:29:59+02:00');
    expect((await seen()).pending).toHaveLength(1);
    await to('2027-04-12T05:30:00+02:00');
    expect(await seen()).toEqual({ booked: ['-100.00 2027-04-12 2027-04-10'], pending: [] });
    expect(await mocked()).toEqual(['booked -100.00 2027-04-12 2027-04-10']);
    expect(refusalOf(await bank.signed('GET', `${productPath('straks')}/${id}`))).toBe('403 RESOURCE_UNKNOWN');
  });

  test('a day that has ended gets nothing more, and openingBooked stays the same all Monday', async () => {
    bank = await startTestBank(saturday);
    await paid(bank, 'straks', singlePayment());
    const weekend = { from: '2027-04-10', to: '2027-04-11' };
    for (const time of ['00:00', '05:30', '15:30', '23:59']) {
      await to(`2027-04-12T${time}:00+02:00`);
      expect(await transactionsOf(bank, nora, bban, weekend)).toMatchObject({ booked: [] });
      expect((await balancesOf(bank, nora, bban))['openingBooked']).toBe('18000.00');
    }
    await to('2027-04-13T00:00:00+02:00');
    expect((await balancesOf(bank, nora, bban))['openingBooked']).toBe('17900.00');
  });

  test('interface, Other operations 3: A9: dates under /v1/sandbox, and everywhere with the quirk, find a pending one by its value date', async () => {
    bank = await startTestBank(saturday, ['--quirks', 'pending-filtered']);
    await paid(bank, 'straks', singlePayment());
    const pending = 'pending -100.00 - 2027-04-10';
    expect(await mocked('?fromDate=2027-04-10&toDate=2027-04-10')).toEqual([pending]);
    expect(await mocked('?fromDate=2027-04-11')).toEqual([]);
    expect(await mocked('?toDate=2027-04-09')).toEqual([]);
    expect((await seen()).pending).toHaveLength(1);
    await to('2027-04-12T05:30:00+02:00');
    expect(await mocked('?toDate=2027-04-11')).toEqual([]);
    expect(await mocked('?fromDate=2027-04-12')).toEqual(['booked -100.00 2027-04-12 2027-04-10']);
  });
});

test('S6: it is booked when the run known at posting has passed, though the program was started with other settlement times', async () => {
  const ledger = join(folder, 'times.sqlite');
  const start = async (times: string): Promise<void> => {
    const flags = ['--port', '0', '--ledger', ledger, '--clock-mode', 'frozen', '--clock-now', saturday];
    const server = await startServer(readConfig({}, [...flags, '--settlement-times', times, '--log-level', 'silent']));
    bank = new TestBank(server.address, server.bank, () => server.stop());
  };
  await start('09:30,15:30');
  const id = await paid(bank, 'straks', singlePayment());
  await bank.stop();
  await start('06:00,17:00');
  await to('2027-04-12T09:29:00+02:00');
  expect((await seen()).pending).toHaveLength(1);
  expect((await bank.signed('GET', `${productPath('straks')}/${id}/status`)).status).toBe(200);
  await to('2027-04-12T09:30:00+02:00');
  expect(await seen()).toEqual({ booked: ['-100.00 2027-04-12 2027-04-10'], pending: [] });
  expect(refusalOf(await bank.signed('GET', `${productPath('straks')}/${id}`))).toBe('403 RESOURCE_UNKNOWN');
  const { body } = await to('2027-04-13T00:00:00+02:00');
  expect(body.runs).toMatchObject([{ id: '2027-04-12/2', booked: 1 }]);
  expect((await bank.control('GET', '/sandbox/ledger/proof')).body.ok).toBe(true);
});
