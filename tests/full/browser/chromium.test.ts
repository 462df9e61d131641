import { expect, test } from '@jest/globals';
import { describeInBrowser, launchBrowser } from '../../support/browser.ts';

describeInBrowser('the Chromium that the tests share', () => {
  test('a suite after its end gets another one', async () => {
    const browser = await launchBrowser();
    const session = await browser.newBrowserCDPSession();
    const ended = new Promise((resolve) => browser.once('disconnected', resolve));
    await Promise.all([ended, session.send('Browser.close').catch(() => undefined)]);
    await using next = await launchBrowser();
    const page = await next.newPage();
    expect(await page.evaluate('1 + 1')).toBe(2);
  }, 60_000);
});
