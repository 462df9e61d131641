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

test('D3e: the forecast and the calendar show incomes and bills of lives beside payments, in the order of the day', async () => {
  const page = await read('/console/forecast?to=2027-03-17');
  const lines = ['Payee 900.00', 'old age pension', 'road tolls'].map((what) =>
    page.indexOf(what, page.indexOf('in order of time')),
  );
  expect(lines.every((at) => at > 0)).toBe(true);
  expect(lines).toEqual(lines.toSorted((one, other) => one - other));
  const calendar = await read('/console/calendar?month=2027-03');
  expect(calendar).toMatch(
    /Mon 15 5 runs 05:30 1 settle 1 short Payee 900\.00 -\d+,\d{3}[^]*? 1 event of lives Tue 16/,
  );
  const day = await read('/console/calendar?month=2027-03&day=2027-03-15');
  expect(day).toMatch(/What lives do on Mon 15 Mar 2027 [^]*?04:\d\d old age pension 5,000\.00/);
  expect(await read(`/console/accounts/${nora}`)).toContain('Available');
});

test('C17: the calendar shows what lives did, in the past that they were given and as the clock moved, without purchases', async () => {
  await bank.advance({ to: '2027-03-16T05:00:00+01:00' });
  const march = await read('/console/calendar?month=2027-03');
  expect(march).toMatch(/Mon 15 5 runs 05:30 1 settled[^]*? 1 event of lives Tue 16 5 runs 1 event of lives Wed 17/);
  const days = ['2027-03-15', '2027-03-16', '2027-02-15', '2027-02-16'].map((day) =>
    read(`/console/calendar?month=${day.slice(0, 7)}&day=${day}`),
  );
  const [mon, tue, monBefore, tueBefore] = await Promise.all(days);
  expect(mon).toMatch(/What lives do on Mon 15 Mar 2027 [^]*?old age pension 5,000\.00/);
  expect(tue).toMatch(/What lives do on Tue 16 Mar 2027 [^]*?04:\d\d road tolls -12\.00/);
  const february = await read('/console/calendar?month=2027-02');
  expect(february).toMatch(/Mon 15 5 runs 1 event of lives Tue 16 5 runs 1 event of lives Wed 17 5 runs Thu 18 /);
  expect(monBefore).toMatch(/What lives do on Mon 15 Feb 2027 [^]*?old age pension 5,000\.00/);
  expect(tueBefore).toMatch(/What lives do on Tue 16 Feb 2027 [^]*?road tolls -12\.00/);
});
