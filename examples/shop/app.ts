import { randomUUID } from 'node:crypto';
import express, { type ErrorRequestHandler, type Express, type Request, type Response } from 'express';
import { type Account, type Bank, BankRefusal, type Payment, type Visit } from './bank.ts';
import { accountPage, contentPolicy, type Item, orderPage, problemPage, shopPage } from './pages.ts';
import type { OrderDate } from './sandbox.ts';

const items: readonly Item[] = [
  { id: 'bag', name: 'A bag of coffee', about: '250 g, roasted on Thursday.', price: '129.00', isMonthly: false },
  {
    id: 'month',
    name: 'Coffee every month',
    about: 'A bag on this day of each month.',
    price: '99.00',
    isMonthly: true,
  },
  {
    id: 'machine',
    name: 'An espresso machine',
    about: 'Two boilers, one tamper.',
    price: '24900.00',
    isMonthly: false,
  },
];

/** A customer's visit, known by a cookie. */
interface Guest {
  readonly sessionId: string;
  psuId: string | null;
  /** To be told on the next page, once. */
  notice: string | null;
}

interface ShopOrder {
  readonly id: string;
  readonly guest: Guest;
  readonly item: Item;
  readonly account: string;
  readonly startDate: string | null;
  /** Null until the bank has taken it. */
  payment: Payment | null;
  /** As the bank said last; NEW until then. */
  status: string;
  reason: string | null;
}

export interface ShopParts {
  readonly bank: Bank;
  /** The day on which a standing order can start, `2027-03-24`. */
  today(): Promise<string>;
  /** The dates of a standing order; none where the bank does not tell them. */
  dates(paymentId: string): Promise<readonly OrderDate[]>;
}

/** How many guests and orders are remembered, in memory. */
const maxRemembered = 1_000;

/** The shop as an Express app. */
export function shopApp({ bank, today, dates }: ShopParts): Express {
  const guests = new Map<string, Guest>();
  const orders = new Map<string, ShopOrder>();
  const app = express().disable('x-powered-by').disable('etag');

  /** The guest of this browser. The cookie comes with links from the bank, and not with forms of other sites (SameSite=Lax). */
  const guestOf = (request: Request): Guest | undefined =>
    guests.get(/(?:^|; )shop=([0-9a-f-]{36})(?:;|$)/.exec(request.headers.cookie ?? '')?.[1] ?? '');
  const visitOf = (request: Request, { psuId, sessionId }: Guest, returnTo = '/'): Visit => ({
    psuId,
    sessionId,
    ip: request.ip ?? '127.0.0.1',
    returnTo: `${request.protocol}://${request.headers.host}${returnTo}`,
  });
  const orderOf = (request: Request): ShopOrder | undefined => {
    const order = orders.get(String(request.params['id']));
    return order?.guest === guestOf(request) ? order : undefined;
  };

  app.use((_request, response, next) => {
    response.set({
      'Content-Security-Policy': contentPolicy,
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
    });
    next();
  });
  app.use(express.urlencoded({ extended: false, limit: '4kb' }));

  app.get('/', async (request, response) => {
    const guest = guestOf(request);
    const accounts = guest === undefined ? null : await accountsOf(request, guest);
    response.send(
      shopPage(
        items,
        accounts,
        items.map(() => randomUUID()),
        takeNotice(guest),
      ),
    );
  });

  /** The accounts that the guest has shared. Null means none, or no longer. */
  async function accountsOf(request: Request, guest: Guest): Promise<readonly Account[] | null> {
    if (guest.psuId === null) return null;
    try {
      return await bank.accounts(visitOf(request, guest));
    } catch (error) {
      if (!(error instanceof BankRefusal)) throw error;
      guest.psuId = null;
      return null;
    }
  }

  app.post('/connect', async (request, response) => {
    const known = guestOf(request);
    const guest = known ?? { sessionId: randomUUID(), psuId: null, notice: null };
    if (known === undefined) {
      const key = randomUUID();
      remember(guests, key, guest);
      // Behind TLS it would be `Secure` too.
      response.cookie('shop', key, { httpOnly: true, sameSite: 'lax' });
    }
    response.redirect(303, await bank.consentPage(visitOf(request, guest, '/connected')));
  });

  // The bank sends the browser here, after a consent with the PSU's id, after anything else with a code.
  app.get('/connected', (request, response) => {
    const guest = guestOf(request);
    const { 'psu-id': psuId } = request.query;
    if (guest !== undefined) {
      if (typeof psuId === 'string') guest.psuId = psuId;
      guest.notice = failureOf(request);
    }
    response.redirect(303, '/');
  });

  app.get('/account', async (request, response) => {
    const guest = guestOf(request);
    const accounts = guest === undefined ? null : await accountsOf(request, guest);
    if (guest === undefined || accounts === null) {
      if (guest !== undefined) guest.notice = 'Your bank has to say first which accounts this shop may see.';
      response.redirect(303, '/');
      return;
    }
    const visit = visitOf(request, guest);
    const read = async (account: Account) => {
      const transactions = await bank.transactions(visit, account.resourceId);
      return { account, transactions: transactions.slice(0, 10) };
    };
    response.send(accountPage(await Promise.all(accounts.map(read))));
  });

  app.post('/orders', async (request, response) => {
    const { id, item: wanted, account } = Object(request.body) as Readonly<Record<string, unknown>>;
    const guest = guestOf(request);
    const item = items.find((each) => each.id === wanted);
    const isForm = /^[0-9a-f-]{36}$/.test(String(id)) && /^\d{11}$/.test(String(account));
    if (guest === undefined || guest.psuId === null || item === undefined || !isForm) {
      response.redirect(303, '/');
      return;
    }
    const startDate = item.isMonthly ? await today() : null;
    const known = orders.get(String(id));
    const fresh = { guest, item, startDate, payment: null, status: 'NEW', reason: null };
    const order = known ?? { ...fresh, id: String(id), account: String(account) };
    if (known === undefined) remember(orders, order.id, order);
    if (order.guest === guest) await sendToBank(request, response, order);
    else nothingHere(response);
  });

  app.post('/orders/:id/approve', async (request, response) => {
    const order = orderOf(request);
    if (order === undefined) nothingHere(response);
    else await sendToBank(request, response, order);
  });

  /** Initiates the payment, if that is not done yet, and sends the browser to the bank's page, or else to the order's. */
  async function sendToBank(request: Request, response: Response, order: ShopOrder): Promise<void> {
    const visit = visitOf(request, order.guest, `/orders/${order.id}/back`);
    const { id, account, item, startDate } = order;
    let page = `/orders/${id}`;
    try {
      order.payment ??= await bank.initiate(visit, { id, account, amount: item.price, text: item.name, startDate });
      const { authorisationPath } = order.payment;
      if (authorisationPath !== null) page = await bank.approvalPage(visit, authorisationPath);
    } catch (error) {
      if (!(error instanceof BankRefusal)) throw error;
      // A payment that the bank has taken may still be approved, or be waiting already: its page tells.
      if (order.payment === null) Object.assign(order, { status: 'RJCT', reason: wordsOf(error) });
    }
    response.redirect(303, page);
  }

  app.get('/orders/:id/back', (request, response) => {
    const order = orderOf(request);
    if (order !== undefined) order.guest.notice = failureOf(request);
    response.redirect(303, order === undefined ? '/' : `/orders/${order.id}`);
  });

  app.get('/orders/:id', async (request, response) => {
    const order = orderOf(request);
    if (order === undefined) {
      nothingHere(response);
      return;
    }
    const { payment } = order;
    if (payment !== null) {
      const { transactionStatus, psuMessage } = await bank.status(visitOf(request, order.guest), payment.path);
      Object.assign(order, { status: transactionStatus, reason: psuMessage ?? null });
    }
    const planned = payment === null || !order.item.isMonthly ? [] : await dates(payment.paymentId);
    response.send(orderPage({ ...order, notice: takeNotice(order.guest), dates: planned.slice(0, 6) }));
  });

  app.use((_request, response) => nothingHere(response));

  const failed: ErrorRequestHandler = (error: unknown, _request, response, next) => {
    if (response.headersSent) {
      next(error);
      return;
    }
    const isUnreadable = typeof error === 'object' && error !== null && 'status' in error;
    if (!isUnreadable && !(error instanceof BankRefusal)) console.error(error);
    const [status, text] = isUnreadable
      ? [400, 'The shop cannot read that.']
      : error instanceof BankRefusal
        ? [502, `Your bank says: ${wordsOf(error)}`]
        : [502, 'Your bank did not answer. Please try again.'];
    response.status(status).send(problemPage(text));
  };
  app.use(failed);
  return app;
}

/** Adds to a map, which forgets its oldest entry when it is full. */
function remember<Value>(all: Map<string, Value>, key: string, value: Value): void {
  all.set(key, value);
  const [oldest] = all.keys();
  if (all.size > maxRemembered && oldest !== undefined) all.delete(oldest);
}

/** What the bank said, without the address of its journal at the end, which is for the shop's developer. */
function wordsOf({ message }: BankRefusal): string {
  return message.replace(/\s(?:See )?https?:\S*$/, '');
}

function takeNotice(guest: Guest | undefined): string | null {
  const notice = guest?.notice ?? null;
  if (guest !== undefined) guest.notice = null;
  return notice;
}

/** What the bank's redirect says of a failure, in the shop's words, or null if there was none. */
function failureOf({ query }: Request): string | null {
  const { code } = query;
  if (code === undefined) return null;
  if (code === 'SCA_INVALID') return 'You stopped at your bank. Nothing was approved.';
  if (code === 'SCA_EXPIRED') return 'That took too long for your bank. Nothing was approved.';
  return 'Your bank could not let you approve it.';
}

function nothingHere(response: Response): void {
  response.status(404).send(problemPage('There is no such page.'));
}
