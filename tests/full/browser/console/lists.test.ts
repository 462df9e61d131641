import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import { singlePath, singlePayment } from '../../../lab/bodies.ts';
import { rowsOf as inLedger } from '../../../lab/rows.ts';
import { startTestBank, type TestBank } from '../../../lab/server.ts';
import { lookFaults } from '../../../support/axe.ts';
import { describeInBrowser, launchBrowser } from '../../../support/browser.ts';
import { someOf } from '../../../support/sample.ts';
import { beforeEaster, pay, startConsoleBank } from '../../../console/console-bank.ts';
import { ConsoleClient } from '../../../console/console-client.ts';

const longName = 'Et langt navn på en mottaker som ikke får plass på en linje her';
const payees = ['Brødsmuler AS', longName, 'Fyr og Flamme AS'] as const;

let browser: Browser;
let bank: TestBank;
/** Without scripts: everything here works without them. */
let page: Page;

const open = (path: string) => page.goto(`${bank.address}/console${path}`);
const rows = (): Locator => page.locator('tbody tr');

/** Payments of every kind, and thirty more: a third of them more than the account holds. */
async function fill(): Promise<void> {
  for (let count = 0; count < 30; count += 1) {
    const body = singlePayment({
      creditorName: payees[count % 3] ?? '',
      instructedAmount: { amount: `${count % 3 === 2 ? 1_234_567 + count : count + 1}.50`, currency: 'NOK' },
      requestedExecutionDate: count === 0 ? '2028-01-10' : '2027-03-26',
    });
    await pay(bank, singlePath, body);
  }
}

/** How the rows of the page are laid out. */
function layout(): Promise<{
  heights: number[];
  seen: number;
  targets: number[];
  unnamed: string[];
  clipped: string[];
}> {
  return page.evaluate(`(() => {
    const rows = [...document.querySelectorAll('tbody tr:not(:has(.tries))')].filter((row) => row.getClientRects().length > 0);
    const boxes = rows.map((row) => row.getBoundingClientRect());
    const all = rows.flatMap((row) => [...row.querySelectorAll('a, button')]);
    const targets = all.filter((target) => target.getClientRects().length > 0);
    const clipped = [...document.querySelectorAll('td > div')].filter((one) => one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight + 4);
    return {
      heights: boxes.map(({ height }) => height),
      seen: boxes.filter(({ bottom }) => bottom <= innerHeight).length,
      targets: targets.map((target) => target.getBoundingClientRect().height),
      clipped: clipped.map((one) => one.textContent.trim()),
      unnamed: clipped.filter((one) => one.title === '').map((one) => one.textContent.trim()),
    };
  })()`);
}

/** The texts of a column, by its head. */
async function column(head: string): Promise<string[]> {
  return (await page.locator(`td[data-head="${head}"]`).allInnerTexts()).map((text) => text.trim());
}

describeInBrowser('the lists', () => {
  beforeAll(async () => {
    browser = await launchBrowser();
    bank = await startConsoleBank();
    await fill();
    const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 1280, height: 900 } });
    page = await context.newPage();
    page.setDefaultTimeout(20_000);
  }, 60_000);
  afterAll(() => Promise.all([browser.close(), bank.stop()]));

  test('25 payments are seen on a screen of 1280 x 900', async () => {
    await open('/payments');
    const { seen } = await layout();
    expect(seen).toBeGreaterThanOrEqual(25);
    expect(await rows().count()).toBeGreaterThan(25);
  });

  test('an open SCA names who is paid', async () => {
    const headers = { 'x-psu-identity': '13039319955', 'psu-context': 'PRIVATE' };
    await bank.signed('POST', singlePath, { body: singlePayment({ creditorName: 'Usignert AS' }), headers });
    await open('/sca');
    expect((await column('For'))[0]).toBe('Usignert AS\na payment');
  });

  test.each([
    '',
    '/payments',
    '/accounts',
    '/sca',
    '/people/17818050100',
    '/agreements',
    '/snapshots',
    '/banks',
    '/runs/2027-03-24-4',
  ])(
    '%j: a row without tries is one line, what is clipped has its whole text as title, and targets are 24 pixels high',
    async (path) => {
      await open(path);
      const { heights, targets, unnamed } = await layout();
      expect(heights.length).toBeGreaterThan(0);
      expect(Math.max(...heights)).toBeLessThan(30);
      expect(Math.min(24, ...targets)).toBe(24);
      expect(unnamed).toEqual([]);
    },
  );

  test.each(['/requests', '/accounts/09232911044', '/people', '/consents'])(
    '%j: long texts, such as paths of requests, take the lines that they need at 1280 and 1024 pixels: none is clipped',
    async (path) => {
      await open(path);
      for (const width of [1024, 1280]) {
        await page.setViewportSize({ width, height: 900 });
        const { heights, targets, clipped } = await layout();
        expect(heights.length).toBeGreaterThan(0);
        expect(Math.min(24, ...targets)).toBe(24);
        expect(clipped).toEqual([]);
      }
    },
  );

  test('payments name the payee first, their dates are short, and their amounts are written alike, at the right', async () => {
    await open('/payments');
    expect(await page.locator('thead th').allInnerTexts()).toEqual([
      ...['Payee', 'Amount', 'Status', 'From', 'Initiated', 'Executes'],
    ]);
    const long = rows().filter({ hasText: longName }).first().locator('td').first().locator('div');
    expect(await long.getAttribute('title')).toContain(longName);
    const amounts = await column('Amount');
    expect(amounts.filter((text) => !/^(?:\d{1,3},)*\d{1,3}\.\d\d\u00a0NOK$/.test(text))).toEqual([]);
    const alignments = await page.evaluate<string[]>(
      `[...document.querySelectorAll('td[data-head="Amount"]')].map((one) => getComputedStyle(one).textAlign)`,
    );
    expect(new Set(alignments)).toEqual(new Set(['right']));
    const dates = [...(await column('Initiated')), ...(await column('Executes'))];
    const short = /^(?:will be rejected )?(?:[A-Z][a-z]{2} \d{1,2} [A-Z][a-z]{2}(?: 2028)?(?:, \d\d:\d\d)?)?$/;
    expect(dates.filter((text) => !short.test(text))).toEqual([]);
    expect(dates).toContain('Mon 10 Jan 2028, 05:30');
  });

  test('the payer is told by the whole name: no two of the known state look alike', async () => {
    await open('/payments');
    for (const width of [1280, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      const shown = await page.evaluate<[text: string, isClipped: boolean][]>(
        `[...document.querySelectorAll('td[data-head="From"] a')].map((one) => [one.textContent, one.scrollWidth > one.clientWidth])`,
      );
      expect(shown.map(([text]) => text)).toContain('Test Testperson 3');
      expect(shown.filter(([text, isClipped]) => isClipped && text.length < 18)).toEqual([]);
    }
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  test('a chip is a link to the list that it filters, and keeps the other filters', async () => {
    const marked = '.chip[aria-current="true"]';
    const chosen = (): Promise<string[]> => page.locator(marked).allInnerTexts();
    const choose = async (name: string): Promise<void> => {
      const chip = page.locator('.chips').getByRole('link', { name, exact: true });
      await chip.click();
      await chip.and(page.locator(marked)).waitFor();
    };
    await open('/payments');
    expect(await chosen()).toEqual(['All']);
    await choose('Unsigned');
    await choose('Single payments');
    expect(await chosen()).toEqual(['Unsigned', 'Single payments']);
    expect(new Set(await column('Status'))).toEqual(new Set(['RCVD unsigned']));
    await page.locator('summary', { hasText: 'More filters' }).click();
    await page.getByLabel('Account', { exact: true }).fill('09232911044');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    expect(await chosen()).toEqual(['Unsigned', 'Single payments']);
    expect(await page.getByLabel('Account', { exact: true }).inputValue()).toBe('09232911044');
    await choose('Rejected');
    expect(await page.locator('.empty a.button').allInnerTexts()).toEqual(['Show all payments']);

    await open('/requests');
    await choose('4xx');
    expect((await column('Answer')).filter((text) => !text.startsWith('4'))).toEqual([]);
    await choose('Signature refused');
    expect(new Set(await column('Signature'))).toEqual(new Set(['refused']));
    await open('/consents');
    expect(await chosen()).toEqual(['Active']);
    await choose('Active and ended');
    expect(await chosen()).toEqual(['Active and ended']);
  });

  test('C17: a forecast has all tries of a payment in one row, says how many fail, and names payees', async () => {
    await open('/forecast?to=2027-04-01');
    expect(await page.locator('main').innerText()).toMatch(/\d+ will settle, \d+ will be rejected/);
    for (const summary of await page.locator('#each summary').all()) await summary.click();
    const named = await column('What');
    for (const name of payees) expect(named).toContain(name);
    expect(named.filter((text) => /^[\w-]{8}$/.test(text))).toEqual([]);
    const tries = await page.locator('ol.tries').first().locator('li').allInnerTexts();
    expect(tries).toHaveLength(5);
    expect(tries.at(-1)).toMatch(/^rejected/);
    expect((await layout()).targets.every((height) => height >= 24)).toBe(true);
  });

  test('a run names payees', async () => {
    await open('/runs/2027-03-24-4');
    expect(await page.locator('thead th').first().innerText()).toBe('Payee');
    expect(await column('Payee')).toEqual(['Company 123']);
  });

  test('banks show clock and size', async () => {
    await open('/banks');
    const of = async (name: string): Promise<string[]> =>
      (await rows().filter({ hasText: name }).locator('td').allInnerTexts()).slice(1, 3).map((text) => text.trim());
    expect(await of('Sandbank')).toEqual(['Wed 24 Mar, 15:30 frozen', expect.stringMatching(/^\d+ KB$/)]);
    expect(await of('other')).toEqual(['Wed 24 Mar, 12:00 frozen', expect.stringMatching(/^\d+ KB$/)]);
  });

  test('on a phone a row has no line for an empty cell', async () => {
    await open('/people');
    const seen = page.locator('td:has(> div:empty):visible');
    expect(await seen.count()).toBeGreaterThan(0);
    await page.setViewportSize({ width: 320, height: 900 });
    expect(await seen.count()).toBe(0);
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  test('people have a button that opens the payment form with that person chosen', async () => {
    await open('/people');
    const sigrid = rows().filter({ has: page.getByRole('link', { name: 'Sigrid Signerer' }) });
    await sigrid.getByRole('link', { name: 'Pay as' }).click();
    expect(await page.getByLabel('Who pays').inputValue()).toMatch(/^17818050100\//);
    await open('/people/17818050100');
    await page.getByRole('link', { name: 'Pay as Sigrid Signerer' }).click();
    expect(await page.getByLabel('Who pays').inputValue()).toMatch(/^17818050100\//);
  });

  test('in dark mode axe finds nothing on the pages with chips, bars and buttons in rows', async () => {
    const dark = await (await browser.newContext({ colorScheme: 'dark' })).newPage();
    for (const path of someOf('dark lists', ['/payments', '/people', '/people/17818050100', '/banks', '/proof'], 2)) {
      await dark.goto(`${bank.address}/console${path}`);
      expect([path, await lookFaults(dark)]).toEqual([path, []]);
    }
    await dark.context().close();
  }, 60_000);

  test('books that are right are one sentence; those that are wrong show what is wrong, and nothing else', async () => {
    await open('/proof');
    expect(await page.locator('main table, main dl').count()).toBe(0);
    expect(await page.locator('main .lead').allInnerTexts()).toEqual([
      expect.stringMatching(/^Every balance of \d+ accounts is the sum of its entries/),
    ]);
    await bank.bank.ledger.write((tx) =>
      inLedger(tx, `update account set balance_minor = balance_minor + 1 where bban = '09232911044'`),
    );
    await open('/proof');
    expect(await rows().count()).toBe(1);
    expect(await page.locator('main dt').allInnerTexts()).toEqual(['Accounts with a wrong balance']);
  });

  test('C17b: on a phone the page of an account with a year of life is not long', async () => {
    const [account, width] = ['09232911044', 390];
    await bank.control('POST', '/sandbox/life', { account, persona: 'family', months: 12 });
    await page.setViewportSize({ width, height: 844 });
    await open(`/accounts/${account}`);
    expect(await page.evaluate<number>('document.documentElement.scrollHeight')).toBeLessThan(8000);
    await bank.control('DELETE', `/sandbox/life/${account}`);
    await page.setViewportSize({ width: 1280, height: 900 });
  });
});

describe('a list without rows', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandbank-lists-'));
  let nobody: TestBank;
  beforeAll(async () => {
    const file = join(folder, 'nobody.json');
    writeFileSync(file, JSON.stringify({ customers: [], agreements: [] }));
    nobody = await startTestBank(beforeEaster, ['--fixtures', file]);
  });
  afterAll(async () => {
    await nobody.stop();
    rmSync(folder, { recursive: true });
  });

  test.each([
    ['/payments', 'Make a payment'],
    ['/payments?status=RJCT', 'Show all payments'],
    ['/requests', 'Make a payment'],
    ['/requests?answer=5xx', 'Show all requests'],
    ['/accounts', 'Reset the bank …'],
    ['/accounts?of=nobody', 'Reset the bank …'],
    ['/sca', 'Make a payment'],
    ['/people', 'Reset the bank …'],
    ['/agreements', 'Reset the bank …'],
    ['/consents', 'How a TPP gets a consent'],
    ['/forecast', 'Make a payment'],
    ['/clock/undo', 'Move the clock'],
    ['/pay', 'Show the people'],
    ['/search?q=xqzvw-99', 'Show all payments'],
    ['/runs/2027-03-24-1', 'The calendar of March 2027'],
  ])('%s: the one thing to do next is a button, which leads somewhere', async (path, words) => {
    const address = `/console${path}`;
    const { text } = await new ConsoleClient(nobody.address).get(address);
    const buttons = [...text.matchAll(/<a class="button main" href="([^"]*)">([^<]*)</g)];
    expect(buttons.map(([, , shown]) => shown)).toEqual([words]);
    const to = new URL(buttons[0]?.[1] ?? '', nobody.address + address);
    expect((await new ConsoleClient(nobody.address).get(to.pathname + to.search)).status).toBe(200);
  });
});
