import { expect, test } from '@jest/globals';
import { lookFaults, widths } from '../support/axe.ts';
import { describeInBrowser, launchBrowser } from '../support/browser.ts';

describeInBrowser('what the tests of pages look for', () => {
  test('a page that is too wide for a phone and a picture without words are found, in each width and on each document', async () => {
    const browser = await launchBrowser();
    const page = await browser.newPage();
    const content = (inner: string) =>
      `<!doctype html><html lang="en"><title>A page</title><main><h1>A page</h1>${inner}`;
    const picture = '<img src="data:,">';
    for (const from of [320, 1280]) {
      await page.setViewportSize({ width: from, height: 900 });
      await page.setContent(content(`<p style="width: 500px">Words</p>${picture}`));
      const faults = await lookFaults(page, undefined, widths);
      expect(faults.toSorted()).toEqual([
        `1280 pixels: image-alt: ${picture}`,
        expect.stringMatching(/^320 pixels: 1\d\d too wide$/),
        `320 pixels: image-alt: ${picture}`,
      ]);
      expect(await lookFaults(page, 'img', widths)).toEqual([faults.find((fault) => fault.includes('wide'))]);
      await page.setContent(content('<p>Words</p>'));
      expect(await lookFaults(page, undefined, widths)).toEqual([]);
    }
    await browser.close();
  });
});
