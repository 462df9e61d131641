import type { Recorder, Answer } from '../lab/recorder.ts';
import {
  bulkItem,
  bulkPath,
  bulkPayment,
  periodicPath,
  periodicPayment,
  singlePath,
  singlePayment,
} from '../lab/bodies.ts';
import { crossBorderPayment, pathOf, sepaPayment } from '../lab/products.ts';
import type { Seeded } from '../lab/seeded.ts';
import { anyOf } from './campaign.ts';

/** People with accounts in kroner, the first of them in each fixture. The last one is in no fixture of two people. */
const people = [
  { number: '13039319955', accounts: ['09232911044', '70323119469'] },
  { number: '12085592767', accounts: ['74712699947', '24628359081'] },
  { number: '01819050062', accounts: ['34300000012'] },
] as const;
const strangers = ['90491105991', '95360573002'] as const;

/** How a reader reads: page after page by link or by offset, again each day or each week, or with the details of each transaction. */
export const patterns = ['links', 'offsets', 'daily', 'weekly', 'details'] as const;
export type Pattern = (typeof patterns)[number];

/** Sizes of a page. */
const limits = [1, 2, 3, 5, 20, 100, 200] as const;

/** What a client does in a drawn session. */
export class DriftClient {
  /** Products and ways of signing, and how often: `sepa by page`. */
  readonly signed = new Map<string, number>();
  readonly #recorder: Recorder;
  readonly #random: Seeded;
  readonly #people: readonly (typeof people)[number][];
  readonly #hasOneAccount: boolean;
  #psu: (typeof people)[number] = people[0];
  /** Headers of a read. */
  #headers: Record<string, string> = {};
  #accounts: readonly string[] = [];
  #made = 0;
  readonly #payments: { readonly path: string; readonly psu: string; readonly product: string }[] = [];

  constructor(recorder: Recorder, random: Seeded, fixtures: string) {
    this.#recorder = recorder;
    this.#random = random;
    this.#people = fixtures === 'twins' ? people.slice(0, 2) : people;
    this.#hasOneAccount = fixtures !== 'known-state';
  }

  /** Reads as the pattern says, three times, with other calls between. */
  async read(pattern: Pattern): Promise<void> {
    await this.consent();
    await this.book();
    await this.pay();
    for (let round = 0; round < 3; round += 1) {
      if (pattern === 'links' || pattern === 'daily') await this.list();
      else if (pattern === 'offsets') await this.offsets();
      else await this.details();
      await this.look();
      if (pattern === 'daily') await this.advance('P1D');
      else if (pattern === 'weekly') await this.advance('P7D');
      else await this.#random.pick([() => this.book(), () => this.pay(), () => this.advance()])();
    }
    for (let left = this.#random.below(6); left > 0; left -= 1) await this[this.#random.pick(moves)]();
  }

  async consent(): Promise<void> {
    this.#psu = this.#random.pick(this.#people);
    const asked = await this.#recorder.call('POST', '/v1/bank-offered-consents');
    const some = this.#psu.accounts.slice(0, this.#hasOneAccount ? 1 : 1 + this.#random.below(2));
    const granted = this.#random.below(3) === 0 ? undefined : some;
    const psuId = await this.#approve(asked, granted);
    this.#headers = { 'PSU-ID': psuId };
    const { accounts: found } = await this.#call('GET', '/v1/accounts');
    this.#accounts = (found ?? []).map(({ resourceId }: { readonly resourceId: string }) => resourceId);
  }

  async pay(): Promise<void> {
    this.#made += 1;
    const random = this.#random;
    const amount = `${random.pick([9, 99, 250, 30_000])}.${10 + this.#made}`;
    const debtorAccount = { bban: this.#psu.accounts[0], currency: 'NOK' };
    const changes = {
      instructedAmount: { amount, currency: 'NOK' },
      debtorAccount,
      creditorAccount: { bban: random.pick(strangers), currency: 'NOK' },
      ...(random.below(2) === 0 && { remittanceInformationUnstructured: 'Husleie' }),
    };
    const abroad = (currency: string): object => ({
      debtorAccount,
      instructedAmount: { amount: `1${amount}`, currency },
    });
    const bulk = bulkPayment([bulkItem(amount), bulkItem('5.00')], { debtorAccount });
    const [product, path, body] = random.pick([
      ['domestic', singlePath, singlePayment(changes)],
      ['domestic', singlePath, singlePayment({ ...changes, requestedExecutionDate: '2027-11-26' })],
      ['straks', pathOf('straks'), singlePayment(changes)],
      ['sepa', pathOf('sepa'), sepaPayment(abroad('EUR'))],
      ['crossBorder', pathOf('crossBorder'), crossBorderPayment(abroad('SEK'))],
      ['periodic', periodicPath, periodicPayment({ ...changes, startDate: '2027-11-01', frequency: 'Monthly' })],
      ['bulk', bulkPath, bulk],
    ]);
    const byNumber = { 'X-PSU-IDENTITY': this.#psu.number, 'PSU-Context': 'PRIVATE' };
    const named = random.below(3) === 0 && this.#headers['PSU-ID'] !== '' ? this.#headers : byNumber;
    const own = { ...named, 'x-accept-fix': 'longer-names', 'TPP-Session-ID': 'session-1' };
    const answer = await this.#recorder.call('POST', path, { headers: own, body });
    if (answer.paymentId === undefined) return;
    const made = { path: `${path}/${answer.paymentId}`, psu: this.#psu.number, product };
    this.#payments.push(made);
    if (random.below(4) > 0) await this.#sign(made, answer);
  }

  async status(): Promise<void> {
    const made = this.#anyPayment();
    if (made !== undefined) await this.#call('GET', made.path + this.#random.pick(['', '/status']), {});
  }

  async sign(): Promise<void> {
    const made = this.#anyPayment();
    if (made !== undefined) await this.#sign(made, await this.#call('POST', `${made.path}/authorisations`, {}));
  }

  async remove(): Promise<void> {
    const made = this.#anyPayment();
    const answer = made === undefined ? null : await this.#call('DELETE', made.path, {});
    if (made === undefined || answer?._links?.startAuthorisation === undefined) return;
    await this.#sign(made, await this.#call('POST', `${made.path}/cancellation-authorisations`, {}));
  }

  async list(): Promise<void> {
    const status = this.#random.pick(['both', 'booked', 'pending']);
    const from = this.#random.pick(['', '', '&dateFrom=2026-12-20', '&dateFrom=2026-11-20&dateTo=2027-01-20']);
    const list = `${this.#anyAccount()}/transactions?bookingStatus=${status}${from}`;
    await this.#recorder.pages(`${list}&limit=${this.#random.pick(limits)}`, this.#headers);
  }

  async offsets(): Promise<void> {
    const [account, limit] = [this.#anyAccount(), this.#random.pick(limits)];
    const first = this.#random.pick([0, 0, 1, 5]);
    for (let page = 0; page < 3; page += 1)
      await this.#call(
        'GET',
        `${account}/transactions?bookingStatus=booked&limit=${limit}&offset=${first + page * limit}`,
      );
  }

  /** The details of each of the first transactions, and the cards. */
  async details(): Promise<void> {
    const account = this.#anyAccount();
    const answer = await this.#call('GET', `${account}/transactions?bookingStatus=both&dateFrom=2026-12-20`);
    for (const { transactionId } of (answer.transactions?.booked ?? []).slice(0, 5))
      if (transactionId !== undefined) await this.#call('GET', `${account}/transactions/${transactionId}`);
    const { cardAccounts = [] } = await this.#call('GET', '/v1/card-accounts?withBalance=true');
    for (const { resourceId } of cardAccounts)
      await this.#call(
        'GET',
        `/v1/card-accounts/${resourceId}/transactions?bookingStatus=both&limit=${this.#random.pick(limits)}`,
      );
  }

  async look(): Promise<void> {
    const account = this.#anyAccount();
    const targets = ['/v1/accounts?withBalance=true', account, `${account}/balances`, '/v1/agreements'];
    await this.#call('GET', this.#random.pick(targets));
  }

  async book(): Promise<void> {
    const body = Array.from({ length: 1 + this.#random.below(3) }, (_, at) => ({
      ...{ amount: -10 - at, currency: 'NOK', bookingDate: `2026-12-0${1 + at}`, valueDate: '2026-12-09' },
      remittanceInformationUnstructured: this.#random.pick(['Kiosken', '12.12 Rema', 'Husleie desember']),
    }));
    const target = `${this.#anyAccount().replace('/v1/', '/v1/sandbox/')}/transactions`;
    await this.#recorder.call('POST', target, { body });
  }

  /** A call that is refused. */
  async slip(): Promise<void> {
    const [method, target, body] = this.#random.pick<readonly [method: string, target: string, body?: object]>([
      ['GET', '/v1/nothing'],
      ['PUT', '/v1/accounts'],
      ['GET', `${singlePath}/nothing`],
      ['POST', singlePath, singlePayment({ creditorName: 7 })],
      ['POST', singlePath, singlePayment({ requestedExecutionDate: '2020-01-01' })],
      ['GET', '/v1/accounts?colour=red'],
    ]);
    await this.#recorder.call(method, target, { headers: this.#headers, ...(body !== undefined && { body }) });
  }

  async advance(by?: string): Promise<void> {
    const steps = [{ by: 'PT1M' }, { runs: 1 }, { runs: 2 }, { by: 'PT5H' }, { by: 'P1D' }, { by: 'P10D' }];
    await this.#recorder.control('/clock/advance', by === undefined ? this.#random.pick(steps) : { by });
  }

  #call(method: string, target: string, headers: Record<string, string> = this.#headers): Promise<Answer> {
    return this.#recorder.call(method, target, { headers });
  }

  #anyAccount(): string {
    return `/v1/accounts/${anyOf(this.#random, this.#accounts) ?? 'nothing'}`;
  }

  /** A payment of the PSU, if there is one. */
  #anyPayment() {
    return anyOf(
      this.#random,
      this.#payments.filter((made) => made.psu === this.#psu.number),
    );
  }

  /** The PSU signs what an answer begins, mostly, and the client reads the status when the PSU comes back. */
  async #sign({ path, product }: { readonly path: string; readonly product: string }, answer: Answer): Promise<void> {
    if (this.#random.below(5) > 0) await this.#approve(answer, undefined, product);
    await this.#call('GET', `${path}/status`, {});
  }

  /** By the bank's page, or by a call of the control plane. */
  async #approve(answer: Answer, accounts?: readonly string[], what = 'consent'): Promise<string> {
    const isByPage = this.#random.below(2) === 0;
    if (answer?._links?.scaRedirect === undefined) return '';
    const key = `${what} by ${isByPage ? 'page' : 'call'}`;
    this.signed.set(key, (this.signed.get(key) ?? 0) + 1);
    return isByPage
      ? this.#recorder.approveOnPages(answer, this.#psu.number)
      : this.#recorder.approve(answer, this.#psu.number, accounts);
  }
}

/** What a client may do. Some moves are drawn more often. */
const moves = [
  ...(['pay', 'pay', 'pay', 'status', 'status', 'list', 'list', 'look', 'sign', 'remove'] as const),
  ...(['advance', 'advance', 'book', 'slip', 'consent'] as const),
] as const;
