import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { startTestBank, type TestBank } from '../../../lab/server.ts';
import { lookFaults, overflow } from '../../../support/axe.ts';
import { describeInBrowser, launchBrowser } from '../../../support/browser.ts';
import { as, clock, hostToken, now } from '../../../hosting/credentials.ts';

const many = 300;
let browser: Browser;
let server: TestBank;

/** The page of the host, after the login. */
async function openHost(options: BrowserContextOptions): Promise<Page> {
  const page = await (await browser.newContext(options)).newPage();
  page.setDefaultTimeout(20_000);
  await page.goto(`${server.address}/console/host`);
  await page.getByLabel('Control token').fill(hostToken);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Host' }).waitFor();
  // Of 300 rows a busy machine reads some after the heading.
  await page.waitForLoadState();
  return page;
}

/* docs/spec/control-plane.md H Host. */
describeInBrowser('the page of the host', () => {
  beforeAll(async () => {
    browser = await launchBrowser();
    const disk = () => Promise.resolve({ bavail: 3, blocks: 100, bsize: 1_000_000 });
    server = await startTestBank(now, ['--control-token', hostToken], { disk });
    const names = ['a'.repeat(63), ...Array.from({ length: many - 2 }, (_, at) => `bank-${at + 1}`)];
    for (const name of names)
      await server.raw('PUT', `/sandbox/banks/${name}`, as(hostToken), Buffer.from('{"mode":"frozen"}'));
    for (let index = 1; index <= 20; index += 1)
      for (let call = 0; call < index; call += 1) await clock(server, `bank-${index}`, hostToken);
  }, 60_000);
  afterAll(() => Promise.all([browser.close(), server.stop()]));

  test('without scripts it has 300 banks on one page, those with the most requests first; there and in the list of banks each is a line', async () => {
    const page = await openHost({ javaScriptEnabled: false, viewport: { width: 1280, height: 900 } });
    const column = async (head: string) =>
      (await page.locator(`td[data-head="${head}"]`).allInnerTexts()).map((text) => text.trim());
    const names = await column('Name');
    expect([names.length, new Set(names).size]).toEqual([many, many]);
    expect(names.slice(0, 20)).toEqual(Array.from({ length: 20 }, (_, at) => `bank-${20 - at}`));
    expect((await column('Requests')).slice(0, 3)).toEqual(['20', '19', '18']);
    expect(await page.locator('[role="alert"]').innerText()).toContain('The disk is almost full');
    for (const path of ['/console/host', '/console/banks']) {
      await page.goto(server.address + path);
      const heights = await page.evaluate<number[]>(
        `[...document.querySelectorAll('tbody tr')].map((row) => row.getBoundingClientRect().height)`,
      );
      expect([path, Math.max(...heights) < 30, await overflow(page)]).toEqual([path, true, 0]);
    }
    await page.context().close();
  }, 60_000);

  test('on a phone and on a desk, light and dark, axe finds nothing and it fits', async () => {
    const page = await openHost({ viewport: { width: 1280, height: 900 } });
    expect(await lookFaults(page)).toEqual([]);
    for (const width of [769, 1024]) {
      await page.setViewportSize({ width, height: 900 });
      expect([width, await overflow(page)]).toEqual([width, 0]);
    }
    await page.context().close();
  }, 120_000);
});
