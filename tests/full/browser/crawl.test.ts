import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { singlePath, singlePayment } from '../../lab/bodies.ts';
import { startTestBank, type TestBank } from '../../lab/server.ts';
import { beforeEaster, hostileNames, pay, startConsoleBank } from '../../console/console-bank.ts';
import { lookFaults } from '../../support/axe.ts';
import { describeInBrowser, launchBrowser } from '../../support/browser.ts';
import { unescapedHtml } from '../../support/html.ts';
import { isWhole, sameSample, sample, someOf } from '../../support/sample.ts';

let browser: Browser;
let bank: TestBank;
let page: Page;
/** What pages asked of another host, and errors of their scripts and of their policy. */
const wrong: string[] = [];

/** Addresses that do not exist, or that say no: their pages lead on too. */
const dead = [
  '/nothing',
  '/docs/nothing',
  '/sandbox/nothing',
  '/banks/nope',
  '/banks/other/nothing',
  '/banks/other/sandbox/nothing',
  '/sca/nothing',
  '/banks/other/sca/nothing',
  '/console/nothing',
  '/console/payments/nothing',
  '/console/accounts/nothing',
  '/console/people/nothing',
  '/console/requests/nothing',
  '/console/runs/nothing',
  '/console/sca/nothing',
  '/console/forecast?to=nonsense',
  '/console/calendar?month=nonsense',
  '/console/payments?from=nonsense',
  '/console/payments?offset=x',
  '/console/search?q=nothing-like-it',
  '/sandbox/landed',
  '/sandbox/landed?code=SCA_INVALID&message=no',
  '/sandbox/landed?psu-id=4eba4445-1a4b-47b8-bdd5-4e56ef026b19&context=PRIVATE',
];

/** Maximum number of pages of a kind, of a bank at the root, and of one path: a calendar has no last month. */
const [ofKind, ofPath] = isWhole ? [60, 4] : [1, 1];

interface Found {
  readonly address: string;
  /** The address of the page with the link. */
  readonly on: string;
  /** Whether there is nothing at this address, or what it asks for is refused. */
  readonly isDead: boolean;
}

/** What an address shows: pages that differ in ids and names only are of one kind. The guide's pages are of one kind. */
function kindOf(address: string): string {
  const { pathname } = new URL(address);
  const named = pathname.replace(/^\/banks\/[^/]+/, '/banks/:name');
  if (/\/docs\/.+/.test(named)) return named.replace(/\/docs\/(?:(interface|control)\/)?.+/, '/docs/:page$1');
  const [, base = '', view = '', rest = ''] =
    /^(.*?)(\/console\/\w+|\/sca|\/console\/clock\/\w+)(\/.+)?$/.exec(named) ?? [];
  return view === '' ? named : `${base}${view}${rest === '' ? '' : '/:id'}`;
}

/** Files and answers of the control plane are for programs. */
const isPage = (address: string): boolean =>
  !/\.(?:json|md|sandbank|svg|txt|webp)$|\/sandbox\/(?!landed)/.test(new URL(address).pathname);

interface Looked {
  readonly faults: readonly string[];
  /** Addresses of the bank, without the places in their pages. */
  readonly links: readonly string[];
  /** Where the address has led. */
  readonly url: string;
}

/** What is wrong with the page of an address, and where it leads, read without a browser. */
async function read({ address, on, isDead }: Found): Promise<Looked> {
  const answer = await fetch(address, { headers: { accept: 'text/html' } });
  const text = await answer.text();
  const faults: string[] = [];
  if (!isDead && answer.status !== 200) faults.push(`status ${answer.status}`);
  if (!/^text\/html/.test(answer.headers.get('content-type') ?? '')) faults.push('no page');
  const links = [...text.matchAll(/<a\s(?:[^>]*\s)?href="([^"]*)"/g)]
    .map(([, href = '']) => new URL(unescapedHtml(href), answer.url))
    .filter(({ origin }) => origin === bank.address)
    .map(({ href }) => href.replace(/#.*/, ''));
  const here = new URL(answer.url).pathname;
  const leadsOn = links.some((link) => isPage(link) && new URL(link).pathname !== here);
  // The page of access is a customer's own: it leads nowhere while nobody has access.
  const mayEnd = /\/sca\/access\//.test(here);
  if (!leadsOn && !mayEnd && !/<main[^]*<form[^]*<button/.test(text)) faults.push('a dead end');
  return { faults: faults.map((fault) => `${address}, linked on ${on}: ${fault}`), links, url: answer.url };
}

describeInBrowser('every page that links lead to from the first one', () => {
  beforeAll(async () => {
    [browser, bank] = await Promise.all([launchBrowser(), startConsoleBank()]);
    // A payment that is half signed, by a TPP for which the server signs.
    const body = singlePayment({ debtorAccount: { bban: '34330000017', currency: 'NOK' } });
    const headers = { 'content-type': 'application/json', 'x-psu-identity': '17818050100', 'psu-context': 'CORPORATE' };
    const { body: made } = await bank.raw(
      'POST',
      `/sandbox/as/console${singlePath}`,
      headers,
      Buffer.from(JSON.stringify(body)),
    );
    await bank.approve(made, '17818050100', { context: 'CORPORATE' });
    await pay(bank, `/banks/other${singlePath}`, singlePayment({ creditorName: hostileNames[0] }));
    page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    page.setDefaultTimeout(20_000);
    page.on('request', (request) => {
      const { origin, protocol } = new URL(request.url());
      if (protocol !== 'data:' && origin !== bank.address) wrong.push(`${page.url()} loads ${request.url()}`);
    });
    page.on('pageerror', (error) => wrong.push(`${page.url()}: ${error.message}`));
    page.on('console', (message) => {
      const isOfStatus = message.text().startsWith('Failed to load resource: the server responded with a status of 4');
      if (message.type() === 'error' && !isOfStatus) wrong.push(`${page.url()}: ${message.text()}`);
    });
  }, 60_000);
  afterAll(() => Promise.all([browser.close(), bank.stop()]));

  test('leads on: one page of each kind, and many under SAMPLE=all; one in eight, in Chromium, loads nothing from elsewhere and is sound for axe', async () => {
    const faults: string[] = [];
    const listed = (path: string, isDead: boolean) => ({ address: bank.address + path, on: 'the list', isDead });
    const next: Found[] = [listed('/', false), ...someOf('dead', dead, 4).map((path) => listed(path, true))];
    const seen = new Set(next.map(({ address }) => address));
    const counts = new Map<string, number>();
    const isEnough = (kind: string, pathname: string): boolean =>
      (counts.get(kind) ?? 0) >= (kind.startsWith('/banks/') ? 1 : ofKind) || (counts.get(pathname) ?? 0) >= ofPath;
    for (const found of next) {
      const looked = await read(found);
      faults.push(...looked.faults);
      for (const address of looked.links) {
        const [kind, { pathname }] = [kindOf(address), new URL(address)];
        if (seen.has(address) || !isPage(address) || isEnough(kind, pathname)) continue;
        seen.add(address);
        for (const each of new Set([kind, pathname])) counts.set(each, (counts.get(each) ?? 0) + 1);
        // The other language of a page that says no.
        const isDead = found.isDead && new URL(address).pathname === new URL(found.address).pathname;
        next.push({ address, on: looked.url, isDead });
      }
      if (sample(found.address.slice(bank.address.length), [found], 8).length === 0) continue;
      await page.goto(found.address);
      await page.evaluate(`document.querySelectorAll('details').forEach((one) => (one.open = true))`);
      faults.push(...(await lookFaults(page)).map((fault) => `${found.address}: ${fault}`));
    }
    expect([[...faults, ...wrong], sameSample]).toEqual([[], sameSample]);
    // The console, the guide, the API and SCA pages, of the bank at the root and of a named one.
    expect([...counts.keys()]).toEqual(
      expect.arrayContaining([
        '/console/payments/:id',
        '/docs',
        '/docs/:page',
        '/sca/:id',
        '/banks/:name/console/payments/:id',
      ]),
    );
  }, 900_000);

  test('so is the page of a form that the bank refuses, and of the console before it has its token', async () => {
    await using guarded = await startTestBank(beforeEaster, ['--control-token', 'a-secret-token-of-ours']);
    await page.goto(`${bank.address}/console/pay`);
    await page.getByLabel('Account of the payee').fill('123');
    await page.getByRole('button', { name: 'Continue to approval' }).click();
    await page.locator('#note.problem').waitFor();
    expect(await lookFaults(page)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto(`${bank.address}/console`);
    await page.getByRole('button', { name: '+1 run' }).click();
    await page.locator('#note.note').waitFor();
    expect(await lookFaults(page)).toEqual([]);
    await page.goto(`${guarded.address}/console`);
    expect(await page.locator('main form button').count()).toBe(1);
    expect(await lookFaults(page)).toEqual([]);
  }, 60_000);
});
