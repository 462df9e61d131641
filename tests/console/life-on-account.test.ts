import { beforeAll, expect, test } from '@jest/globals';
import { ConsoleClient, hidden } from './console-client.ts';
import { testBank } from '../support/test-bank.ts';

/* control-plane.md C17b: the life of an account, on its page. */

const path = '/console/accounts/09232911044';
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
