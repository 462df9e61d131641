import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import { bulkItem, periodicPath, periodicPayment, singlePath, singlePayment } from '../../lab/bodies.ts';
import { startTestBank, type TestBank } from '../../lab/server.ts';
import { pay, refusedSignature } from '../../console/console-bank.ts';
import { describeInBrowser, launchBrowser } from '../../support/browser.ts';
import { someOf } from '../../support/sample.ts';

/** What somebody who has never seen the console wants to know or to do, from `/`. */
interface Task {
  readonly what: string;
  /** The most clicks that it may take. */
  readonly clicks: number;
  /** What happened before, by mouse; nobody counts it. */
  readonly before?: (page: Page) => Promise<void>;
  /** What is clicked, in its order. */
  readonly way: readonly ((page: Page) => Locator)[];
  /** What the page says in the end, in its text with single blanks. */
  readonly answer: RegExp;
}

const view = (name: string) => (page: Page) => page.locator('header nav').getByRole('link', { name, exact: true });
const button = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name, exact: true });
const row = (page: Page, text: string) => page.locator('main tbody tr').filter({ hasText: text });
const paymentTo = (payee: string) => (page: Page) =>
  row(page, payee)
    .locator('a[href*="/payments/"]')
    .or(page.locator('.settlement a:visible').filter({ hasText: payee }))
    .first();

const tasks: readonly Task[] = [
  {
    what: 'why was a payment rejected',
    clicks: 2,
    way: [view('Payments'), paymentTo('Dyre Gaver AS')],
    answer: /RJCT rejected\. [\d,.]+\sNOK short at the fifth attempt, run of Tue 23 Mar, 15:30/,
  },
  {
    what: 'which request was refused for its signature, and why',
    clicks: 3,
    way: [(page) => page.locator('.attention').getByRole('link', { name: 'See the refused request' })],
    answer: /The signature was refused\.[^]*?They begin to differ in line 3, at character \d+/,
  },
  {
    what: 'find persons with their balance',
    clicks: 1,
    way: [view('People')],
    answer: /Test Testperson 3[^]*?13039319955[^]*?43,000\.00\sNOK/,
  },
  {
    what: 'what will happen',
    clicks: 1,
    way: [view('Forecast')],
    answer: /\d runs will process payments[^]*?8 will settle|\d runs will process payments[^]*?9 will settle/,
  },
  {
    what: 'approve as the second signer',
    clicks: 3,
    way: [paymentTo('To Underskrifter AS'), button('Open an SCA'), button('Approve')],
    answer: /Approved\. The browser of the PSU goes back to /,
  },
  {
    what: 'move to the day on which an order pays',
    clicks: 3,
    way: [view('Payments'), paymentTo('Månedsleie AS'), button(/^Move the clock to Tue 30 Mar 2027/)],
    answer: /What happened until Tue 30 Mar 2027[^]*?Månedsleie AS[^]*?settled/,
  },
  {
    what: 'go back to before a move',
    clicks: 1,
    before: async (page) => {
      await page.getByRole('button', { name: '+1 run' }).click();
      await page.getByRole('heading', { level: 2, name: /^What happened until/ }).waitFor();
    },
    way: [button('Undo')],
    answer: /The move is undone\. The bank is back at /,
  },
  {
    what: 'be in Bien and see what differs',
    clicks: 3,
    way: [
      (page) => page.locator('#switch'),
      (page) => page.getByRole('link', { name: 'Bien Sparebank' }),
      (page) => page.getByRole('link', { name: /^On: \d+ quirks$/ }),
    ],
    answer: /\d+ quirks are on: id-lengths, pending-dates[^]*?Ids/,
  },
  {
    what: 'switch a quirk on',
    clicks: 3,
    way: [
      view('Quirks'),
      (page) => page.getByRole('link', { name: 'plain-json', exact: true }).last(),
      button('Switch on'),
    ],
    answer: /On: plain-json\./,
  },
  {
    what: 'find when 2,500 kroner of Wednesday before Easter arrive at three banks',
    clicks: 2,
    way: [view('When?'), (page) => page.getByRole('link', { name: 'Before Easter' })],
    answer: /2,500\.00\sNOK[^]*?Wed (?:24 Mar|12 Apr)(?=[^]*?Bien Sparebank)(?=[^]*?BN Bank)(?=[^]*?Landkreditt)/,
  },
];

/** A bank in which each task has something to find; more payments than the first page shows. */
async function stage(): Promise<TestBank> {
  const bank = await startTestBank('2027-03-22T20:00:00+01:00', [], {
    platform: ['bien-sparebank', 'bn-bank', 'landkreditt-bank'],
  });
  const to = (creditorName: string, amount: string) => singlePayment(bulkItem(amount, { creditorName }));
  await pay(bank, singlePath, to('Dyre Gaver AS', '99999999.00'));
  await bank.advance({ runs: 5 });
  await pay(bank, periodicPath, periodicPayment({ startDate: '2027-03-26', creditorName: 'Månedsleie AS' }));
  for (let number = 1; number <= 8; number += 1) await pay(bank, singlePath, to(`Butikk ${number} AS`, `${number}.00`));
  const debtorAccount = { bban: '34330000017', currency: 'NOK' };
  const half = singlePayment({ debtorAccount, creditorName: 'To Underskrifter AS' });
  const [first, more] = ['17818050100', { context: 'CORPORATE' }];
  const headers = { 'content-type': 'application/json', 'x-psu-identity': first, 'psu-context': 'CORPORATE' };
  const { body } = await bank.raw(
    'POST',
    `/sandbox/as/console${singlePath}`,
    headers,
    Buffer.from(JSON.stringify(half)),
  );
  await bank.approve(body, first, more);
  await refusedSignature(bank);
  return bank;
}

/** Maximum number of stops to a target. */
const maxTabs = 200;

/** Goes on with Tab until the target has the focus, from the content of the page if it is there, and presses Enter. */
async function press(page: Page, target: Locator): Promise<void> {
  const focused = target.and(page.locator(':focus'));
  await target.waitFor();
  await page.keyboard.press('Tab');
  // The first stop skips to the content.
  if ((await target.locator('xpath=ancestor::main').count()) > 0) await page.keyboard.press('Enter');
  for (let tabs = 0; tabs < maxTabs; tabs += 1) {
    await page.keyboard.press('Tab');
    if ((await focused.count()) > 0) return page.keyboard.press('Enter');
  }
  throw new Error('Tab does not come to the target');
}

/** Waits until the page says it. Throws an Error with what it says instead. */
async function said(page: Page, answer: RegExp): Promise<void> {
  const main = page.locator('main');
  await main
    .filter({ hasText: answer })
    .waitFor()
    .catch(async () => {
      throw new Error(`${page.url()} does not say ${answer}:\n${await main.innerText()}`);
    });
}

describeInBrowser('twelve tasks from the first page', () => {
  describe.each([
    ['by mouse', true, (_page: Page, target: Locator) => target.click()],
    ['by keyboard alone', true, press],
    ['without scripts', false, (_page: Page, target: Locator) => target.click()],
  ])('%s', (name, javaScriptEnabled, act) => {
    let browser: Browser;
    let bank: TestBank;
    beforeAll(async () => {
      [browser, bank] = await Promise.all([launchBrowser(), stage()]);
    }, 60_000);
    afterAll(() => Promise.all([browser.close(), bank.stop()]));

    // In each run a third of them.
    test.each(someOf(`tasks ${name}`, tasks, 3))('$what: $clicks', async ({ clicks, before, way, answer }) => {
      await using context = await browser.newContext({ javaScriptEnabled, viewport: { width: 1280, height: 900 } });
      const page = await context.newPage();
      page.setDefaultTimeout(8_000);
      await page.goto(bank.address);
      await before?.(page);
      if (before !== undefined) await page.goto(bank.address);
      let made = 0;
      for (const targetIn of way) {
        await act(page, targetIn(page));
        made += 1;
      }
      await said(page, answer);
      expect(made).toBeLessThanOrEqual(clicks);
    });
  });
});
