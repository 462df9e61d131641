import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestBank, type TestBank } from '../lab/server.ts';

let bank: TestBank;

beforeAll(async () => {
  bank = await startTestBank('2027-03-24T12:00:00+01:00');
  await bank.control('POST', '/sandbox/banks', { name: 'demo' });
});
afterAll(() => bank.stop());

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(bank.address + path, { headers, redirect: 'manual' });

test.each(['', '/banks/demo'])('%s/docs loads its own files alone, and runs no inline script', async (base) => {
  const answer = await get(`${base}/docs`);
  const text = await answer.text();
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  const policy = answer.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self';style-src 'self';");
  expect(policy).not.toContain('unsafe');
  const loaded = [...text.matchAll(/(?:src|href)="(docs\/[^"]+\.(?:css|js))"/g)].map(([, path]) => path ?? '');
  expect(loaded).toHaveLength(4);
  for (const path of loaded) {
    const file = await get(`${base}/${path}`);
    const type = path.endsWith('.css') ? 'text/css' : 'text/javascript';
    expect([file.status, file.headers.get('content-type')]).toEqual([200, `${type}; charset=utf-8`]);
    expect((await file.text()).length).toBeGreaterThan(1000);
  }
  expect(text).not.toMatch(/<script>|https?:/);
});

test('a file is asked for again at each use, and is sent again only when it has changed', async () => {
  const first = await get('/docs/swagger-ui.css');
  expect(first.headers.get('cache-control')).toBe('no-cache');
  const etag = first.headers.get('etag') ?? '';
  const again = await get('/docs/swagger-ui.css', { 'if-none-match': etag });
  expect([again.status, await again.text()]).toEqual([304, '']);
  expect((await get('/docs/swagger-ui.css', { 'if-none-match': '"of-another-version"' })).status).toBe(200);
});

test('what is no file of the page, no document or another site is refused', async () => {
  for (const path of ['/docs/package.json', '/docs/..%2fpackage.json', '/docs/swagger-ui.js', '/docs?of=x']) {
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
