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
  const page = await client.get(path);
  before = page.text;
  const names = ['form-token', 'came-from', 'account'];
  const fields = Object.fromEntries(names.map((name) => [name, hidden(page, name)]));
  const begun = await client.post(`${path}/life`, { ...fields, persona: 'family', months: '12' });
  after = (await client.follow(`${path}/life`, begun)).text;
});

test('a page offers each persona until one lives there', () => {
  for (const name of ['family', 'pensioner', 'shop', 'short-of-funds', 'student'])
    expect(before).toContain(`<option value="${name}"`);
  expect(after).not.toContain('Who lives here');
  expect(words(after)).toContain('Lives as family');
});
