import { type ChildProcess, execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import { lookFaults } from '../../support/axe.ts';
import { describeInBrowser, launchBrowser } from '../../support/browser.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import { startTestBank, type TestBank } from '../../lab/server.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const folder = tempFolder();

/* The example shop as its README starts it, and a customer's way through it. */
const nora = '13039319955';

interface Shop {
  readonly process: ChildProcess;
  readonly address: string;
  readonly bank: string;
  /** What it has printed. */
  readonly said: () => string;
}

/** What a test that failed has left running. */
const started: ChildProcess[] = [];
afterAll(() => {
  for (const child of started) child.kill();
});

/** Starts the shop by the command of `npm run shop`, on a free port; a signal to npm itself would not end it. */
async function startShop(settings: Readonly<Record<string, string>> = {}): Promise<Shop> {
  const env = { ...process.env, BANK: undefined, ...settings, PORT: '0' };
  const [program = '', ...words] = packageJson.scripts.shop.split(' ');
  const child = spawn(program, words, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  started.push(child);
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  for (let wait = 0; wait < 600 && child.exitCode === null; wait += 1) {
    const [, address, bank] = /^The shop: (\S+)\nThe bank: (\S+)\n/.exec(said) ?? [];
    if (address !== undefined && bank !== undefined) return { process: child, address, bank, said: () => said };
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error(`the shop did not start: ${said}`);
}

async function stop({ process: child }: Shop): Promise<void> {
  child.kill('SIGTERM');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

describe('npm run shop', () => {
  test('without a bank it starts one of its own, which the shop asks for a consent', async () => {
    const shop = await startShop();
    const connected = await fetch(`${shop.address}/connect`, { method: 'POST', redirect: 'manual' });
    expect([connected.status, connected.headers.get('location')]).toEqual([
      303,
      expect.stringMatching(new RegExp(`^${shop.bank}/sca/`)),
    ]);
    expect((await fetch(`${shop.address}/nowhere`)).status).toBe(404);
    const tooLong = { method: 'POST', body: new URLSearchParams({ id: 'x'.repeat(10_000) }) };
    expect((await fetch(`${shop.address}/orders`, tooLong)).status).toBe(400);
    // The line that lets time pass works as it is printed, in a shell of any folder.
    const bankDate = async (): Promise<string> =>
      ((await (await fetch(`${shop.bank}/sandbox/clock`)).json()) as { lastRun: { at: string } }).lastRun.at;
    const before = await bankDate();
    const [, line = ''] = /\nLet time pass: (.*)\n/.exec(shop.said()) ?? [];
    expect(execFileSync('sh', ['-c', line], { cwd: '/', encoding: 'utf8', stdio: 'pipe' })).toContain('"runs":');
    expect((await bankDate()) > before).toBe(true);
    await stop(shop);
    await expect(fetch(`${shop.bank}/health`)).rejects.toThrow();
  }, 60_000);
});

test('the shop asks for the control token of a bank that has one, and says when no bank answers or it is not trusted', async () => {
  const token = 'a-token-of-the-control-plane';
  await using bank = await startTestBank('2027-03-24T12:00:00+01:00', ['--control-token', token]);
  const [program = '', ...words] = packageJson.scripts.shop.split(' ');
  const refused = async (address: string): Promise<string> => {
    const env = { ...process.env, BANK: address, PORT: '0' };
    const ended = promisify(execFile)(program, words, { env });
    const { code, stderr } = (await ended.catch((error: unknown) => error)) as { code: number; stderr: string };
    expect(code).toBe(1);
    return stderr;
  };
  expect(await refused(bank.address)).toBe(
    `The shop cannot use the bank at ${bank.address}: it asks for its control token: set SANDBANK_CONTROL_TOKEN for the shop too\n`,
  );
  expect(await refused('http://127.0.0.1:1')).toContain('nothing answers there');
  const overTls = await startTestBank('2027-03-24T12:00:00+01:00', ['--tls=1']);
  expect(await refused(overTls.address)).toContain('its certificate is not trusted: NODE_EXTRA_CA_CERTS=FILE trusts');
  await overTls.stop();
  await stop(await startShop({ BANK: bank.address, SANDBANK_CONTROL_TOKEN: token }));
});

test('without its packages the shop ends in one line that names them', () => {
  cpSync('examples/shop', folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const { status, stdout, stderr } = spawnSync(process.execPath, ['shop.ts'], { cwd: folder, encoding: 'utf8' });
  expect([status, stdout, stderr]).toEqual([1, '', expect.stringMatching(/^The shop needs the packages [^\n]*\n$/)]);
});

/** Goes on with Tab until the focus is on what leads to another page, and presses Enter, as a person without a mouse does. */
export async function enterAt(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let tabs = 0; tabs < 80; tabs += 1) {
    if ((await target.and(page.locator(':focus')).count()) > 0) {
      await Promise.all([page.waitForEvent('framenavigated'), page.keyboard.press('Enter')]);
      await page.waitForLoadState();
      return;
    }
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab never comes to ${String(target)}`);
}

describeInBrowser('the example shop in Chromium, by keyboard alone', () => {
  let browser: Browser;
  let bank: TestBank;
  let shop: Shop;
  let page: Page;
  /** Addresses that are neither the shop's nor the bank's, and complaints of the console. */
  const wrong: string[] = [];

  beforeAll(async () => {
    bank = await startTestBank('2027-03-24T12:00:00+01:00');
    [browser, shop] = await Promise.all([launchBrowser(), startShop({ BANK: bank.address })]);
    const context = await browser.newContext({ viewport: { width: 320, height: 640 }, javaScriptEnabled: true });
    page = await context.newPage();
    page.setDefaultTimeout(20_000);
    page.on('request', (request) => {
      if (!request.url().startsWith(shop.address) && !request.url().startsWith(bank.address)) wrong.push(request.url());
    });
    page.on('console', (message) => {
      if (message.type() === 'error') wrong.push(message.text());
    });
  }, 60_000);
  afterAll(() => Promise.all([browser.close(), stop(shop), bank.stop()]));

  /** The page has nothing that axe finds, and is not wider than the screen, on a phone and a desk. */
  const expectSound = async () =>
    expect([await page.title(), await lookFaults(page)]).toEqual([await page.title(), []]);

  /** On the bank's page: says who it is, where it is asked for, and approves. */
  async function approveAtBank(): Promise<void> {
    await page.waitForURL(`${bank.address}/sca/**`);
    const person = page.locator(`button[name="psu"][value="${nora}"]`);
    if ((await person.count()) > 0) await enterAt(page, person);
    await enterAt(page, page.locator('button[name="action"][value="approve"]'));
    await page.waitForURL(`${shop.address}/**`);
  }

  const heading = () => page.locator('h1').innerText();
  const state = () => page.locator('.tag').innerText();
  const press = (name: string) => enterAt(page, page.getByRole('button', { name, exact: true }).first());

  test('a customer connects the bank, buys, approves there, comes back, and sees it paid when time has passed', async () => {
    await page.goto(shop.address);
    await expectSound();
    await press('Connect your bank');
    await approveAtBank();
    expect(await page.getByLabel('Pay from').first().locator('option').first().innerText()).toContain('0923');
    await expectSound();
    await press('Buy');
    await approveAtBank();
    expect(await state()).toBe('Waiting for your bank');
    await expectSound();
    await bank.advance({ runs: 1 });
    await enterAt(page, page.getByRole('link', { name: 'Look again' }));
    expect(await state()).toBe('Paid');
    await expectSound();
    await page.goto(`${shop.address}/account`);
    expect(await page.locator('main').innerText()).toContain('17\u00a0871.00');
    await expectSound();
  }, 120_000);

  test('a subscription shows its dates; a purchase that is cancelled at the bank can be approved again', async () => {
    await page.goto(shop.address);
    await press('Subscribe');
    await approveAtBank();
    expect(await page.locator('ol').innerText()).toMatch(
      /24 March 2027[^]*26 April 2027[^]*Sat 24 Apr, closed: weekend/,
    );
    await expectSound();
    await page.goto(shop.address);
    await press('Buy');
    await enterAt(page, page.locator('button[name="action"][value="cancel"]'));
    expect(await page.getByRole('status').innerText()).toContain('You stopped at your bank.');
    expect(await state()).toBe('Not approved yet');
    await expectSound();
    await press('Approve at your bank');
    await approveAtBank();
    expect(await state()).toBe('Waiting for your bank');
    expect(wrong).toEqual([]);
  }, 120_000);

  test('a refusal says why; a page that is not there says so', async () => {
    await page.goto(shop.address);
    await enterAt(page, page.getByRole('button', { name: 'Buy' }).last());
    await approveAtBank();
    await bank.advance({ by: 'P7D' });
    await page.reload();
    expect(await state()).toBe('Refused');
    expect(await page.locator('.reason').innerText()).toMatch(/^Your bank says: .*money/);
    await expectSound();
    await page.goto(`${shop.address}/orders/none`);
    expect(await heading()).toBe('That did not work');
    await expectSound();
  }, 120_000);
});
