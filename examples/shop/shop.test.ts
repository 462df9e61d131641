import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type Bank as TestBank, createBank } from 'sandbank';
import 'sandbank/jest';
import { shopApp } from './app.ts';
import { Bank } from './bank.ts';
import { Sandbox } from './sandbox.ts';

// The shop as it is, against a bank whose time these tests move.
const nora = '13039319955';
/** Nora's, with 18,000.00 NOK. */
const account = '09232911044';
let bank: TestBank;
let server: Server;
let shop: string;
beforeAll(async () => {
  bank = await createBank({ now: '2027-03-24T12:00:00+01:00', port: 0 });
  const sandbox = new Sandbox(bank.url);
  const app = shopApp({
    bank: new Bank(bank.url, await sandbox.certificate('shop')),
    today: () => sandbox.today(),
    dates: (paymentId) => sandbox.dates(paymentId),
  });
  server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  shop = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => bank.reset());
afterAll(async () => {
  server.close();
  await bank.close();
});

/** A browser at the shop: it keeps the cookie, and shows where it is sent. */
class Browser {
  #cookie = '';

  async go(address: string | URL, form?: Readonly<Record<string, string>>): Promise<{ text: string; sentTo: string }> {
    const sent = form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) };
    const headers = { cookie: this.#cookie };
    const answer = await fetch(new URL(address, shop), { ...sent, headers, redirect: 'manual' });
    this.#cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? this.#cookie;
    return { text: await answer.text(), sentTo: answer.headers.get('location') ?? '' };
  }

  /** What the page says, without its markup. */
  async read(address: string): Promise<string> {
    const [, main = ''] = (await this.go(address)).text.split('<main>');
    return main
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll('\u00a0', ' ')
      .replaceAll(/\s+/g, ' ');
  }

  /** Nora shares her accounts with the shop. */
  async connect(): Promise<this> {
    const { sentTo } = await this.go('/connect', {});
    const { sentTo: home } = await this.go(await bank.psu(nora).approve(sentTo));
    expect(home).toBe('/');
    return this;
  }

  /** Orders an item. Returns the order's address, and the bank's page. */
  async order(item: string, id: string = randomUUID()): Promise<{ address: string; page: string }> {
    const { sentTo } = await this.go('/orders', { id, item, account });
    return { address: `/orders/${id}`, page: sentTo };
  }

  async buy(item: string): Promise<string> {
    const { address, page } = await this.order(item);
    await this.go(await bank.psu(nora).approve(page));
    return address;
  }
}

test('a bag bought on the day before Easter is paid by the next run, and is among the entries', async () => {
  const browser = await new Browser().connect();
  const order = await browser.buy('bag');
  expect(await browser.read(order)).toContain('Waiting for your bank');
  await bank.clock.advance({ runs: 1 });
  expect(await browser.read(order)).toContain('Paid');
  expect(await browser.read('/account')).toMatch(/NOK 17 871\.00 available .* Fjord Coffee pending NOK −129\.00/);
  // Booked, it leaves the payment API: it is paid all the same.
  await bank.clock.advance({ runs: 1 });
  expect(await browser.read(order)).toContain('Paid');
  expect(await browser.read('/account')).toContain('Fjord Coffee 24 March 2027 NOK −129.00');
});

test('a subscription shows the dates of the bank, with the reason of those that are moved', async () => {
  const browser = await new Browser().connect();
  const order = await browser.buy('month');
  await bank.clock.advance('2027-05-01');
  const text = await browser.read(order);
  expect(text).toMatch(/24 March 2027 paid 26 April 2027 paid/);
  expect(text).toMatch(/24 May 2027/);
  expect(text).toContain('Sat 24 Apr, closed: weekend, due Mon 26 Apr');
});

test('what the account cannot pay is tried again, and refused with the reason', async () => {
  const browser = await new Browser().connect();
  const order = await browser.buy('machine');
  await bank.clock.advance({ runs: 1 });
  expect(await browser.read(order)).toMatch(/Waiting for money .* Your bank says: /);
  await bank.clock.advance('P7D');
  expect(await browser.read(order)).toMatch(/Refused .* Your bank says: /);
});

test('whoever stops at the bank is told, and can approve the same order later', async () => {
  const browser = await new Browser().connect();
  const { address, page } = await browser.order('bag');
  const { sentTo } = await browser.go(await bank.psu(nora).cancel(page));
  expect(sentTo).toBe(address);
  expect(await browser.read(address)).toMatch(/You stopped at your bank\. .* Not approved yet/);
  expect(await browser.read(address)).not.toContain('You stopped');
  const again = await browser.go(`${address}/approve`, {});
  await browser.go(await bank.psu(nora).approve(again.sentTo));
  expect(await browser.read(address)).toContain('Waiting for your bank');
});

test('a form that is sent twice is one payment; two bags on one day are two', async () => {
  const browser = await new Browser().connect();
  const id = randomUUID();
  await Promise.all([browser.order('bag', id), browser.order('bag', id)]);
  await browser.buy('bag');
  const { payments } = await (await bank.fetch('/sandbox/payments')).json<{ payments: readonly unknown[] }>();
  expect(payments).toHaveLength(2);
});

test('what the bank does not take, or rejects later, is refused with its words, which are not markup', async () => {
  const browser = await new Browser().connect();
  await bank.fetch('/sandbox/faults', { method: 'POST', body: { code: 'SERVICE_BLOCKED', path: '/v1/payments' } });
  const { address } = await browser.order('bag');
  expect(await browser.read(address)).toMatch(/Refused .* Your bank says: .* SERVICE_BLOCKED\. You pay/);
  await bank.fetch('/sandbox/faults', { method: 'DELETE' });
  const order = await browser.buy('bag');
  const { payments } = await (await bank.fetch('/sandbox/payments')).json<{ payments: { paymentId: string }[] }>();
  await bank.reject(payments[0]?.paymentId ?? '', { reason: '<img src=x onerror=alert(1)>' });
  await bank.clock.advance({ runs: 1 });
  const { text } = await browser.go(order);
  expect(text).toContain('&#60;img src=x onerror=alert(1)&#62;');
  expect(text).not.toContain('<img');
});

test('a bank that fails is told, and the order goes on once it is well', async () => {
  const browser = await new Browser().connect();
  const order = await browser.buy('bag');
  await bank.fetch('/sandbox/faults', { method: 'POST', body: { code: 'SYSTEM_ERROR', method: 'GET' } });
  expect(await browser.read(order)).toContain('Your bank says: ');
  await bank.fetch('/sandbox/faults', { method: 'DELETE' });
  expect(await browser.read(order)).toContain('Waiting for your bank');
});

test('without a consent nothing is sold; an order of somebody else is not there', async () => {
  const stranger = new Browser();
  expect(await stranger.read('/')).toContain('Connect your bank');
  expect((await stranger.go('/orders', { id: randomUUID(), item: 'bag', account })).sentTo).toBe('/');
  const order = await (await new Browser().connect()).buy('bag');
  expect(await (await new Browser().connect()).read(order)).toContain('There is no such page.');
});
