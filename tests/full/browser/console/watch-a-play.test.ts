import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { describeInBrowser, launchBrowser } from '../../../support/browser.ts';
import { startTestBank, type TestBank } from '../../../lab/server.ts';
import { beforeEaster } from '../../../console/console-bank.ts';

let browser: Browser;
let bank: TestBank;

describeInBrowser('a scenario in the console', () => {
  beforeAll(async () => {
    browser = await launchBrowser();
    bank = await startTestBank(beforeEaster);
  }, 60_000);
  afterAll(() => Promise.all([browser.close(), bank.stop()]));

  /** Plays a scenario by keyboard, and looks on until it has ended. */
  async function watch(javaScriptEnabled: boolean): Promise<void> {
    const page = await browser.newPage({ javaScriptEnabled });
    page.setDefaultTimeout(20_000);
    await page.goto(`${bank.address}/console/scenarios/after-the-last-run`);
    await page.getByRole('button', { name: 'Play it' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/console\/scenarios\/plays\//);
    let loads = 0;
    page.on('load', () => (loads += 1));
    const steps = page.locator('ol.steps > li');
    const seen = new Set<number>();
    while ((await page.getByText('as expected', { exact: true }).count()) === 0) {
      seen.add(await steps.count());
      await page.waitForTimeout(100);
    }
    expect(await steps.count()).toBe(4);
    expect([...seen].filter((count) => count < 4).length).toBeGreaterThanOrEqual(2);
    expect(loads > 0).toBe(!javaScriptEnabled);
    await page.getByRole('link', { name: /^after-the-last-run-\d$/ }).click();
    await page.getByRole('heading', { level: 1, name: '1 payment settled' }).waitFor();
    expect(new URL(page.url()).pathname).toMatch(/^\/banks\/after-the-last-run-\d\/console$/);
    await page.close();
  }

  // Side by side, as each takes the seconds of its steps.
  test('is played by keyboard and watched: scripts bring each step without a new page, and without them the browser asks again by itself', async () => {
    await Promise.all([watch(true), watch(false)]);
  }, 60_000);
});
