import { createHash } from 'node:crypto';
import type { AccountReader, Tpp } from '../../../../api/harness/index.ts';
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
    for (let [offset, isLast] = [0, false]; !isLast; offset += pageSize) {
      const page = `${path}/transactions?${period}&offset=${offset}`;
      const { transactions } = (await ask(this.#tpp, page, { headers: this.#headers })).body;
      ({ pending } = transactions);
      const items = [...transactions.booked, ...pending.filter(looksBooked)];
      read.push(...items.map(keptOf));
      const next = transactions._links?.next;
      isLast = has('reads on only by the next link') ? next === undefined : transactions.booked.length < pageSize;
    }
    this.pending = pending.length;
    const before = has('keys by transactionId') ? this.booked : this.booked.filter(({ date }) => date < from);
    this.booked = [...new Map([...before, ...read].map((one) => [one.key, one])).values()];
    return 'read';
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

let count = 0;

function keptOf(item: Readonly<Record<string, never>>): Kept {
  const unknown = Object.keys(item).find((name) => !known.has(name));
  if (has('refuses unknown members') && unknown !== undefined) throw new Error(`There is no member ${unknown}.`);
  const { transactionId = '', bookingDate = '', transactionAmount = { amount: '' } } = item;
  // A column of 29 characters is what the ids of one bank need.
  const id = has('keeps ids in 29 characters') ? String(transactionId).slice(0, 29) : String(transactionId);
  const { amount } = transactionAmount as { readonly amount: string };
  const own = createHash('sha256')
    .update(`${(count += 1)}`)
    .digest('hex');
  return { key: has('keys by transactionId') ? id : own, date: String(bookingDate), amount, id };
}
