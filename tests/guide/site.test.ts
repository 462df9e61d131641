import { execFile } from 'node:child_process';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { compileCache } from '../support/kept.ts';
import { partsOfPage } from './links.ts';

const run = promisify(execFile);
const site = (folder: string) =>
  run(process.execPath, ['scripts/site.ts', folder], { env: { ...process.env, ...compileCache } });

let folder: string;
beforeAll(async () => {
  folder = join(mkdtempSync(join(tmpdir(), 'sandbank-site-')), 'site');
  // An older site, by its stylesheet.
  mkdirSync(folder);
  for (const name of ['guide.css', 'old.html']) writeFileSync(join(folder, name), '');
  await site(folder);
});
afterAll(() => rmSync(dirname(folder), { recursive: true }));

test('npm run site writes each page, and each link of each leads to a file and an anchor', () => {
  const pages = globSync('**/*.html', { cwd: folder });
  expect(pages).toEqual(expect.arrayContaining(['index.html', 'first-payment.html', join('spec', 'rules.html')]));
  const idsOf = new Map(pages.map((page) => [page, partsOfPage(readFileSync(join(folder, page), 'utf8')).ids]));
  const dead = pages.flatMap((page) =>
    partsOfPage(readFileSync(join(folder, page), 'utf8'))
      .links.filter((link) => !/^(?:https?|data):/.test(link))
      .filter((link) => {
        const [file = '', anchor] = link.split('#');
        // An address from the root would lead out of the site when that lies below a path.
        if (file.startsWith('/')) return true;
        const to = file === '' ? page : join(dirname(page), file);
        return !existsSync(join(folder, to)) || (anchor !== undefined && idsOf.get(to)?.has(anchor) !== true);
      })
      .map((link) => `${page}: ${link}`),
  );
  expect(pages.length).toBeGreaterThan(50);
  expect(readFileSync(join(folder, 'index.html'), 'utf8')).toContain('<img src="pictures/easter.svg" alt="');
  expect(existsSync(join(folder, 'pictures/easter.svg'))).toBe(true);
  expect(dead).toEqual([]);
});

test('its index finds sections and rules, and each result is on the site', () => {
  const load: () => { search: (words: string) => { place: string; heading: string }[] } = Function(
    `${readFileSync(join(folder, 'guide-index.js'), 'utf8')}; return globalThis.guideIndex;`,
  ) as never;
  const index = load();
  for (const [words, place] of [
    ['T5b', 'spec/rules/t-time.html#t5b'],
    ['five attempts', 'settlement.html#five-attempts'],
    ['certificat missing', 'errors.html#certificate_missing'],
  ] as const) {
    const [first] = index.search(words);
    expect([words, first?.place]).toEqual([words, place]);
    const [file = '', anchor = ''] = place.split('#');
    expect(partsOfPage(readFileSync(join(folder, file), 'utf8')).ids).toContain(anchor);
  }
});

test('a site replaces an older one, and nothing else', async () => {
  expect(readdirSync(folder)).not.toContain('old.html');
  const other = mkdtempSync(join(tmpdir(), 'sandbank-other-'));
  writeFileSync(join(other, 'mine.txt'), 'kept');
  await expect(site(other)).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('Nothing was written') });
  expect(readdirSync(other)).toEqual(['mine.txt']);
  rmSync(other, { recursive: true });
});
