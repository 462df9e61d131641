import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { easterLine } from '../../pictures/easter-line.ts';
import { pictures, pixelRatio, walkOverEaster } from '../../pictures/pictures.ts';
import { describeInBrowser, launchBrowser } from '../../support/browser.ts';

const taken = pictures.map(({ name }) => `${name}.webp`);
const names = [...taken, 'easter.svg'].toSorted();

/** The pictures that a page shows, each with its text. */
function picturesOf(path: string): { name: string; text: string }[] {
  const found = readFileSync(path, 'utf8').matchAll(/!\[([^\]]*)\]\((?:docs\/)?pictures\/([\w.-]+)\)/g);
  return [...found].map(([, text = '', name = '']) => ({ name, text }));
}

const guide = readdirSync('docs').filter((name) => name.endsWith('.md'));
const shown = ['README.md', ...guide.map((name) => `docs/${name}`)].flatMap(picturesOf);

test('each picture is there, is shown by a page and says in words what is seen; there is no other', () => {
  expect(readdirSync('docs/pictures').toSorted()).toEqual(names);
  expect([...new Set(shown.map(({ name }) => name))].toSorted()).toEqual(names);
  for (const { text } of shown) expect(text.length).toBeGreaterThan(60);
});

test('the first screen of the README shows the settlement line', () => {
  const lines = readFileSync('README.md', 'utf8').split('\n');
  expect(lines.findIndex((line) => line.includes('docs/pictures/easter.svg'))).toBeLessThan(10);
});

test('C31: easter.svg is what the bank draws', async () => {
  expect(readFileSync('docs/pictures/easter.svg', 'utf8')).toBe(await easterLine());
}, 60_000);

test.each(pictures)('$name.webp is as large as its script says, and under 100 KB', ({ name, width, height }) => {
  const webp = readFileSync(`docs/pictures/${name}.webp`);
  // Width and height less one, of the extended format.
  expect(webp.toString('latin1', 8, 16)).toBe('WEBPVP8X');
  expect([webp.readUIntLE(24, 3), webp.readUIntLE(27, 3)]).toEqual([width * pixelRatio - 1, height * pixelRatio - 1]);
  expect(webp.length).toBeLessThan(100_000);
});

describeInBrowser('the pictures', () => {
  test('still show what they show', async () => {
    await using browser = await launchBrowser();
    const seen: string[] = [];
    await walkOverEaster(browser, async (name) => void seen.push(`${name}.webp`));
    expect(seen.toSorted()).toEqual(taken.toSorted());
  }, 60_000);
});
