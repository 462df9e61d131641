import { beforeAll, expect, test } from '@jest/globals';
import { type Answered, send } from '../console/console-client.ts';
import { testBank } from '../support/test-bank.ts';

/** What a browser sends when somebody types an address. */
const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const bank = testBank('2027-03-24T12:00:00+01:00');

beforeAll(async () => {
  await bank.control('POST', '/sandbox/banks', { name: 'demo' });
});

const get = (path: string, accept: string, method = 'GET'): Promise<Answered> =>
  send(bank.address, method, path, { host: new URL(bank.address).host, accept, 'sec-fetch-site': 'same-origin' });

test.each([
  ['/nothing', '', 'tppMessages'],
  ['/some/where/deep?x=1', '', 'tppMessages'],
  ['/docs/nothing', '', 'tppMessages'],
  ['/docs/spec/nothing.md', '', 'tppMessages'],
  ['/sandbox', '', 'detail'],
  ['/sandbox/', '', 'detail'],
  ['/sandbox/nothing', '', 'detail'],
  ['/sandbox/nothing/deep?x=1', '', 'detail'],
  ['/sandbox/v1', '', 'detail'],
  ['/sandbox/payments/nothing', '', 'detail'],
  ['/banks', '', 'tppMessages'],
  ['/banks/nope', '', 'detail'],
  ['/banks/nope/', '', 'detail'],
  ['/banks/nope/console/payments', '', 'detail'],
  ['/banks/nope/sandbox/nothing', '', 'detail'],
  ['/banks/%3Cb%3E', '', 'detail'],
  ['/banks/demo/nothing', '/banks/demo', 'tppMessages'],
  ['/banks/demo/docs/nothing', '/banks/demo', 'tppMessages'],
  ['/banks/demo/sandbox/nothing', '/banks/demo', 'detail'],
])(
  'C12: %s is a page for a browser, which leads to the console at %j, and JSON with %s for a program',
  async (path, base, member) => {
    const page = await get(path, browser);
    expect([page.status, page.headers['content-type'], page.headers['vary']]).toEqual([
      404,
      'text/html; charset=utf-8',
      expect.stringMatching(/^accept(, accept-encoding)?$/),
    ]);
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    const links = [...page.text.matchAll(/href="([^"]*)"/g)].map(
      ([, href = '']) => new URL(href, bank.address + path).pathname,
    );
    const ways = ['/console', '/docs', '/docs/first-payment'].map((to) => base + to);
    // Beside them the guide has its menu.
    expect(links).toEqual(path.includes('/docs/') ? expect.arrayContaining(ways) : ways);
    for (const accept of ['*/*', 'application/json']) {
      const { status, text } = await get(path, accept);
      expect([status, JSON.parse(text)]).toEqual([404, expect.objectContaining({ [member]: expect.anything() })]);
    }
  },
);

test('C12: HEAD is answered like GET; what is no address of a page answers a browser as it does a program', async () => {
  expect((await get('/sandbox/nothing', browser, 'HEAD')).headers['content-type']).toBe('text/html; charset=utf-8');
  for (const [method, path, status] of [
    ['GET', '/v1/nothing', 404],
    ['GET', '/api-sandbox/v1/nothing', 404],
    ['GET', '/banks/demo/v1/nothing', 404],
    ['GET', '/banks/nope/v1/nothing', 404],
    ['GET', '/sandbox/as/docs/v1/nothing', 404],
    ['POST', '/sandbox/nothing', 404],
    ['GET', '/sandbox/reset', 405],
    ['GET', '/sandbox/info', 200],
  ] as const) {
    const answer = await get(path, browser, method);
    expect([path, answer.status]).toEqual([path, status]);
    expect([path, answer.headers['content-type']]).toEqual([path, expect.stringMatching(/json/)]);
  }
});

test.each([
  ['/docs/nothing', ''],
  ['/docs/spec/nothing.md', '../'],
  ['/banks/demo/docs/nothing', ''],
])('a missing page of the guide keeps its menu and its search: %s', async (path, up) => {
  const { status, text } = await get(path, browser);
  expect([status, text.match(/<h1>([^<]*)/)?.[1]]).toEqual([404, 'There is no such page']);
  for (const part of ['aria-label="All pages"', 'role="search"', `href="${up}first-payment"`, `href="${up}guide.css"`])
    expect(text).toContain(part);
});
