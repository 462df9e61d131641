import { createHash } from 'node:crypto';
import type { AccountReader, Tpp } from 'sandbank';
import { ask, has } from './asking.ts';

interface Kept {
  readonly key: string;
  readonly date: string;
  readonly amount: string;
  readonly id: string;
}

const pageSize = 5;

/** Members of a booked transaction that this client knows. */
const known = new Set([
  ...[
    'transactionId',
    'bookingDate',
    'valueDate',
    'transactionAmount',
    'creditorName',
    'creditorAccount',
    'debtorName',
  ],
  ...['debtorAccount', 'remittanceInformationUnstructured', 'entryReference', 'additionalInformation'],
]);

/** A client that keeps the books of one account. A book replaces the days that it reads again. */
export class Reader {
  readonly #tpp: Tpp;
  readonly #headers: AccountReader['headers'];
  booked: readonly Kept[] = [];
  pending = 0;

  constructor(tpp: Tpp, headers: AccountReader['headers']) {
    this.#tpp = tpp;
    this.#headers = headers;
  }

  /** The path of the account with this number. */
  async account(bban: string): Promise<string> {
    const { body } = await ask(this.#tpp, '/v1/accounts', { headers: this.#headers });
    const { resourceId } = body.accounts.find((one: { readonly bban: string }) => one.bban === bban);
    return `/v1/accounts/${encodeURIComponent(resourceId)}`;
  }

  /** Reads what was booked from this day on. `consent`: the customer must consent again. `gone`: the bank has left. */
  async import(bban: string, from: string): Promise<'read' | 'consent' | 'gone'> {
    const { status, body: first } = await ask(this.#tpp, '/v1/accounts', { headers: this.#headers });
    if (status === 404) return 'gone';
    if (status !== 200 && has('takes each consent for 180 days') && first.tppMessages[0].code === 'CONSENT_EXPIRED')
      throw new Error('The consent ends after 180 days.');
    const refused = has('takes 401 alone for the end of a consent') ? [401] : [401, 403];
    if (refused.includes(status)) return 'consent';
    if (status !== 200) throw new Error(`The bank refuses: ${first.tppMessages[0].code}`);
    const path = await this.account(bban);
    const read: Kept[] = [];
    let pending: unknown[] = [];
    const period = `bookingStatus=both&limit=${pageSize}&dateFrom=${from}`;
    for (let [offset, isLast] = [0, false]; !isLast;) {
      const page = `${path}/transactions?${period}&offset=${offset}`;
      const isLoose = offset > 0 && has('keeps half when a page fails');
      const answer = await ask(this.#tpp, page, { headers: this.#headers }, { most: isLoose ? 1 : 3 }).catch(
        (error: unknown) => {
          if (isLoose) return null;
          throw error;
        },
      );
      if (answer === null) break;
      const { transactions } = answer.body;
      ({ pending } = transactions);
      const items = [...transactions.booked, ...pending.filter(looksBooked)];
      read.push(...items.map(keptOf));
      const next = transactions._links?.next;
      const { length } = transactions.booked;
      isLast = has('takes a short page for the last') ? length < pageSize : length === 0;
      if (has('reads on only by the next link')) isLast = next === undefined;
      offset += has('counts pages') ? pageSize : length;
    }
    this.pending = pending.length;
    const before = has('keys by transactionId') ? this.booked : this.booked.filter(({ date }) => date < from);
    this.booked = [...new Map([...before, ...read].map((one) => [one.key, one])).values()];
    return 'read';
  }

  /** The day from which to read again. A booking may come late: a careful client reads some days twice. */
  get since(): string {
    const days = this.booked.map(({ date }) => date).toSorted();
    if (has('reads on from its last day')) return days.at(-1) ?? '2027-04-01';
    return '2027-04-01';
  }

  /** The sum of all that was booked, in øre. */
  get sum(): number {
    return this.booked.reduce((sum, { amount }) => sum + oreOf(amount), 0);
  }

  /** The details of a kept transaction. */
  async details(bban: string, { id }: Kept): Promise<number> {
    const path = `${await this.account(bban)}/transactions/${encodeURIComponent(id)}`;
    return (await ask(this.#tpp, path, { headers: this.#headers })).status;
  }
}

function looksBooked(item: unknown): boolean {
  return has('takes what has a booking date for booked') && Object.hasOwn(Object(item), 'bookingDate');
}

/** An amount in øre. */
function oreOf(amount: string): number {
  if (has('reckons in floating point')) return Math.floor(Number(amount) * 100);
  if (has('reckons in kroner')) return 100 * Number.parseInt(amount, 10);
  return Number(amount.replace('.', ''));
}

let count = 0;

function keptOf(item: Readonly<Record<string, never>>): Kept {
  const unknown = Object.keys(item).find((name) => !known.has(name));
  if (has('refuses unknown members') && unknown !== undefined) throw new Error(`There is no member ${unknown}.`);
  const { transactionId = '', bookingDate: booked = '', valueDate = '', transactionAmount = { amount: '' } } = item;
  const bookingDate = has('files by the value date') ? valueDate : booked;
  // A column of 29 characters is what the ids of one bank need.
  const id = has('keeps ids in 29 characters') ? String(transactionId).slice(0, 29) : String(transactionId);
  const { amount } = transactionAmount as { readonly amount: string };
  const own = createHash('sha256')
    .update(`${(count += 1)}`)
    .digest('hex');
  return { key: has('keys by transactionId') ? id : own, date: String(bookingDate), amount, id };
}
