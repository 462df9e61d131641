import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { periodicPath, periodicPayment, singlePath, singlePayment } from '../../../lab/bodies.ts';
import { lookFaults, overflow } from '../../../support/axe.ts';
import { describeInBrowser, testBrowser } from '../../../support/browser.ts';
import { pay } from '../../../console/console-bank.ts';
import { testBank } from '../../../support/test-bank.ts';

const longName = 'Vestlandske-Bryggeri-og-Mineralvannfabrikker-Aksjeselskap-i-Bergen';
const browser = testBrowser();
const bank = testBank('2026-11-04T12:00:00+01:00');
let page: Page;

const cell = (date: string) => page.locator(`li:has(> .date time[datetime="${date}"])`);
const open = (month: string) => page.goto(`${bank.address}/console/calendar?month=${month}`);

/** A weekly order on Saturdays, one on Mondays, a payment for a Sunday, and one of a long name. */
async function fill(): Promise<void> {
  const weekly = { frequency: 'Weekly', endDate: '2026-12-31' };
  await pay(bank, periodicPath, periodicPayment({ ...weekly, startDate: '2026-11-07', creditorName: 'Lørdagskaffe' }));
  await pay(bank, periodicPath, periodicPayment({ ...weekly, startDate: '2026-11-09', creditorName: 'Mandagsmat' }));
  const single = { instructedAmount: { amount: '7.00', currency: 'NOK' } };
  const eight = { amount: '8.00', currency: 'NOK' };
  await pay(
    bank,
    singlePath,
    singlePayment({ ...single, requestedExecutionDate: '2026-11-29', creditorName: 'Søndagsavis' }),
  );
  await pay(
    bank,
    singlePath,
    singlePayment({ instructedAmount: eight, requestedExecutionDate: '2026-11-28', creditorName: longName }),
  );
  await pay(
    bank,
    singlePath,
    singlePayment({ instructedAmount: eight, requestedExecutionDate: '2027-01-31', creditorName: 'Januarlønn' }),
  );
  const tooMuch = { amount: '99999999.00', currency: 'NOK' };
  await pay(
    bank,
    singlePath,
    singlePayment({ instructedAmount: tooMuch, requestedExecutionDate: '2027-01-12', creditorName: 'Slottet' }),
  );
}

describeInBrowser('the calendar', () => {
  beforeAll(async () => {
    await fill();
    page = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
    page.setDefaultTimeout(15_000);
  }, 60_000);

  test('what is to come is hollow; one that will be rejected is named in full; amounts have their currency', async () => {
    await page.setViewportSize({ width: 1280, height: 900 });
    await open('2027-01');
    const line = cell('2027-01-12').locator('.line', { hasText: 'Slottet' });
    expect(await line.innerText()).toMatch(/Slottet\s+will be rejected/);
    const marks = await page.evaluate<string[]>(
      `[...document.querySelectorAll('.day .tag')].map((one) => getComputedStyle(one, '::before').backgroundColor)`,
    );
    expect(marks.length).toBeGreaterThan(2);
    expect(new Set(marks)).toEqual(new Set(['rgba(0, 0, 0, 0)']));
    const [name, cellBox] = [await line.locator('a').boundingBox(), await cell('2027-01-12').boundingBox()];
    expect(name?.width).toBeGreaterThan((cellBox?.width ?? 0) * 0.8);
    await open('2026-11');
    const amounts = await page.locator('.line .money').allInnerTexts();
    expect(amounts.filter((text) => !/^-?\d[\d,]*\.\d\d\u00a0NOK$/.test(text))).toEqual([]);
    expect(amounts.length).toBeGreaterThan(0);
  });

  const isWhole = async (): Promise<void> => {
    await open('2026-11');
    for (const day of ['2026-11-07', '2026-11-14', '2026-11-21', '2026-11-28']) {
      expect(await cell(day).innerText()).toMatch(/Lørdagskaffe[^]*closed: weekend, due Mon \d+ Nov/);
    }
    expect(await cell('2026-11-28').innerText()).toContain('closed: weekend, due Mon 30 Nov');
    expect(await cell('2026-11-29').innerText()).toMatch(/Søndagsavis\s+closed: weekend, due Mon 30 Nov/);
    const monday = await cell('2026-11-30').innerText();
    expect(monday).toMatch(/Mandagsmat\s/);
    expect(monday).toMatch(/-8\.00.NOK\s+from Sat 28 Nov/);
    expect(monday).toMatch(/Søndagsavis\s+-7\.00.NOK\s+from Sun 29 Nov/);
    expect(monday).not.toContain('closed');
  };

  test('S11: a Saturday names its occurrences and why they move; a Monday that was not moved has no reason', isWhole);

  test('chips of days to come lead to the forecast of the run, which names payees and keeps each reason to its payment', async () => {
    await open('2026-11');
    await cell('2026-11-30').locator('.run a').first().click();
    await page.getByRole('heading', { level: 1, name: 'Run of Mon 30 Nov 2026, 05:30' }).waitFor();
    const row = (name: string) => page.locator('tr', { hasText: name }).innerText();
    expect(await row('Lørdagskaffe')).toContain('Sat 28 Nov, closed: weekend, due Mon 30 Nov');
    expect(await row('Mandagsmat')).not.toContain('closed');
  });

  test('C17: runs with a payment are named, all are counted; links are 24 pixels high', async () => {
    await open('2026-11');
    expect(await cell('2026-11-05').innerText()).toMatch(/^Thu\s+5\s+5 runs$/);
    expect(await cell('2026-11-30').innerText()).toMatch(/^Mon\s+30\s+5 runs\s+05:30/);
    expect(await cell('2026-11-30').locator('.run').count()).toBe(1);
    for (const link of await page.locator('.month a').all())
      expect((await link.boundingBox())?.height).toBeGreaterThanOrEqual(24);
  });

  test('C17: runs in a row with one outcome share a line, and each of them is a link', async () => {
    await open('2027-01');
    const slott = cell('2027-01-12');
    expect(await slott.innerText()).toMatch(
      /5 runs\s+05:30\s+09:30\s+11:30\s+13:30\s+1 short\s+15:30\s+1 reject\s+Slottet\s+will be rejected$/,
    );
    expect(await slott.locator('.run').count()).toBe(2);
    await slott.getByRole('link', { name: '11:30' }).click();
    await page.getByRole('heading', { level: 1, name: 'Run of Tue 12 Jan 2027, 11:30' }).waitFor();
  });

  test('C17: a week without a payment is low; on a phone only days that have something are listed', async () => {
    await open('2026-11');
    const seen = () =>
      page.locator('.day:visible time').evaluateAll((all) => all.map((one) => one.getAttribute('datetime')));
    expect(await seen()).toHaveLength(30);
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await seen()).toEqual([
      ...['2026-11-04', '2026-11-07', '2026-11-09', '2026-11-14', '2026-11-16', '2026-11-21', '2026-11-23'],
      ...['2026-11-28', '2026-11-29', '2026-11-30'],
    ]);
    await open('2026-09');
    expect(await page.locator('main').innerText()).toContain('No run of this month has a payment.');
    await page.setViewportSize({ width: 1280, height: 900 });
    expect((await cell('2026-09-10').boundingBox())?.height).toBeLessThan(50);
  });

  test.each([320, 1280])('%i pixels wide it fits and axe finds nothing', async (width) => {
    await page.setViewportSize({ width, height: 900 });
    await open('2026-11');
    expect(await overflow(page)).toBe(0);
    await using scripted = await browser.newPage({ viewport: { width, height: 900 } });
    await scripted.goto(`${bank.address}/console/calendar?month=2026-11`);
    expect(await lookFaults(scripted)).toEqual([]);
    for (const day of await scripted.locator('.day').all()) {
      expect(await day.evaluate((each) => each.scrollWidth <= each.clientWidth)).toBe(true);
    }
  });

  test.each([320, 769, 1024, 1280])('%i pixels wide the pages of a run and of the forecast fit', async (width) => {
    await using wide = await browser.newPage({ viewport: { width, height: 900 } });
    for (const path of ['runs/2026-11-30-1', 'clock?to=2026-12-08']) {
      await wide.goto(`${bank.address}/console/${path}`);
      expect([path, await overflow(wide)]).toEqual([path, 0]);
    }
  });

  test('it stays whole when the month has passed, and so does the page of its run', async () => {
    await bank.advance({ to: '2026-12-01T12:00:00+01:00' });
    await isWhole();
    await page.goto(`${bank.address}/console/runs/2026-11-30-1`);
    const row = (name: string) => page.locator('tr', { hasText: name }).innerText();
    expect(await row('Lørdagskaffe')).toContain('Sat 28 Nov, closed: weekend, due Mon 30 Nov');
    expect(await row('Mandagsmat')).not.toContain('closed');
  });

  test('a payment that leaves a month for the next is in both, before it is paid and after', async () => {
    for (const when of ['to come', 'past']) {
      await open('2027-01');
      const sunday = await cell('2027-01-31').innerText();
      expect([when, sunday]).toEqual([when, expect.stringMatching(/Januarlønn\s+closed: weekend, due Mon 1 Feb/)]);
      await open('2027-02');
      const monday = await cell('2027-02-01').innerText();
      expect(monday).toMatch(/Januarlønn\s+-8\.00.NOK\s+Sun 31 Jan, closed: weekend, due Mon 1 Feb/);
      await bank.advance({ to: '2027-02-02T12:00:00+01:00' });
    }
  });
});
