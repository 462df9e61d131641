import { beforeAll, expect, test } from '@jest/globals';
import { singlePath, singlePayment } from '../lab/bodies.ts';
import { pay } from './console-bank.ts';
import { ConsoleClient } from './console-client.ts';
import { testBank } from '../support/test-bank.ts';

/** Nora's account. A payday of the persona is the 15th, and 15 March 2027 is a Monday. */
const [nora, beforePayday] = ['09232911044', '2027-03-12T12:00:00+01:00'];

const persona = {
  name: 'pensioner',
  description: 'A pension and a bill',
  netPerYear: '60000.00',
  events: [
    {
      event: 'old-age-pension',
      kind: 'transfer',
      amount: '5000.00',
      text: 'Pensjon',
      when: { days: [15], rule: 'following' },
    },
    {
      event: 'road-tolls',
      kind: 'transfer',
      amount: '-12.00',
      text: 'Bompenger',
      when: { days: [16], rule: 'following' },
    },
    {
      event: 'purchases-of-a-past-month',
      kind: 'card',
      card: 'visa',
      amount: '-1.00',
      shops: ['Kiosk'],
      when: { days: [17], rule: 'following', months: [2] },
    },
  ],
};

const bank = testBank(beforePayday);
let client: ConsoleClient;
const read = async (path: string) => (await client.get(path)).text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');

beforeAll(async () => {
  client = new ConsoleClient(bank.address);
  await bank.control('POST', '/sandbox/life', { account: nora, persona, months: 1 });
  await payMoreThanThereIs('900.00');
  await bank.advance({ runs: 1 });
  await payMoreThanThereIs('90000.00');
});

async function payMoreThanThereIs(amount: string): Promise<void> {
  const { body } = await bank.control('GET', `/sandbox/accounts/${nora}`);
  const available = Number(body.available.amount);
  const total = (available + Number(amount)).toFixed(2);
  await pay(
    bank,
    singlePath,
    singlePayment({ instructedAmount: { amount: total, currency: 'NOK' }, creditorName: `Payee ${amount}` }),
  );
}

test('D3e: the forecast shows incomes and bills of lives beside payments, in the order of the day', async () => {
  const page = await read('/console/forecast?to=2027-03-17');
  const lines = ['Payee 900.00', 'old age pension', 'road tolls'].map((what) =>
    page.indexOf(what, page.indexOf('in order of time')),
  );
  expect(lines.every((at) => at > 0)).toBe(true);
  expect(lines).toEqual(lines.toSorted((one, other) => one - other));
  expect(await read(`/console/accounts/${nora}`)).toContain('Available');
});

test('C17: the calendar is of settlement alone: what lives did stands on the page of their account', async () => {
  await bank.advance({ to: '2027-03-16T05:00:00+01:00' });
  const march = await read('/console/calendar?month=2027-03');
  expect(march).toMatch(/Mon 15 5 runs 05:30 1 settled/);
  expect(march).not.toMatch(/of lives|old age pension/);
  expect(march).toMatch(/Tue 16 5 runs Wed 17/);
});
