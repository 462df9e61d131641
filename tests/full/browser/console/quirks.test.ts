import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestBank, type TestBank } from '../../../lab/server.ts';
import { readConfigOfProfile } from '../../../../api/start/profile.ts';
import { type RunningServer, startServer } from '../../../../api/hosting/server.ts';
import { lookFaults } from '../../../support/axe.ts';
import { describeInBrowser, testBrowser } from '../../../support/browser.ts';
import { beforeEaster } from '../../../console/console-bank.ts';
import { ConsoleClient } from '../../../console/console-client.ts';

/* rules.md Q1, Q8: the console shows the quirks, and the profile with its facts. */
test('the quirks that are on come first; without a profile there are no facts', async () => {
  await using bank: TestBank = await startTestBank(beforeEaster, ['--quirks=reissued-ids=P7D']);
  const { text } = await new ConsoleClient(bank.address).get('/console/quirks');
  expect(text.indexOf('reissued-ids')).toBeLessThan(text.indexOf('status-before-approval'));
  const one = await new ConsoleClient(bank.address).get('/console/quirks/reissued-ids');
  expect(one.text).toContain('SpareBank 1 Sør-Norge');
  expect(text).not.toContain('What is known');
});

describeInBrowser('the quirks of a profile', () => {
  const browser = testBrowser();
  let server: RunningServer;
  beforeAll(async () => {
    const flags = ['--port=0', '--ledger=:memory:', '--log-level=silent', '--profile=sparebank1-sor-norge-sr'];
    server = await startServer(await readConfigOfProfile({}, flags));
  }, 60_000);
  afterAll(() => server.stop());

  test('each fact with its source and its date, what is assumed, and what is not known', async () => {
    const page = await browser.newPage();
    await page.goto(`${server.address}/console/quirks`);
    const text = await page.locator('main').innerText();
    for (const said of [
      'SpareBank 1 Sør-Norge',
      'after how long an id of a transaction is reissued',
      'https://github.com/martinohansen/ynabber/pull/106',
      'Fri 16 May 2025',
      'nobody has published it',
      'assumed',
    ]) {
      expect(text).toContain(said);
    }
    expect(await lookFaults(page)).toEqual([]);
    await page.setViewportSize({ width: 320, height: 900 });
    const heights = await page.evaluate<number[]>(
      `[...document.querySelectorAll('.quirks a')].map((one) => one.getBoundingClientRect().height)`,
    );
    expect(heights.length).toBeGreaterThan(20);
    // A long name has two lines.
    expect(Math.max(...heights)).toBeLessThan(45);
  }, 60_000);
});
