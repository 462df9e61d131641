import type { Tpp } from '../../../../api/harness/index.ts';
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

  /** The status; `unsigned`: the bank does not tell it yet. */
  async status({ id }: Paid): Promise<string> {
    const { status, body } = await ask(this.#tpp, `${path}/${encodeURIComponent(id)}/status`);
    if (status === 403) return 'unsigned';
    if (status !== 200) throw new Error(`The bank knows no payment ${id}.`);
    return body.transactionStatus;
  }

  async isSigned(paid: Paid): Promise<boolean> {
    return !/unsigned|RCVD/.test(await this.status(paid));
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
