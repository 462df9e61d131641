import { expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { platformIds } from '../../api/start/platform.ts';
import { unescapedHtml } from '../support/html.ts';
import { beforeEaster } from './console-bank.ts';
import { ConsoleClient } from './console-client.ts';
import { testBank } from '../support/test-bank.ts';

/* control-plane.md C18: the picture of the first page. */

/** The banks of the platform by the files of their profiles alone. */
const names = readdirSync('fixtures/profiles')
  .filter((file) => file !== 'profile.schema.json')
  .map((file) => JSON.parse(readFileSync(`fixtures/profiles/${file}`, 'utf8')))
  .filter(({ facts }) => facts.some(({ key }: { key: string }) => key === 'portalHost' || key === 'platform'))
  .map(({ name }) => name as string);

const bank = testBank(beforeEaster, [], { platform: platformIds() });

test('the first page names each bank of the platform and a year, in less than 37 KB with its script; a bank with a profile does not', async () => {
  const client = new ConsoleClient(bank.address);
  const { text } = await client.get('/console');
  const tiles = [...text.matchAll(/<li title="([^"]+)">/g)].map(([, name = '']) => unescapedHtml(name));
  expect(tiles.toSorted()).toEqual(names.toSorted());
  expect(text).toMatch(new RegExp(`class="big"><a href="[^"]*console/switch[^"]*">${names.length} banks</a>`));
  expect(text).toContain('1 year of life');
  const { text: script } = await client.get('/console/live.js');
  expect(script).toMatch(/addEventListener\('visibilitychange'/);
  expect(script).not.toMatch(/^\s|^\/\/|^\/\*/m);
  expect(text.length + script.length).toBeLessThan(37_000);
  expect((await client.get('/banks/bien-sparebank/console')).text).not.toContain('class="hero"');
});
