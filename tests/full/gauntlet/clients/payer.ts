import type { Tpp } from 'sandbank';
import { ask, has } from './asking.ts';

const path = '/v1/payments/norwegian-domestic-credit-transfers';

interface Order {
  readonly psu: string;
  readonly from: string;
  readonly to: string;
  readonly amount: string;
  /** Left out: today. */
  readonly on?: string;
}

export interface Paid {
  /** As the client keeps it. */
  readonly id: string;
  /** Where the customer signs. */
  readonly page: string;
  /** What the customer is told. */
  readonly warning: string;
}

/** A client that pays. */
export class Payer {
  readonly #tpp: Tpp;
  readonly #base: string;
  #polls = 0;

  constructor(tpp: Tpp, base: string) {
    this.#tpp = tpp;
    this.#base = base;
  }

  async pay({ psu, from, to, amount, on }: Order): Promise<Paid> {
    const account = (bban: string) => ({ bban, currency: 'NOK' });
    const { status, body } = await ask(this.#tpp, path, {
      method: 'POST',
      headers: { 'X-PSU-IDENTITY': psu, 'PSU-Context': 'PRIVATE' },
      body: {
        instructedAmount: { amount, currency: 'NOK' },
        debtorAccount: account(from),
        creditorAccount: account(to),
        creditorName: 'Shop',
        ...(on !== undefined && { requestedExecutionDate: on }),
      },
    });
    if (status !== 201) throw new Error(`The bank refuses: ${body.tppMessages[0].code}`);
    const { paymentId, _links: links, transactionFeeIndicator: hasFee, transactionFees: fee } = body;
    const page = new URL(links.scaRedirect.href);
    const isDear = has('warns of a fee of zero') ? hasFee === true : Number(fee?.amount ?? 0) > 0;
    return {
      id: has('keeps the ids of payments in 49 characters') ? paymentId.slice(0, 49) : paymentId,
      page: has('takes the id of an SCA from its path')
        ? `${this.#base}/sca/${page.pathname.split('/').at(-1)}`
        : page.href,
      warning: isDear ? 'This payment costs a fee.' : '',
    };
  }

  /** Begins another authorisation of a payment. Returns its page. */
  async authorise({ id }: Paid): Promise<string> {
    const { body } = await ask(this.#tpp, `${path}/${encodeURIComponent(id)}`);
    const { startAuthorisation, startAuthorization } = body._links;
    const { href } = has('knows one spelling') ? startAuthorisation : (startAuthorisation ?? startAuthorization);
    return (await ask(this.#tpp, href, { method: 'POST' })).body._links.scaRedirect.href;
  }

  /** What the customer is told of a payment that is signed. */
  async told(paid: Paid): Promise<'paid' | 'refused' | 'on its way'> {
    const status = await this.status(paid);
    if (/^(?:RJCT|CANC)$/.test(status)) return 'refused';
    if (status === 'ACCP' && has('takes ACCP for a refusal')) return 'refused';
    // A signed payment that the bank no longer tells is booked, and has left the payment API.
    return /^(?:ACSC|untold)$/.test(status) ? 'paid' : 'on its way';
  }

  /** The day of the customer at this time of the bank. */
  today(now: string): string {
    return has('takes the day of UTC') ? new Date(now).toISOString().slice(0, 10) : now.slice(0, 10);
  }

  /** The day after it. */
  tomorrow(now: string): string {
    const day = 86_400_000;
    if (!has('takes a day for 24 hours'))
      return new Date(Date.parse(now.slice(0, 10)) + day).toISOString().slice(0, 10);
    return new Date(Date.parse(now) + day).toLocaleDateString('sv-SE', { timeZone: 'Europe/Oslo' });
  }

  /** The status; `untold`: the bank does not tell it yet, or no longer. */
  async status({ id }: Paid): Promise<string> {
    const most = has('gives up when a poll fails') && (this.#polls += 1) > 1 ? 1 : 3;
    const { status, body } = await ask(this.#tpp, `${path}/${encodeURIComponent(id)}/status`, {}, { most });
    if (status === 403) return 'untold';
    if (status !== 200) throw new Error(`The bank knows no payment ${id}.`);
    const known = ['RCVD', 'PATC', 'PDNG', 'ACSP', 'ACCP', 'ACSC', 'RJCT', 'CANC'];
    if (has('has a closed list of statuses') && !known.includes(body.transactionStatus))
      throw new Error(`There is no status ${body.transactionStatus}.`);
    return body.transactionStatus;
  }

  async isSigned(paid: Paid): Promise<boolean> {
    return !/untold|RCVD/.test(await this.status(paid));
  }

  /** Polls until the payment reads signed, a few times. `pause`: lets time pass. */
  async waitUntilSigned(paid: Paid, pause: () => Promise<unknown>): Promise<boolean> {
    const most = has('polls the status once') ? 1 : 8;
    for (let polls = 0; polls < most; polls += 1) {
      if (polls > 0) await pause();
      if (await this.isSigned(paid)) return true;
    }
    return false;
  }

  /** Whether a payment that has settled, and so left the payment API, is paid for good. `credits`: the amounts that its account got since. */
  isPaid({ amount }: Order, credits: readonly string[]): boolean {
    return has('takes ACSC for the end') || !credits.includes(amount);
  }

  /** After how many days a payment that has not settled is given up. */
  get patienceDays(): number {
    return has('takes a payment for lost after five days') ? 5 : 12;
  }
}
