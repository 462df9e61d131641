import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Bank, SendOptions, Tpp } from 'sandbank';
import { has } from './asking.ts';

/* A web shop that pays and keeps books. Each of its mistakes shows only where two things come together. */

const path = '/v1/payments/norwegian-domestic-credit-transfers';

interface Answer {
  readonly status: number;
  // A client reads JSON whose type it does not know.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
  /** How often the call was sent. */
  readonly tries: number;
}

interface Order {
  readonly from: string;
  readonly to: string;
  readonly amount: string;
  readonly on?: string;
  readonly kid?: string;
}

interface Kept {
  readonly id: string | undefined;
  readonly amount: string;
  /** From the oldest, 1. */
  readonly place: number;
  readonly content: string;
}

export interface Paid {
  readonly id: string;
  readonly page: string;
  /** Whether the first answer was lost. */
  readonly wasLost: boolean;
}

const mostTries = 3;

export class Shop {
  readonly #bank: Bank;
  readonly #tpp: Tpp;
  readonly #psu: string;
  /** How many SCAs it took. */
  #scas = 0;
  #lastStatus = '';

  constructor(bank: Bank, psu: string) {
    this.#bank = bank;
    this.#tpp = bank.tpp({ name: 'shop' });
    this.#psu = psu;
  }

  /** Sends a call until the bank itself answers, with the same X-Request-ID. */
  async #ask(
    target: string,
    {
      most = mostTries,
      idOf,
      ...sent
    }: SendOptions & { readonly most?: number; readonly idOf?: () => Promise<string> } = {},
  ): Promise<Answer> {
    const fixed = randomUUID();
    for (let tries = 1; ; tries += 1) {
      try {
        const headers = { ...sent.headers, 'x-request-id': (await idOf?.()) ?? fixed };
        const answer = await this.#tpp.fetch(target, { ...sent, headers });
        const text = await answer.text();
        const isJson = /^application\/json/i.test(answer.headers.get('content-type') ?? '');
        if (text !== '' && !isJson && answer.status !== 404) throw new Error(`${answer.status} of a gateway`);
        return { status: answer.status, body: isJson && text !== '' ? JSON.parse(text) : null, tries };
      } catch (error) {
        if (tries >= most) throw error;
        // Time passes in the bank too, before it asks what became of a lost order. The day of one that was refused is still today.
        const isPatient = has('waits after 429 with the day of before') && String(error).includes('429');
        const isLost = sent.method === 'POST' && !String(error).includes('gateway');
        if (isLost || isPatient) await this.#bank.clock.advance('PT40S');
        await wait(5);
      }
    }
  }

  async pay({ from, to, amount, on, kid }: Order): Promise<Paid> {
    const account = (bban: string) => ({ bban, currency: 'NOK' });
    const reference =
      kid === undefined ? {} : { remittanceInformationStructuredArray: [{ reference: kid, referenceType: 'SCOR' }] };
    const body = {
      instructedAmount: { amount, currency: 'NOK' },
      debtorAccount: account(from),
      creditorAccount: account(to),
      creditorName: 'Shop',
      ...reference,
    };
    const day = async (): Promise<string> => (await this.#bank.clock.now()).slice(0, 10);
    const own = randomUUID();
    const first = await day();
    // A number for each order and day.
    const idOf = async (): Promise<string> =>
      has('has a request id for each day') && (await day()) !== first
        ? `${own.slice(0, -1)}${own.endsWith('0') ? 1 : 0}`
        : own;
    const headers = { 'X-PSU-IDENTITY': this.#psu, 'PSU-Context': 'PRIVATE' };
    const dated = on === undefined ? body : { ...body, requestedExecutionDate: on };
    const isHasty = has('takes the day of UTC when it pays again');
    let answer = await this.#ask(path, {
      method: 'POST',
      headers,
      body: dated,
      idOf,
      most: isHasty ? 1 : mostTries,
    }).catch(() => null);
    if (answer === null && isHasty) {
      const requestedExecutionDate = new Date(await this.#bank.clock.now()).toISOString().slice(0, 10);
      answer = {
        ...(await this.#ask(path, { method: 'POST', headers, body: { ...body, requestedExecutionDate }, idOf })),
        tries: 2,
      };
    }
    if (answer?.status !== 201) throw new Error(`The bank refuses: ${JSON.stringify(answer?.body)}`);
    const wasLost = answer.tries > 1;
    const { paymentId, _links: links } = answer.body;
    const id = wasLost && has('keeps short ids of lost payments') ? paymentId.slice(0, 49) : paymentId;
    return { id, page: links.scaRedirect.href, wasLost };
  }

  /** Has the PSU sign, again after an SCA that failed. */
  async sign(paid: Paid): Promise<void> {
    for (let page = paid.page; this.#scas < 3;) {
      this.#scas += 1;
      const shown = has('rebuilds the second address') && this.#scas > 1 ? page.replace(/\?.*/, '') : page;
      const redirect = await this.#bank.psu(this.#psu).approve(shown);
      if (redirect.searchParams.get('code') === null) return;
      const most = has('begins an authorisation once') ? 1 : mostTries;
      const { body } = await this.#ask(`${path}/${encodeURIComponent(paid.id)}/authorisations`, {
        method: 'POST',
        most,
      });
      page = body._links.scaRedirect.href;
    }
  }

  /** The status; `gone`: it is booked, and has left the payment API. */
  async status({ id }: Paid): Promise<string> {
    const { status, body, tries } = await this.#ask(`${path}/${encodeURIComponent(id)}/status`);
    const code = status === 200 ? '' : String(body?.tppMessages[0].code ?? status);
    if (status === 403 && code !== 'RESOURCE_UNKNOWN') return 'RCVD';
    // What was signed and is booked has left the payment API.
    if (status !== 200 && this.#lastStatus !== '' && this.#lastStatus !== 'RCVD') return 'gone';
    if (status !== 200) throw new Error(`The bank knows no such payment: ${code}`);
    if (tries > 1 && has('trusts the poll after a failed one') && body.transactionStatus === 'RCVD')
      throw new Error('The payment was not signed.');
    this.#lastStatus = body.transactionStatus;
    return body.transactionStatus;
  }

  /** Polls until the payment reads signed. */
  async waitUntilSigned(paid: Paid): Promise<boolean> {
    const most = has('polls once after a lost answer') && paid.wasLost ? 1 : 8;
    for (let polls = 0; polls < most; polls += 1) {
      if (polls > 0) await this.#bank.clock.advance('PT20S');
      const before = this.#lastStatus;
      const status = await this.status(paid);
      if (before === 'RCVD' && status === 'ACSC' && has('has a strict table of statuses'))
        throw new Error('ACSC cannot follow RCVD.');
      if (status !== 'RCVD') return true;
    }
    return false;
  }

  /** Follows a payment run after run. */
  async outcome(paid: Paid): Promise<'paid' | 'refused' | 'unknown'> {
    let sawUnsigned = false;
    for (let runs = 0; runs < 12; runs += 1) {
      const status = await this.status(paid);
      if (status === 'RCVD') sawUnsigned = true;
      if (/^(?:RJCT|CANC)$/.test(status)) return 'refused';
      const isWary =
        (has('doubts after a second SCA') && this.#scas > 1) || (has('doubts after a late status') && sawUnsigned);
      if (status === 'ACCP' && isWary) return 'refused';
      if (status === 'ACSC' || status === 'gone') return 'paid';
      await this.#bank.clock.advance({ runs: 1 });
    }
    return 'unknown';
  }

  /** Looks at a payment once on each weekday. Returns whether it was settled in time. */
  async settles(paid: Paid): Promise<boolean> {
    const most = has('counts five weekdays') ? 5 : 20;
    for (let polls = 0; polls < most;) {
      const status = await this.status(paid);
      if (status === 'ACSC' || status === 'gone') return true;
      const day = new Date(`${(await this.#bank.clock.now()).slice(0, 10)}T12:00:00Z`).getUTCDay();
      if (day > 0 && day < 6) polls += 1;
      await this.#bank.clock.advance(status === 'RCVD' ? 'PT40S' : 'P1D');
    }
    return false;
  }
}

/** The books of an account. */
export class Books {
  readonly #ask: (target: string) => Promise<Answer>;
  #kept: readonly Kept[] = [];

  constructor(tpp: Tpp, headers: Readonly<Record<string, string>>) {
    this.#ask = async (target) => {
      for (let tries = 1; ; tries += 1) {
        const answer = await tpp.fetch(target, { headers }).catch(() => null);
        const text = await answer?.text().catch(() => null);
        if (answer?.status === 200 && text?.startsWith('{')) return { status: 200, body: JSON.parse(text), tries };
        if (tries === mostTries) throw new Error(`The bank does not answer: ${answer?.status}`);
      }
    };
  }

  /** How much left the account, in entries. */
  get purchases(): number {
    return this.#kept.filter(({ amount }) => amount.startsWith('-')).length;
  }

  async import(bban: string): Promise<void> {
    const limit = 50;
    const { body, tries } = await this.#ask('/v1/accounts');
    const known = [
      'resourceId',
      'bban',
      'iban',
      'bic',
      'currency',
      'name',
      'product',
      'cashAccountType',
      'status',
      'ownerName',
      'usage',
      '_links',
    ];
    if (tries > 1 && has('reads strictly when it asks again'))
      for (const name of Object.keys(body.accounts[0])) if (!known.includes(name)) known.push(refused(name));
    const { resourceId } = body.accounts.find((one: { readonly bban: string }) => one.bban === bban);
    const list = `/v1/accounts/${encodeURIComponent(resourceId)}/transactions?bookingStatus=both&limit=${limit}&dateFrom=2027-04-01`;
    // oxlint-disable-next-line typescript/no-explicit-any
    const pages: any[][] = [];
    for (let [offset, next, isLast] = [0, '', false]; !isLast;) {
      const answer = await this.#ask(next === '' ? `${list}&offset=${offset}` : next);
      const { transactions } = answer.body;
      const { booked, pending = [], _links: links } = transactions;
      const isFurther = pages.length > 0 && booked.length > 0;
      const early = isFurther && has('takes what has a date for booked on further pages') ? pending : [];
      pages.push([...booked, ...early.filter((item: object) => 'bookingDate' in item)]);
      offset += answer.tries > 1 && isFurther && has('counts whole pages after a failure') ? limit : booked.length;
      next = links?.next === undefined ? '' : links.next.href;
      if (answer.tries > 1 && isFurther && has('counts whole pages after a failure')) next = '';
      isLast =
        booked.length === 0 || (has('reads on by the length without a link') && next === '' && booked.length < limit);
    }
    this.#keep(pages);
  }

  // oxlint-disable-next-line typescript/no-explicit-any
  #keep(pages: readonly any[][]): void {
    const all = pages.flat();
    const read = all.map((item, at): Kept => {
      const { transactionId: id, transactionAmount, bookingDate, remittanceInformationUnstructured: text = '' } = item;
      const { amount } = transactionAmount;
      return { id, amount, place: all.length - at, content: `${bookingDate} ${amount} ${text}` };
    });
    const onFirst = pages[0]?.length ?? 0;
    const isKnown = (item: Kept, at: number): boolean => {
      if (has('knows an entry by its id or its text'))
        return this.#kept.some(({ id, content }) => id === item.id || content === item.content);
      if (item.id === undefined) return this.#kept.some(({ place }) => place === item.place);
      return this.#kept.some(({ id, content }) => id === item.id || (at < onFirst && content === item.content));
    };
    const hasNoIds = read.some(({ id }) => id === undefined);
    const isLoose =
      has('knows an entry by its id or its text') ||
      has(hasNoIds ? 'knows what has no id by its place' : 'knows what is on page one by its content');
    // A careful book replaces what it reads again.
    this.#kept = isLoose ? [...this.#kept, ...read.filter((item, at) => !isKnown(item, at))] : read;
  }
}

function refused(name: string): never {
  throw new Error(`There is no member ${name}.`);
}

/** Connects a customer: gets a consent, again after an SCA that failed, and reads the accounts. Returns how many there are. */
export async function connect(bank: Bank, psu: string): Promise<number> {
  const tpp = bank.tpp({ name: 'shop' });
  let sent = 0;
  let isSigned = false;
  const ask = async (target: string, options: SendOptions, most = mostTries): Promise<Answer> => {
    const headers = { ...options.headers, 'x-request-id': randomUUID() };
    for (let tries = 1; ; tries += 1) {
      sent += 1;
      const answer = await tpp.fetch(target, { ...options, headers }).catch(() => null);
      const text = await answer?.text().catch(() => null);
      const isForged = isSigned && answer !== null && !answer.headers.has('digest');
      isSigned ||= answer?.headers.has('digest') === true;
      if (isForged && has('takes an unsigned page for a forgery')) throw new Error('The answer is forged.');
      if (answer !== null && text?.startsWith('{')) return { status: answer.status, body: JSON.parse(text), tries };
      if (tries >= most) throw new Error(`The bank does not answer: ${answer?.status}`);
    }
  };
  for (let scas = 1; scas <= 3; scas += 1) {
    const { body, tries } = await ask('/v1/bank-offered-consents', { method: 'POST' });
    const redirect = await bank.psu(psu).approve(body._links.scaRedirect.href);
    if (redirect.searchParams.get('code') !== null) {
      if (tries > 1 && has('asks for a consent once after a lost answer')) throw new Error('There is no consent.');
      continue;
    }
    const headers = { 'PSU-ID': redirect.searchParams.get('psu-id') ?? '', 'PSU-Context': 'PRIVATE' };
    const most = scas > 1 && has('reads once after a second SCA') ? 1 : mostTries;
    const { body: read } = await ask('/v1/accounts', { headers }, most);
    if (sent > 100) throw new Error('It never ends.');
    return read.accounts.length;
  }
  return 0;
}
