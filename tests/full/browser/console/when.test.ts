import { expect, test } from '@jest/globals';
import { platformIds } from '../../../../api/start/platform.ts';
import { lookFaults, overflow } from '../../../support/axe.ts';
import { describeInBrowser, testBrowser } from '../../../support/browser.ts';
import { beforeEaster } from '../../../console/console-bank.ts';
import { testBank } from '../../../support/test-bank.ts';

/* rules.md Q12c, Q12d: the pages of banks. */
describeInBrowser('a server of the platform', () => {
  const browser = testBrowser();
  const bank = testBank(beforeEaster, [], { platform: platformIds() });

  test('when a payment is where is read on a phone, by day and by night, without scripts', async () => {
    await using context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 320, height: 900 } });
    const page = await context.newPage();
    await page.goto(`${bank.address}/console/when`);
    await page.getByRole('link', { name: 'Before Easter' }).click();
    expect(await page.locator('.asked').innerText()).toContain('at 14:20 on Wed 24 Mar 2027: here is when it is where');
    expect(await page.locator('td[data-head="Bank"] p').count()).toBe(platformIds().length);
    expect(await overflow(page)).toBe(0);
    // Each instant stands beside the head of its column, which no table head shows here.
    for (const head of ['Settles', 'Booked', 'Value date']) {
      const hidden = `getComputedStyle(document.querySelector('td[data-head="${head}"]'), '::before').position`;
      expect([head, await page.evaluate(hidden)]).toEqual([head, 'static']);
    }
    await page.getByText('Another payment').click();
    await page.getByLabel('Product').selectOption('SEPA');
    await page.getByLabel('Customer').selectOption('corporate');
    await page.getByRole('button', { name: 'Show' }).click();
    const row = page.locator('tbody tr', { hasText: 'SpareBank 1 Østfold Akershus' });
    expect(await row.innerText()).toMatch(/14:00\s+missed\s+published[^]*received too late for Wed 24 Mar/);
    await using scripted = await browser.newPage();
    await scripted.goto(page.url());
    expect(await lookFaults(scripted)).toEqual([]);
  }, 60_000);

  test('one form moves all clocks of named banks', async () => {
    await using page = await browser.newPage();
    await page.goto(`${bank.address}/console/banks`);
    await page.getByLabel('Or by', { exact: true }).selectOption('a week');
    await page.getByRole('button', { name: 'Move all forward' }).click();
    await page.getByText(`${platformIds().length} banks are at Wed 31 Mar 2027`).waitFor();
    expect(await lookFaults(page)).toEqual([]);
    const { now } = (await bank.control('GET', '/banks/klp-banken/sandbox/clock')).body;
    expect(now.slice(0, 10)).toBe('2027-03-31');
  }, 60_000);
});
