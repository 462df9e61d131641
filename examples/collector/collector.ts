/*
 * Collects a fee each month by a standing order, and asks for a payment that the bank rejected once more (PISP).
 *
 * A customer approves the standing order once. The bank then pays on each date without the collector. If the account lacks funds in five
 * runs, the bank rejects that date, and the order goes on. The collector looks once a day, and sends the customer a link to a single
 * payment for each rejected date.
 */
import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';

export interface Customer {
  readonly name: string;
  /** The account that pays, and the national identity number of who approves. */
  readonly bban: string;
  readonly psu: string;
  /** Of the visit in which the customer agreed. */
  readonly ip: string;
  readonly session: string;
}

/** What the collector keeps of a customer. */
export interface Agreement {
  readonly customer: Customer;
  readonly amount: string;
  /** The path of the standing order at the bank. */
  readonly order: string;
  /** `waiting`: for the customer. `ended`: the last date has passed. */
  readonly state: 'waiting' | 'active' | 'ended' | 'cancelled';
  /** Single payments for rejected dates, by date. */
  readonly missed: Readonly<Record<string, Missed>>;
}

export interface Missed {
  readonly payment: string;
  /** The bank's page on which the customer approves it. */
  readonly approval: string;
  readonly state: 'asked' | 'paid' | 'refused';
}

interface Payment {
  readonly transactionStatus: string;
  readonly tppMessages?: readonly { readonly category: string; readonly code: string; readonly text: string }[];
}
interface Initiated {
  readonly _links: Readonly<Record<'self' | 'scaRedirect', { readonly href: string }>>;
}

const creditor = { creditorAccount: { bban: '90491105991', currency: 'NOK' }, creditorName: 'Fjord Gym' };
const product = 'norwegian-domestic-credit-transfers';

/** What the bank refused, with the first of its codes. */
export class BankRefusal extends Error {
  readonly code: string;
  constructor(code: string, text: string) {
    super(`${code}: ${text}`);
    this.code = code;
  }
}

export class Collector {
  readonly #send: typeof fetch;
  readonly #returnTo: string;

  /** `send`: signs and sends. `returnTo`: where the bank sends the customer's browser. Each call throws a BankRefusal if the bank refuses. */
  constructor(send: typeof fetch, returnTo: string) {
    this.#send = send;
    this.#returnTo = returnTo;
  }

  /** Makes a standing order. The customer approves it at `approval`. `id`: of this agreement, a UUID; sent twice, it is one order. */
  async begin(id: string, customer: Customer, amount: string, startDate: string, endDate?: string) {
    const terms = { startDate, frequency: 'Monthly', ...(endDate !== undefined && { endDate }) };
    const { _links } = await this.#initiate(id, `/v1/periodic-payments/${product}`, customer, amount, terms);
    const agreement: Agreement = { customer, amount, order: _links.self.href, state: 'waiting', missed: {} };
    return { agreement, approval: _links.scaRedirect.href };
  }

  /** Asks the bank where the agreement stands, and makes a single payment for each date that was rejected since. Keep what it returns. */
  async look(agreement: Agreement): Promise<Agreement> {
    const missed: Record<string, Missed> = {};
    for (const [date, each] of Object.entries(agreement.missed)) missed[date] = await this.#follow(agreement, each);
    const order = await this.#read(agreement.customer, agreement.order);
    for (const date of rejectedDates(order)) missed[date] ??= await this.#again(agreement, date);
    return { ...agreement, missed, state: stateOf(order) };
  }

  /** A single payment for a date that was rejected. The same agreement and date are the same X-Request-ID: a crash makes no second one. */
  async #again({ order, customer, amount }: Agreement, date: string): Promise<Missed> {
    const text = { remittanceInformationUnstructured: `Fee of ${date}` };
    const { _links } = await this.#initiate(uuidOf(order + date), `/v1/payments/${product}`, customer, amount, text);
    return { payment: _links.self.href, approval: _links.scaRedirect.href, state: 'asked' };
  }

  async #follow({ customer }: Agreement, missed: Missed): Promise<Missed> {
    if (missed.state !== 'asked') return missed;
    const { transactionStatus } = await this.#read(customer, missed.payment);
    const ends: Readonly<Record<string, Missed['state']>> = { ACSC: 'paid', RJCT: 'refused', CANC: 'refused' };
    return { ...missed, state: ends[transactionStatus] ?? 'asked' };
  }

  #initiate(id: string, path: string, customer: Customer, amount: string, more: object): Promise<Initiated> {
    const debtorAccount = { bban: customer.bban, currency: 'NOK' };
    const body = { instructedAmount: { amount, currency: 'NOK' }, debtorAccount, ...creditor, ...more };
    return this.#call<Initiated>(customer, path, { 'X-Request-ID': id, 'x-accept-fix': 'status' }, body);
  }

  /**
   * The payment itself: the bank hides the status of one that is not approved yet. One bank tells it nowhere else. Once everything of it is
   * booked, it has left the payment API, unless something was rejected: it was paid.
   */
  async #read(customer: Customer, path: string): Promise<Payment> {
    try {
      const payment = await this.#call<Partial<Payment>>(customer, path);
      const { transactionStatus } =
        payment.transactionStatus === undefined ? await this.#status(customer, path) : payment;
      return { ...payment, transactionStatus: transactionStatus ?? 'RCVD' };
    } catch (error) {
      if (error instanceof BankRefusal && error.code === 'RESOURCE_UNKNOWN') return { transactionStatus: 'ACSC' };
      throw error;
    }
  }

  /** The status alone. The bank refuses it until the customer has approved. */
  async #status(customer: Customer, path: string): Promise<Partial<Payment>> {
    try {
      return await this.#call<Payment>(customer, `${path}/status`);
    } catch (error) {
      if (error instanceof BankRefusal) return {};
      throw error;
    }
  }

  /** What is no whole answer of the bank, such as the page of a gateway, is asked for again: with the same X-Request-ID it is carried out once. */
  async #call<Answer>({ ip, session, psu }: Customer, path: string, more: object = {}, body?: object): Promise<Answer> {
    const visit = { 'TPP-Redirect-URI': this.#returnTo, 'TPP-Session-ID': session, 'PSU-IP-Address': ip };
    const own = { Accept: 'application/json', 'X-PSU-IDENTITY': psu, 'PSU-Context': 'PRIVATE', ...visit };
    const headers = { 'X-Request-ID': randomUUID(), ...own, ...more };
    const json = { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' } };
    const sent = body === undefined ? { headers } : { ...json, body: JSON.stringify(body) };
    for (let tries = 0; tries < 3; tries += 1) {
      if (tries > 0) await wait(1_000);
      const answer = await this.#send(path, sent).catch(() => null);
      const said = (await answer?.json().catch(() => null)) as (Answer & Partial<Payment>) | null;
      if (answer === null || said === null) continue;
      if (answer.ok) return said;
      const [first] = said.tppMessages ?? [];
      throw new BankRefusal(first?.code ?? String(answer.status), first?.text ?? 'The bank gave no reason.');
    }
    throw new BankRefusal('NO_ANSWER', 'The bank did not answer.');
  }
}

/** The interface has the date of a rejected occurrence in the text alone. A WARNING will be tried again. */
function rejectedDates({ tppMessages = [] }: Payment): readonly string[] {
  const rejected = tppMessages.filter(({ category, code }) => category === 'ERROR' && code === 'PAYMENT_FAILED');
  return rejected.flatMap(({ text }) => /\d{4}-\d\d-\d\d/.exec(text)?.[0] ?? []);
}

/** An order whose dates were all rejected is RJCT: it has ended too. */
function stateOf({ transactionStatus }: Payment): Agreement['state'] {
  if (transactionStatus === 'CANC') return 'cancelled';
  if (transactionStatus === 'ACSC' || transactionStatus === 'RJCT') return 'ended';
  return transactionStatus === 'RCVD' ? 'waiting' : 'active';
}

/** The same UUID for the same text. */
function uuidOf(text: string): string {
  return createHash('sha256')
    .update(text)
    .digest('hex')
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5');
}
