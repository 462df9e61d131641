import { globSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { guidePages } from '../../../api/guide/guide-files.ts';
import { deadLinks } from '../../guide/links.ts';
import { testBank } from '../../support/test-bank.ts';

const bank = testBank('2027-03-24T12:00:00+01:00');

test('C11: each link of each page of the guide leads on, to its anchor too; the first page leads to every page and part', async () => {
  const { dead, pages } = await deadLinks(bank.address, Infinity);
  expect(dead).toEqual([]);
  const parts = (await guidePages()).flatMap((page) => page.parts.map((part) => `docs/${part.path}`));
  expect(parts.length).toBeGreaterThan(100);
  const files = globSync('docs/**/*.md')
    .map((path) => path.replaceAll('\\', '/').replace(/\.md$/, ''))
    .filter((path) => !path.startsWith('docs/decisions'));
  expect(pages.toSorted()).toEqual(
    [...files, ...parts, 'docs/README'].map((path) => `${bank.address}/${path}`).toSorted(),
  );
}, 60_000);
