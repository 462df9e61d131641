import { expect, test } from '@jest/globals';
import { lookFaults, looks } from '../../support/axe.ts';
import { describeInBrowser, launchBrowser } from '../../support/browser.ts';

describeInBrowser('what the tests of pages look for', () => {
  test('a page too wide for a phone, a picture without words, and pale words at night are found, in each look and on each document', async () => {
    await using browser = await launchBrowser();
    const page = await browser.newPage();
    const content = (inner: string) =>
      `<!doctype html><html lang="en"><title>A page</title><style>
      @media (prefers-color-scheme:dark){body{background:#111;color:#eee}i{color:#333}}</style><main><h1>A page</h1>${inner}`;
    const picture = '<img src="data:,">';
    for (const from of [320, 1280]) {
      await page.setViewportSize({ width: from, height: 900 });
      await page.setContent(content(`<p style="width: 500px">Words</p>${picture}<i>Pale</i>`));
      const faults = await lookFaults(page, undefined, looks);
      expect(faults.toSorted()).toEqual([
        '1280 pixels, dark: color-contrast: <i>Pale</i>',
        `1280 pixels, dark: image-alt: ${picture}`,
        `1280 pixels, light: image-alt: ${picture}`,
        '320 pixels, dark: color-contrast: <i>Pale</i>',
        `320 pixels, dark: image-alt: ${picture}`,
        `320 pixels, light: image-alt: ${picture}`,
        expect.stringMatching(/^320 pixels: 1\d\d too wide$/),
      ]);
      await page.setContent(content('<p>Words</p>'));
      expect(await lookFaults(page, undefined, looks)).toEqual([]);
    }
  });
});
