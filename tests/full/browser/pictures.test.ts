import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { pictures, pixelRatio, walkOverEaster } from '../../pictures/pictures.ts';
import { smallPng } from '../../pictures/small-png.ts';
import { describeInBrowser, launchBrowser } from '../../support/browser.ts';

const names = pictures.map(({ name }) => `${name}.png`).toSorted();

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

test('the first screen of the README shows the calendar', () => {
  const lines = readFileSync('README.md', 'utf8').split('\n');
  expect(lines.findIndex((line) => line.includes('docs/pictures/calendar.png'))).toBeLessThan(10);
});

test.each(pictures)('$name.png is as large as its script says, and under 150 KB', ({ name, width, height }) => {
  const png = readFileSync(`docs/pictures/${name}.png`);
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([width * pixelRatio, height * pixelRatio]);
  expect(png.length).toBeLessThan(150_000);
});

describeInBrowser('the pictures', () => {
  test('still show what they show, and a small PNG has the colours of the one it is made of', async () => {
    const browser = await launchBrowser();
    try {
      const seen: string[] = [];
      let before: Buffer = Buffer.alloc(0);
      await walkOverEaster(browser, async (name, page) => {
        seen.push(`${name}.png`);
        if (name === 'sca-page') before = await page.screenshot({ clip: { x: 0, y: 0, width: 400, height: 200 } });
      });
      expect(seen.toSorted()).toEqual(names);
      const page = await browser.newPage();
      // Only on the edges of letters: an eighth of a channel.
      expect(await farthestColour(page, before, smallPng(before))).toBeLessThan(32);
    } finally {
      await browser.close();
    }
  }, 60_000);
});

/** The largest difference of a channel of a pixel between two pictures, as Chromium reads them. */
function farthestColour(page: Page, ...pngs: readonly [Buffer, Buffer]): Promise<number> {
  const addresses = pngs.map((png) => `data:image/png;base64,${png.toString('base64')}`);
  return page.evaluate(`(async () => {
    const [one, other] = await Promise.all(${JSON.stringify(addresses)}.map(async (address) => {
      const image = new Image();
      image.src = address;
      await image.decode();
      const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
      context.drawImage(image, 0, 0);
      return context.getImageData(0, 0, image.width, image.height).data;
    }));
    if (one.length !== other.length) return 255;
    return one.reduce((most, value, index) => Math.max(most, Math.abs(value - other[index])), 0);
  })()`);
}
