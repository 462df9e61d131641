import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { startTestBank, type TestBank } from '../../lab/server.ts';
import { lookFaults, widths } from '../../support/axe.ts';
import { describeInBrowser, launchBrowser } from '../../support/browser.ts';

let browser: Browser;
let bank: TestBank;

describeInBrowser('the guide in a browser', () => {
  beforeAll(async () => {
    [browser, bank] = await Promise.all([launchBrowser(), startTestBank('2027-03-24T12:00:00+01:00')]);
  });
  afterAll(() => Promise.all([browser.close(), bank.stop()]));

  test.each(['README', 'first-payment', 'errors', 'spec/rules', 'scenarios/easter'])(
    '%s: as wide as the screen, sound for axe, and nothing fails on it',
    async (path) => {
      const page = await browser.newPage();
      const wrong: string[] = [];
      page.on('console', (message) => message.type() === 'error' && wrong.push(message.text()));
      page.on('pageerror', (error) => wrong.push(error.message));
      await page.goto(`${bank.address}/docs/${path}`);
      expect(await lookFaults(page)).toEqual([]);
      expect(wrong).toEqual([]);
      // On a phone the page begins with its own words, and the list of pages is one link away.
      await page.setViewportSize({ width: widths[0] ?? 0, height: 900 });
      expect((await page.locator('h1').boundingBox())?.y).toBeLessThan(200);
      await page.getByRole('link', { name: 'All pages' }).click();
      expect(new URL(page.url()).hash).toBe('#pages');
      await page.close();
    },
  );

  test('a button copies a block as it stands, and says so', async () => {
    const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
    const page = await context.newPage();
    await page.goto(`${bank.address}/docs/first-payment`);
    const block = page.locator('.code').first();
    await block.getByRole('button', { name: 'Copy' }).click();
    await page.getByRole('status').filter({ hasText: 'Copied' }).waitFor({ state: 'attached' });
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).toBe(await block.locator('code').innerText());
    expect(copied).toContain(`BANK=${bank.address}\n`);
    await context.close();
  });

  test('without scripts the page is whole, and has no button that does nothing', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${bank.address}/docs/first-payment`);
    expect(await page.getByRole('button').count()).toBe(0);
    await page.getByRole('link', { name: 'Signing', exact: true }).first().click();
    expect(await page.locator('h1').innerText()).toBe('Signing');
    await context.close();
  });
});
