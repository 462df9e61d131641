import { existsSync, readFileSync } from 'node:fs';
import { beforeAll, expect, test } from '@jest/globals';
import { startTestBank } from '../lab/server.ts';
import { testBank } from '../support/test-bank.ts';

const bank = testBank('2027-03-24T12:00:00+01:00');
beforeAll(async () => {
  await bank.control('POST', '/sandbox/banks', { name: 'other' });
});

test('C27: llms.txt names what there is, with a title and a link for each page, and each link leads to the page', async () => {
  const answer = await fetch(`${bank.address}/llms.txt`);
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  const text = await answer.text();
  expect(text).toMatch(/^# Sandbank\n/);
  const links = [...text.matchAll(/^- \[(.+)\]\((\/docs\/.+\.md)\): .{20,}$/gm)];
  // Every link has a line that says what its page is about, and stands in a section.
  expect(text.match(/\]\(/g)).toHaveLength(links.length);
  expect(text.match(/^## .*$/gm)).toEqual([
    '## Addresses',
    '## For coding agents',
    '## Specification',
    '## Scenarios',
    '## Look up',
    '## Real banks',
    '## Understand',
    '## Begin',
  ]);
  expect(text).toContain('`npx --no sandbank ready --wait=30s`');
  expect(text).toContain('--clock-mode frozen');
  expect(links.map(([, title, path]) => [title, path])).toEqual(
    expect.arrayContaining([
      ['How do I sign a request?', '/docs/signing.md'],
      ["How do I move the bank's clock?", '/docs/time-machine.md'],
      ['Rules of the bank', '/docs/spec/rules.md'],
      ['Sandbank', '/docs/skills/sandbank/SKILL.md'],
    ]),
  );
  for (const [, , path = ''] of links) {
    const page = await fetch(bank.address + path);
    expect([path, page.status, page.headers.get('content-type')]).toEqual([path, 200, 'text/markdown; charset=utf-8']);
    expect(wordsOf(await page.text())).toBe(wordsOf(readFileSync(`.${path}`, 'utf8')));
  }
});

/** A page without the addresses of its links. */
function wordsOf(page: string): string {
  return page.replaceAll(/\[([^\][]+)\]\([^)\s]+\)/g, '$1');
}

test.each(['', '/banks/other'])(
  'every link of every page that is served at "%s" leads on, to its heading too',
  async (base) => {
    const pages = new Map<string, string>();
    const followed: string[] = [];
    const read = async (address: string): Promise<string> => {
      const known = pages.get(address);
      if (known !== undefined) return known;
      const answer = await fetch(address);
      const text = answer.ok ? await answer.text() : '';
      pages.set(address, text);
      return text;
    };
    const start = `${bank.address}${base}/llms.txt`;
    const open = [start];
    for (const address of open) {
      const prose = (await read(address)).replaceAll(/^```[^]*?^```$/gm, '');
      for (const [, target = ''] of prose.matchAll(/\]\(([^)\s]+)\)/g)) {
        const { origin, pathname, hash } = new URL(target, address);
        if (origin !== bank.address) continue;
        const text = await read(origin + pathname);
        const isThere = text !== '' && (hash === '' || headingsOf(text).includes(hash.slice(1)));
        expect([address, target, isThere, pathname.startsWith(base)]).toEqual([address, target, true, true]);
        followed.push(pathname);
        // A picture has no links, and the pages of another bank differ in their addresses alone.
        const isPage = base === '' && !/\.(?:webp|svg)$/.test(pathname);
        if (isPage && !open.includes(origin + pathname)) open.push(origin + pathname);
      }
    }
    expect(new Set(followed).size).toBeGreaterThan(40);
    expect(await read(`${bank.address}${base}/docs/running.md`)).toContain('compose.yaml');
  },
);

/** The headings and the rules of a page, as links name them. */
function headingsOf(page: string): string[] {
  const rules = [...page.matchAll(/^- \*\*([A-Z]+\d+\w*)\b/gm)].map(([, rule = '']) => rule.toLowerCase());
  const lines = page.split('\n').filter((line) => /^#+ /.test(line));
  const headings = lines.map((line) =>
    line
      .replace(/^#+ /, '')
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );
  return [...headings, ...rules];
}

test('the front page of a named bank has its own addresses', async () => {
  const text = await (await fetch(`${bank.address}/banks/other/`)).text();
  for (const path of ['/banks/other/v1 and /banks/other/api-sandbox/v1 ', '/banks/other/docs ', '/health, /ready '])
    expect(text).toContain(`\n${path}`);
  expect(text).toContain('/banks/other/docs/first-payment.md explains them.');
  expect((await fetch(`${bank.address}/banks/other/docs/first-payment.md`)).status).toBe(200);
});

test('the page at the address of the bank names a page that there is', async () => {
  const text = await (await fetch(bank.address)).text();
  const [path = ''] = /\/docs\/\S+\.md/.exec(text) ?? [];
  expect(existsSync(`.${path}`)).toBe(true);
});

test.each([
  '/docs/no-such-page.md',
  '/docs/no-such-page',
  '/docs/..%2fREADME',
  '/docs/pictures/console',
  '/docs/..%2fpackage.json',
  '/docs/%2e%2e/README.md',
  '/docs/spec',
  '/docs/tests.md/',
])('%s is no page of the guide', async (path) => {
  expect((await fetch(bank.address + path)).status).toBe(404);
});

test.each(['', '/banks/other'])(
  '"%s/favicon.ico" is the icon that the console has, kept for a day; at a named bank for who has its token',
  async (base) => {
    await using guarded = await startTestBank('2027-03-24T12:00:00+01:00', ['--control-token', 'a-token-of-our-own']);
    const given = { authorization: 'Bearer a-token-of-our-own' };
    await guarded.raw(
      'POST',
      '/sandbox/banks',
      { ...given, 'content-type': 'application/json' },
      Buffer.from('{"name":"other"}'),
    );
    // As of the text pages: of any Host, without a token.
    const answer = await fetch(`${guarded.address}${base}/favicon.ico`, {
      headers: { origin: 'http://192.0.2.1:7263', ...(base !== '' && given) },
    });
    const { status, headers } = answer;
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
      200,
      'image/svg+xml; charset=utf-8',
      'public, max-age=86400',
    ]);
    const console = await (await fetch(`${guarded.address}${base}/console`)).text();
    const [, inPage = ''] = /<link rel="icon" href="data:image\/svg\+xml,([^"]+)"/.exec(console) ?? [];
    expect(decodeURIComponent(inPage)).toBe(await answer.text());
    expect((await guarded.raw('GET', `${base}/sandbox/requests`, given)).body.requests).toEqual([]);
  },
);
