import { beforeAll, expect, test } from '@jest/globals';
import { ConsoleClient, hidden } from './console-client.ts';
import { testBank } from '../support/test-bank.ts';

/* control-plane.md C17: the year of an account with a life, on the account's page. */

const [nora, path] = ['09232911044', '/console/accounts/09232911044'];
const words = (page: string): string =>
  page
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/[\s\u00a0]+/g, ' ')
    .replaceAll(',', '');

const bank = testBank('2027-03-24T12:00:00+01:00');
let client: ConsoleClient;
/** The page that lets a family begin, and the one after it has begun with twelve months of past. */
let [before, after] = ['', ''];

beforeAll(async () => {
  client = new ConsoleClient(bank.address);
  const page = await client.get(`${path}?persona=family`);
  before = page.text;
  const names = ['form-token', 'came-from', 'account', 'persona'];
  const fields = Object.fromEntries(names.map((name) => [name, hidden(page, name)]));
  const begun = await client.post(`${path}/life`, { ...fields, months: '12' });
  after = (await client.follow(`${path}/life`, begun)).text;
});

test('a page offers each persona, and previews the chosen one with what then happens', async () => {
  expect((await client.get(path)).text).not.toContain('Begin as');
  for (const name of ['family', 'pensioner', 'shop', 'short-of-funds', 'student'])
    expect(before).toContain(`?persona=${name}#life`);
  expect(before).toContain('Two adults with salaries');
  const [, previewed = ''] = /bookings of the next month[^]*?<tbody>([^]*?)<\/tbody>/.exec(before) ?? [];
  const amounts = [...words(previewed).matchAll(/(-?\d+\.\d\d) NOK(?! \d)/g)].map(([, amount]) => Number(amount));
  expect(amounts).toHaveLength(10);
  expect(amounts.some((amount) => amount < 0)).toBe(true);
  expect(after).not.toContain('Begin as');
  expect(words(after)).toContain('Lives as family');
});

test('C17: twelve months that were asked for are on the curve, with paydays and rent, months below and the lowest point', async () => {
  const { entries, creditLine } = (await bank.control('GET', `/sandbox/accounts/${nora}`)).body;
  expect(words(after)).toMatch(/Apr 2026 May Jun Jul Aug Sep Oct Nov Dec Jan 2027 Feb Mar/);
  expect(after).toMatch(/aria-label="The balance of [^"]* from 2[45] Mar 2026/);
  const { truth } = (await bank.control('GET', `/sandbox/life/${nora}/truth`)).body;
  const paydays = truth.filter(({ category }: { category: string }) => category === 'salary');
  const events = new Set(paydays.map(({ event }: { event: string }) => event.replaceAll('-', ' ')));
  const titles = [...after.matchAll(/<title>\d+ \w+ \d{4}: ([^<]*?) -?[\d,.]+\u00a0NOK<\/title>/g)].map(
    ([, title]) => title,
  );
  expect(paydays.length).toBeGreaterThan(20);
  // Those to come are marked too.
  expect(titles.filter((title) => events.has(title)).length).toBeGreaterThanOrEqual(paydays.length);
  // An entry is available from its posting on: a day ends no lower than its last balance of that day.
  const [, lowest = ''] = /lowest: (-?[\d.]+) NOK/.exec(words(after)) ?? [];
  const balances = entries.map(({ balance }: { balance: { amount: string } }) => Number(balance.amount));
  expect(Number(creditLine.amount)).toBe(0);
  expect(Number(lowest)).toBeGreaterThanOrEqual(Math.min(...balances));
  expect(Number(lowest)).toBeLessThan(Math.max(...balances) / 2);
});

test('months stand side by side, and the categories of the truth have their sums', async () => {
  const { entries } = (await bank.control('GET', `/sandbox/accounts/${nora}`)).body;
  const { truth } = (await bank.control('GET', `/sandbox/life/${nora}/truth`)).body;
  type Booked = { bookingDate: string; category: string; amount: { amount: string } };
  const total = (all: readonly Booked[]): string =>
    all.reduce((sum, { amount }) => sum + Number(amount.amount), 0).toFixed(2);
  const text = words(after);
  const february = entries.filter(({ bookingDate }: Booked) => bookingDate.startsWith('2027-02'));
  const isIn = ({ amount }: Booked): boolean => !amount.amount.startsWith('-');
  const spent = total(february.filter((each: Booked) => !isIn(each))).slice(1);
  expect(text).toContain(`Feb 2027 ${total(february.filter(isIn))} ${spent} ${total(february)}`);
  for (const category of ['salary', 'groceries', 'subscription']) {
    const all = truth.filter((each: Booked) => each.category === category);
    expect(text).toContain(`${category} ${total(all)} ${all.length}`);
  }
});
