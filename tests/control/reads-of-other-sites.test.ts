import { describe, expect, test } from '@jest/globals';
import { exchange } from '../lab/exchange.ts';
import { testBank } from '../support/test-bank.ts';

/* C35: another site may open a page of the bank, and include or fetch none. */

const bank = testBank('2027-03-24T12:00:00+01:00');

const read = (path: string, headers: Readonly<Record<string, string>>, method = 'GET') =>
  exchange(bank.address + path, { method, headers });

const guarded = [
  '/console',
  '/console/line.svg?from=2027-03-24&to=2027-03-30&scheme=light',
  '/console/live.js',
  '/sandbox/info',
  '/sandbox/forecast?to=P1D',
  '/sandbox/bundle',
];
const open = ['/health', '/ready', '/openapi.json', '/sandbox/openapi.json'];

const from = (site: string, mode: string, dest: string) => ({
  'sec-fetch-site': site,
  'sec-fetch-mode': mode,
  'sec-fetch-dest': dest,
});
const foreign = ['cross-site', 'same-site'];
const included = [
  ['no-cors', 'image'],
  ['no-cors', 'script'],
  ['no-cors', 'empty'],
  ['cors', 'empty'],
  ['navigate', 'iframe'],
  ['navigate', 'object'],
  ['navigate', 'embed'],
] as const;

describe.each(guarded)('C35: %s', (path) => {
  test.each(foreign.flatMap((site) => included.map((each) => [site, ...each] as const)))(
    'is refused to %s, %s, %s',
    async (site, mode, dest) => {
      for (const method of ['GET', 'HEAD']) expect((await read(path, from(site, mode, dest), method)).status).toBe(403);
    },
  );

  test.each([
    ['a link of another site', from('cross-site', 'navigate', 'document')],
    ['a link of another port', from('same-site', 'navigate', 'document')],
    ['its own page', from('same-origin', 'no-cors', 'image')],
    ['the address line', from('none', 'navigate', 'document')],
    ['a program', {}],
  ])('is given to %s, to pages of its origin only', async (_who, headers) => {
    const { status, headers: answered } = await read(path, headers);
    expect(status).toBe(200);
    expect(answered.get('cross-origin-resource-policy')).toBe('same-origin');
  });
});

test.each(open)('C35: %s stays open', async (path) => {
  for (const [mode, dest] of included) expect((await read(path, from('cross-site', mode, dest))).status).toBe(200);
});

test('C35: a named bank is guarded as the one at the root', async () => {
  await bank.control('PUT', '/sandbox/banks/other');
  const asked = (path: string) => read(`/banks/other${path}`, from('cross-site', 'no-cors', 'image'));
  for (const path of guarded) expect((await asked(path)).status).toBe(403);
});

test('C35: a write of a link is refused as before', async () => {
  const headers = { ...from('cross-site', 'navigate', 'document'), 'content-type': 'application/json' };
  expect((await read('/sandbox/reset', headers, 'POST')).status).toBe(403);
  expect((await read('/console/reset', headers, 'POST')).status).toBe(403);
});
