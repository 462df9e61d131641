import { globSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { beforeEaster } from './console-bank.ts';
import { ConsoleClient } from './console-client.ts';
import { testBank } from '../support/test-bank.ts';

const bank = testBank(beforeEaster);

test('C20: the first page has less than 34 KB with its script, which is sent without comments', async () => {
  const client = new ConsoleClient(bank.address);
  const { text } = await client.get('/console');
  const { text: script } = await client.get('/console/live.js');
  expect(script).toMatch(/addEventListener\('visibilitychange'/);
  expect(script).not.toMatch(/^\s|^\/\/|^\/\*/m);
  expect(text.length + script.length).toBeLessThan(34_000);
});

test('the script looks for attributes that pages have', async () => {
  const { text: script } = await new ConsoleClient(bank.address).get('/console/live.js');
  const sources = globSync('api/{console,settlement-line}/**/*.ts').map((path) => readFileSync(path, 'utf8'));
  const attributes = [...script.matchAll(/\[(data-[a-z-]+)/g)].map(([, name = '']) => name);
  expect(attributes.length).toBeGreaterThan(3);
  for (const name of attributes) expect([name, sources.some((source) => source.includes(name))]).toEqual([name, true]);
});
