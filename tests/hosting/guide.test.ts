import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestBank, type TestBank } from '../support/server.ts';

let bank: TestBank;
beforeAll(async () => {
  bank = await startTestBank('2027-03-24T12:00:00+01:00');
});
afterAll(() => bank.stop());

test('llms.txt names what there is, with a title and a link for each page, and each link leads to the page', async () => {
  const answer = await fetch(`${bank.address}/llms.txt`);
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  const text = await answer.text();
  expect(text).toMatch(/^# Sandbank\n/);
  const links = [...text.matchAll(/^- \[(.+)\]\((\/docs\/.+\.md)\)$/gm)];
  expect(links.map(([, title, path]) => [title, path])).toEqual(
    expect.arrayContaining([
      ['Signing', '/docs/signing.md'],
      ['The time machine', '/docs/time-machine.md'],
      ['Rules of the bank', '/docs/spec/rules.md'],
      ['Sandbank', '/docs/skills/sandbank/SKILL.md'],
    ]),
  );
  for (const [, , path = ''] of links) {
    const page = await fetch(bank.address + path);
    expect([path, page.status, page.headers.get('content-type')]).toEqual([path, 200, 'text/markdown; charset=utf-8']);
    expect(await page.text()).toBe(readFileSync(`.${path}`, 'utf8'));
  }
});

test('the page at the address of the bank names a page that there is', async () => {
  const text = await (await fetch(bank.address)).text();
  const [path = ''] = /\/docs\/\S+\.md/.exec(text) ?? [];
  expect(existsSync(`.${path}`)).toBe(true);
});

test.each([
  '/docs/no-such-page.md',
  '/docs/..%2fpackage.json',
  '/docs/%2e%2e/README.md',
  '/docs/spec',
  '/docs/coverage.md/',
])('%s is no page of the guide', async (path) => {
  expect((await fetch(bank.address + path)).status).toBe(404);
});
