import { beforeAll, expect, test } from '@jest/globals';
import { unescapedHtml } from '../support/html.ts';
import { someOf } from '../support/sample.ts';
import { testBank } from '../support/test-bank.ts';

const bank = testBank('2027-03-24T12:00:00+01:00');

beforeAll(async () => {
  await bank.control('POST', '/sandbox/banks', { name: 'demo' });
});

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(bank.address + path, { headers, redirect: 'manual' });

const aCall = 'postPaymentsNorwegianDomesticCreditTransfers';

test.each(['', '/banks/demo'])(
  '%s/docs and the page of a call load their own files alone, and run no inline script',
  async (base) => {
    for (const [path, count] of [
      ['docs', 3],
      [`docs/interface/${aCall}`, 4],
      ['docs/search?q=signing', 2],
    ] as const) {
      const answer = await get(`${base}/${path}`);
      const text = await answer.text();
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      const policy = answer.headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("style-src 'self';script-src 'self';");
      expect(policy).not.toContain('unsafe');
      const loaded = [...text.matchAll(/(?:src|href)="([^"]+\.(?:css|js))"/g)].map(([, file]) => file ?? '');
      expect(loaded).toHaveLength(count);
      for (const file of loaded) {
        const { status, headers } = await fetch(new URL(file, `${bank.address}${base}/${path}`));
        const type = file.endsWith('.css') ? 'text/css' : 'text/javascript';
        expect([file, status, headers.get('content-type')]).toEqual([file, 200, `${type}; charset=utf-8`]);
      }
      expect(text).not.toMatch(/<script>| style="| on\w+="/);
    }
  },
);

test('C29: each call of both documents has a page, which the list of its document leads to', async () => {
  for (const [of, list, document] of [
    ['interface', '/docs', '/openapi.json'],
    ['control', '/docs?of=control', '/sandbox/openapi.json'],
  ] as const) {
    const { paths } = (await (await get(document)).json()) as {
      paths: Record<string, Record<string, { operationId: string }>>;
    };
    const ids = Object.values(paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
    const text = await (await get(list)).text();
    expect(ids.length).toBeGreaterThan(60);
    for (const id of ids) expect(text).toContain(`href="docs/${of}/${id}"`);
    for (const id of someOf('pages of calls', ids, 5))
      expect([id, (await get(`/docs/${of}/${id}`)).status]).toEqual([id, 200]);
  }
});

test('C29: the page of a call says what it takes and answers, and its line of curl works without a script', async () => {
  const text = await (await get(`/docs/interface/${aCall}`)).text();
  for (const part of [
    'instructedAmount',
    'TPP-Signature-Certificate',
    'transactionStatus',
    'href="../errors#certificate_missing"',
  ])
    expect(text).toContain(part);
  const [, line = ''] = /<code>(curl .*?)<\/code>/s.exec(text) ?? [];
  const plain = unescapedHtml(line);
  const [, url = ''] = /'(http[^']+)'/.exec(plain) ?? [];
  const headers = Object.fromEntries(
    [...plain.matchAll(/-H '([^:']+): ([^']*)'/g)].map(([, name, value]) => [name, value]),
  );
  const [, body = ''] = /--data-raw '(.*)'/s.exec(plain) ?? [];
  const answer = await fetch(url, { method: 'POST', headers, body });
  expect([answer.status, ((await answer.json()) as { transactionStatus?: string }).transactionStatus]).toEqual([
    201,
    'RCVD',
  ]);
});

test('a search finds calls and sections on one page, and says when it finds nothing', async () => {
  const found = await (await get('/docs/search?q=advance')).text();
  expect(found).toContain('href="control/postSandboxClockAdvance"');
  expect(found).toMatch(/href="commands\/advance#advance"/);
  const text = await (await get('/docs/search?q=%3Cxyzzyq%3E')).text();
  expect(text).toContain('No page has these words');
  expect(text).toContain('value="&lt;xyzzyq&gt;"');
});

/** Where the results of a search lead, the first ones. */
async function foundBy(words: string): Promise<readonly string[]> {
  const page = await (await get(`/docs/search?q=${encodeURIComponent(words)}`)).text();
  const [, list = ''] = page.split('<ol class="found">');
  return [...list.matchAll(/<li>\s*<a href="([^"]+)"/g)].map(([, to = '']) => to);
}
const isCall = (to: string | undefined): boolean => /^(?:interface|control)\//.test(to ?? '');

test.each([
  ['move the clock', 'control/postSandboxClockAdvance', /^time-machine#/],
  ['reset the sandbox', 'control/postSandboxReset', /^(?:commands\/reset|time-machine)#/],
  ['revoke consent', 'control/deleteSandboxConsentsByConsentId', /^account-information#/],
])('a page of the guide stands before the calls that "%s" finds', async (words, call, page) => {
  const found = await foundBy(words);
  expect(found[0]).toMatch(page);
  expect([words, found.filter(isCall)]).toEqual([words, expect.arrayContaining([call])]);
  expect(found.findIndex(isCall)).toBeLessThan(4);
});

test('a path finds its call first', async () => {
  expect((await foundBy('sandbox/clock/advance'))[0]).toBe('control/postSandboxClockAdvance');
});

test.each([
  ['where are the bank holidays', 'holidays'],
  ['how do I revoke a consent', 'revoke consent'],
  ['move the clock', 'move clock'],
])('stop words change no result: "%s" finds what "%s" does', async (asked, short) => {
  const found = await foundBy(short);
  expect(found.length).toBeGreaterThan(5);
  expect(await foundBy(asked)).toEqual(found);
});

test('what is no page, no document or another site is refused', async () => {
  for (const path of [
    '/docs/package.json',
    '/docs/..%2fpackage.json',
    '/docs/interface/none',
    '/docs/spec/rules/none',
    '/docs?of=x',
  ]) {
    expect([path, (await get(path)).status]).toEqual([path, 404]);
  }
  expect((await get('/docs', { origin: 'https://evil.example' })).status).toBe(403);
});

test('with a slash at its end the page is where its addresses lead from', async () => {
  const { status, headers } = await get('/docs/');
  expect([status, headers.get('location')]).toEqual([308, '../docs']);
});

test('the page at the root names the page and both documents', async () => {
  const text = await (await get('/')).text();
  for (const path of ['/docs', '/openapi.json', '/sandbox/openapi.json']) {
    expect(text).toContain(path);
    expect((await get(path)).status).toBe(200);
  }
});
