import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { signingFetch } from 'sandbank/client';

/** Days on which no bank books, beside weekends. A shop that goes on after 2027 needs more. */
const holidays = ['2027-03-25', '2027-03-26', '2027-03-29', '2027-05-06', '2027-05-17'];

/** An order on invoice. */
export interface Order {
  readonly id: string;
  readonly orderedOn: string;
  /** The third banking day after it. */
  readonly remindOn: string;
  remindedOn: string | null;
  /** The payment and, later, the refund; null before. */
  payment: string | null;
  refund: string | null;
}

/** Who sells, and from which account it pays back. */
const seller = { name: 'Per Sperret', bban: '34500000017', psu: '15817550018' };
const price = { amount: '250.00', currency: 'NOK' };
const product = '/v1/payments/norwegian-domestic-credit-transfers';

/** A shop that sells on invoice, and sends a reminder on the third banking day. It knows no time but that of `Date`. */
export class Shop {
  readonly orders = new Map<string, Order>();
  readonly #fetch: typeof fetch;

  /** `base`: address of the bank. `certificate` and `key`: of the shop, PEM. */
  constructor(base: string, { certificate, key }: { readonly certificate: string; readonly key: string }) {
    this.#fetch = signingFetch({ base, certificate, key });
  }

  order(): Order {
    const [id, orderedOn, remindOn] = [randomUUID(), today(), thirdBankingDay(today())];
    const order: Order = { id, orderedOn, remindOn, remindedOn: null, payment: null, refund: null };
    this.orders.set(id, order);
    return order;
  }

  /** Reminds everybody who has not paid and is due, once. A program that goes on calls it by a timer, a job of the night by itself. */
  remind(): readonly Order[] {
    const due = [...this.orders.values()].filter((each) => each.payment === null && each.remindedOn === null);
    const reminded = due.filter(({ remindOn }) => remindOn <= today());
    for (const order of reminded) order.remindedOn = today();
    return reminded;
  }

  /** Asks the bank for the customer's payment. Returns the page on which the customer approves it. */
  async pay(order: Order, customer: { readonly bban: string; readonly psu: string }): Promise<string> {
    const { paymentId, page } = await this.#initiate(customer, seller);
    order.payment = paymentId;
    return page;
  }

  /** Pays back to this account. Returns the page on which the shop approves it. */
  async refund(order: Order, bban: string): Promise<string> {
    const { paymentId, page } = await this.#initiate(seller, { name: 'A customer', bban });
    order.refund = paymentId;
    return page;
  }

  /** How the bank has a payment: `ACSC` is settled. */
  async status(paymentId: string | null, psu = seller.psu): Promise<string> {
    const path = `${product}/${encodeURIComponent(paymentId ?? '')}/status`;
    const { transactionStatus } = await this.#ask(psu, 'GET', path);
    return String(transactionStatus);
  }

  async #initiate(
    from: { readonly bban: string; readonly psu: string },
    to: { readonly bban: string; readonly name: string },
  ): Promise<{ readonly paymentId: string; readonly page: string }> {
    const answer = await this.#ask(from.psu, 'POST', `${product}?allowLogicalDuplicate=true`, {
      instructedAmount: price,
      debtorAccount: { bban: from.bban, currency: 'NOK' },
      creditorAccount: { bban: to.bban, currency: 'NOK' },
      creditorName: to.name,
    });
    const { paymentId, _links } = answer as { paymentId: string; _links: { scaRedirect: { href: string } } };
    return { paymentId, page: _links.scaRedirect.href };
  }

  async #ask(psu: string, method: string, path: string, body?: object): Promise<Record<string, unknown>> {
    const headers = {
      accept: 'application/json',
      'content-type': 'application/json',
      'x-psu-identity': psu,
      'psu-context': 'PRIVATE',
      'psu-ip-address': '192.0.2.10',
      'tpp-session-id': 'one-clock',
      'tpp-redirect-uri': 'https://shop.example/back',
    };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await this.#fetch(path, { method, headers, ...sent });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Record<string, unknown>;
  }
}

/** The date in Oslo. */
function today(): string {
  return new Date().toLocaleDateString('sv', { timeZone: 'Europe/Oslo' });
}

function thirdBankingDay(date: string): string {
  const day = new Date(`${date}T12:00:00Z`);
  const shown = (): string => day.toISOString().slice(0, 10);
  for (let left = 3; left > 0;) {
    day.setUTCDate(day.getUTCDate() + 1);
    if (day.getUTCDay() % 6 !== 0 && !holidays.includes(shown())) left -= 1;
  }
  return shown();
}

/** The shop as a program: `POST /orders`, `GET /orders`, `POST /remind`, `POST /orders/ID/pay` and `/refund`, `GET /orders/ID`. */
export function serve(shop: Shop): ReturnType<typeof createServer> {
  const answer = async ({ method = '', url = '' }: IncomingMessage, body: string): Promise<unknown> => {
    const [, id = '', what = ''] = /^\/orders\/([^/]+)\/?(\w*)$/.exec(url) ?? [];
    const order = shop.orders.get(id);
    if (method === 'POST' && url === '/orders') return shop.order();
    if (method === 'POST' && url === '/remind') return shop.remind();
    if (order === undefined) return [...shop.orders.values()];
    if (what === 'pay') return { page: await shop.pay(order, JSON.parse(body)) };
    if (what === 'refund') return { page: await shop.refund(order, JSON.parse(body).bban) };
    const status = order.refund === null ? shop.status(order.payment, '13039319955') : shop.status(order.refund);
    return { ...order, status: await status };
  };
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const told = await answer(request, await text(request));
    // Under libfaketime Node keeps the Date of its answers for a second of its own.
    response.setHeader('date', new Date().toUTCString());
    response.setHeader('content-type', 'application/json').end(JSON.stringify(told));
  };
  return createServer((request, response) => {
    handle(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
}

if (import.meta.main) {
  const { BANK = 'http://127.0.0.1:7263', PORT = '3000' } = process.env;
  const made = await fetch(`${BANK}/sandbox/certificates`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"name":"shop"}',
  });
  const server = serve(new Shop(BANK, (await made.json()) as { certificate: string; key: string }));
  server.listen(Number(PORT), '127.0.0.1', () => {
    const { port } = server.address() as { port: number };
    console.log(`The shop: http://127.0.0.1:${port}`);
  });
}
