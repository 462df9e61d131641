import type { Quirks } from '../../engine/bank/rules/quirk.ts';
import { isCurrency } from '../../engine/values/money.ts';
import { unescaped } from '../../engine/values/text.ts';
import { defaultLimit, maxLimit } from '../../api/interface/accounts/account-request.ts';
import type { DifferenceKind, Findings } from './difference.ts';
import { type Exchange, pathAndQueryOf, itemsOf, linksOf, listOf, type Members, membersOf } from './exchange.ts';
import { isSameValue } from './forms.ts';
import { changingMembers, tellKept, tellOrder, tellPosted } from './kept.ts';
import type { Case, Memory } from './memory.ts';

/** How close two reads are of which the second shows the same list, in ms. */
const atOnceMs = 60_000;

/** One page of a list of transactions. */
export class ListRead {
  readonly #exchange: Exchange;
  readonly #memory: Memory;
  readonly #quirks: Quirks;
  readonly #found: Findings;
  /** The id of the account. */
  readonly #id: string;
  readonly #query: URLSearchParams;
  readonly #page: Members;
  readonly #list: string;
  readonly #idName: string;
  /** Maximum number of booked transactions of the page. */
  readonly #limit: number;
  readonly #booked: readonly Members[];
  /** Of booked transactions; empty: it has none. */
  readonly #ids: readonly string[];
  readonly #dates: readonly unknown[];
  /** Each booking date is at most the one before it. */
  readonly #isFalling: boolean;
  readonly #links: Members;

  constructor({ exchange, memory, quirks, found }: Case, id: string) {
    this.#exchange = exchange;
    this.#memory = memory;
    this.#quirks = quirks;
    this.#found = found;
    this.#id = id;
    this.#query = pathAndQueryOf(exchange.target)[1];
    const isCard = exchange.endpoint?.startsWith('/card') === true;
    this.#list = isCard ? 'cardTransactions' : 'transactions';
    this.#idName = isCard ? 'cardTransactionId' : 'transactionId';
    this.#limit = Math.min(Number(this.#query.get('limit') ?? defaultLimit), quirks.get('limit-cap') ?? maxLimit);
    this.#page = membersOf(membersOf(exchange.answer)[this.#list]);
    this.#booked = listOf(this.#page, 'booked').map(membersOf);
    this.#ids = this.#booked.map((item) => String(item[this.#idName] ?? ''));
    this.#dates = this.#booked.map(({ bookingDate }) => bookingDate);
    const dates = this.#dates.filter(isDated);
    this.#isFalling = dates.every((date, at) => at === 0 || date <= String(dates[at - 1]));
    this.#links = linksOf(this.#page);
  }

  /** Tells how the page differs from what the sandbox would have. `known`: its account, as it was read last. */
  check(known: Members | undefined): void {
    this.#lists();
    // A repeated page has the links of the first one, and they are no differences of their own.
    if (!this.#pages()) this.#checkLinks();
    this.#order();
    for (const name of ['booked', 'pending'])
      for (const item of listOf(this.#page, name)) this.#item(membersOf(item), `${this.#list}.${name}[]`, known);
    this.#kept();
    this.#asPosted();
  }

  #tell(kind: DifferenceKind, path: string, recorded: unknown, expected?: unknown): void {
    this.#found.tell(kind, `${this.#list}.${path}`, recorded, expected);
  }

  #lists(): void {
    const status = this.#query.get('bookingStatus') ?? 'both';
    for (const name of ['booked', 'pending']) {
      const [shown, isWanted] = [this.#page[name], status === 'both' || status === name];
      if (isWanted && shown === undefined)
        this.#tell('absent', name, null, `a list, as bookingStatus=${status} asks for it`);
      if (!isWanted && shown !== undefined) this.#tell('extra', name, shown);
    }
    if (this.#booked.length > this.#limit)
      this.#tell('extra', 'booked[]', this.#booked[this.#limit], `${this.#limit} items, as limit asks for them`);
  }

  #checkLinks(): void {
    const { previous, next } = this.#links;
    const isFirst = !this.#query.has('cursor') && (this.#query.get('offset') ?? '0') === '0';
    if (isFirst && previous !== undefined) this.#tell('link', '_links.previous', previous);
    if (!isFirst && previous === undefined && this.#booked.length > 0)
      this.#tell('link', '_links.previous', null, 'a link');
    const isLast = this.#page['booked'] !== undefined && this.#booked.length < this.#limit;
    if (next !== undefined && (isLast || this.#quirks.has('no-next-link'))) this.#tell('link', '_links.next', next);
    for (const name of Object.keys(this.#links)) this.#checkLink(name);
  }

  /** A link leads to the same list, asks for what the request asked for, and has no other parameters. */
  #checkLink(name: string): void {
    const { href, verbs } = membersOf(this.#links[name]);
    if (typeof href !== 'string') return;
    const [path] = pathAndQueryOf(this.#exchange.target);
    const [own, asked] = pathAndQueryOf(href);
    const wanted = new URLSearchParams(this.#query);
    if (wanted.has('limit')) wanted.set('limit', String(this.#limit));
    const place = name !== 'self' || wanted.has('cursor') ? 'cursor' : 'offset';
    const names = ['bookingStatus', 'dateFrom', 'limit', place, ...(wanted.has('dateTo') ? ['dateTo'] : [])];
    const same = ['bookingStatus', 'dateFrom', 'dateTo'];
    if (name !== 'previous') same.push('limit');
    if (name === 'self') same.push(place);
    const valueIn = (query: URLSearchParams, one: string): string => unescaped(query.get(one) ?? '');
    const isAsAsked = same.every((one) => !wanted.has(one) || valueIn(asked, one) === valueIn(wanted, one));
    // A list keeps the last day that it began with.
    const isNamed =
      names.every((one) => asked.has(one)) && [...asked.keys()].every((one) => [...names, 'dateTo'].includes(one));
    if (unescaped(own) !== unescaped(path) || !isNamed || !isAsAsked)
      this.#tell('link', `_links.${name}.href`, href, `${path} with ${names.join(', ')}`);
    if (Array.isArray(verbs) && verbs.join() !== 'GET') this.#tell('verbs', `_links.${name}.verbs`, verbs, ['GET']);
  }

  /** Booking dates are in the period that was asked for, the latest first. */
  #order(): void {
    const [from, to] = [this.#query.get('dateFrom') ?? '', this.#query.get('dateTo') ?? '9999'];
    for (const date of this.#dates)
      if (isDated(date) && (date < from || date > to))
        this.#tell('value', 'booked[].bookingDate', date, `${from} to ${to}`);
    const ids = this.#ids.filter((id) => id !== '');
    if (this.#isFalling || this.#quirks.has('order'))
      tellOrder(ids, this.#id, `${this.#list}.booked[]`, this.#memory, this.#found);
    else this.#tell('order', 'booked[]', this.#dates, this.#dates.toSorted().toReversed());
  }

  /** One text is its own list; an account that is named has its IBAN beside its BBAN; amounts have the currency of the account. */
  #item(item: Members, path: string, known: Members | undefined): void {
    const { remittanceInformationUnstructured: text, remittanceInformationUnstructuredArray: texts } = item;
    const { amount, currency: own } = membersOf(item['transactionAmount']);
    const tell = (kind: 'absent' | 'value', name: string, recorded: unknown, expected: unknown): void =>
      this.#found.tell(kind, `${path}.${name}`, recorded, expected);
    if (typeof text === 'string' && texts === undefined)
      tell('absent', 'remittanceInformationUnstructuredArray', null, [text]);
    else if (text === undefined && texts !== undefined)
      tell('absent', 'remittanceInformationUnstructured', null, itemsOf(texts)[0] ?? '');
    else if (Array.isArray(texts) && typeof text === 'string' && texts[0] !== text)
      tell('value', 'remittanceInformationUnstructuredArray[]', texts[0], text);
    const paid = this.#memory.paid.get(`${String(amount)} ${String(item['creditorName'])}`);
    const isBare = this.#quirks.has('pending-members') || this.#quirks.has('counterparty');
    if (paid !== undefined && !isBare && item['creditorAccount'] === undefined)
      tell('absent', 'creditorAccount', null, paid);
    const { currency } = known ?? {};
    const isKnown = typeof currency === 'string' && isCurrency(currency) && typeof own === 'string';
    if (isKnown && own !== currency && !this.#quirks.has('accept-fix-dates'))
      tell('value', 'transactionAmount.currency', own, currency);
    for (const name of ['creditorAccount', 'debtorAccount']) {
      const { bban, iban } = membersOf(item[name]);
      if (typeof iban !== 'string' || !/^NO\d{13}$/.test(iban)) continue;
      if (typeof bban === 'string' && iban.slice(4) !== bban) tell('value', `${name}.iban`, iban, bban);
      if (bban === undefined) tell('absent', `${name}.bban`, null, iban.slice(4));
    }
  }

  /** What a page repeats of an earlier page of its list, and a cursor that no answer gave. Returns whether it repeats all that it has. */
  #pages(): boolean {
    const { cursors, lastPage } = this.#memory;
    const cursor = this.#query.get('cursor');
    const mayLackNext = this.#quirks.has('no-next-link');
    if (cursor !== null && !cursors.has(cursor) && lastPage === this.#id && !mayLackNext)
      this.#tell('link', '_links.next', null, 'the link to this page, on the page before it');
    const isFull = this.#booked.length > 0 && this.#booked.length === this.#limit;
    this.#memory.lastPage = isFull && this.#links['next'] === undefined ? this.#id : null;
    const earlier = cursor === null ? [] : (cursors.get(cursor) ?? []);
    const twice = this.#ids.filter((one) => one !== '' && earlier.some(({ ids }) => ids.includes(one))).length;
    const all = this.#ids.length;
    if (twice > 0) this.#tell('page', 'booked[]', `${twice} of ${all} transactions are on an earlier page`, 'others');
    const [first] = this.#dates;
    const before = earlier.at(-1)?.lastDate ?? '';
    const isLater = before !== '' && typeof first === 'string' && first > before;
    if (twice === 0 && isLater && !this.#quirks.has('order'))
      this.#tell('order', 'booked[]', first, `${before} or earlier`);
    const { href } = membersOf(this.#links['next']);
    const following = typeof href === 'string' ? pathAndQueryOf(href)[1].get('cursor') : null;
    const isRepeated = twice > 0 && twice === all;
    if (following !== null && following !== cursor)
      cursors.set(following, [...earlier, { ids: this.#ids, lastDate: String(this.#dates.at(-1) ?? '') }]);
    if (following !== null && following === cursor && !isRepeated)
      this.#tell('page', '_links.next', href, 'a cursor that reads on');
    if (cursor === null) this.#offsets();
    return isRepeated;
  }

  /** A list that is read by offsets: a page with a further one behind it links to it, and two pages differ. */
  #offsets(): void {
    const offset = this.#query.get('offset') ?? '0';
    const others = new URLSearchParams(this.#query);
    others.delete('offset');
    const key = `${this.#id} ${others}`;
    const before = this.#memory.offsets.get(key);
    const ids = this.#ids;
    this.#memory.offsets.set(key, { ids, at: this.#exchange.at, offset, isLast: this.#links['next'] === undefined });
    if (before === undefined || this.#exchange.at - before.at >= atOnceMs) return;
    const isFurther = ids.length > 0 && Number(offset) >= Number(before.offset) + before.ids.length;
    if (isFurther && before.isLast && before.ids.length > 0 && !this.#quirks.has('no-next-link'))
      this.#tell('link', '_links.next', null, 'a link to what the next page has');
    const isSame = ids.length > 1 && !ids.includes('') && before.ids.join(' ') === ids.join(' ');
    if (isSame && before.offset !== offset)
      this.#tell('page', 'booked[]', 'all transactions are on an earlier page', 'others');
  }

  /** A booked transaction never changes and does not go. */
  #kept(): void {
    const known = this.#memory.transactions.get(this.#id) ?? new Map<string, Members>();
    this.#memory.transactions.set(this.#id, known);
    const own = new Map(this.#booked.map((item, at) => [this.#ids[at] ?? '', item]));
    if (!this.#quirks.has('reissued-ids')) this.#gone(known, own);
    const but = changingMembers(this.#quirks);
    for (const [key, shown] of own) {
      if (key === '') continue;
      const before = known.get(key);
      if (before !== undefined) tellKept({ wanted: before, shown, path: `${this.#list}.booked[]`, but }, this.#found);
      const { entryDetails } = before ?? {};
      known.set(key, { ...shown, ...(entryDetails !== undefined && { entryDetails }) });
    }
  }

  /** Transactions between two of this page that earlier answers had, under the same or another id. */
  #gone(known: Map<string, Members>, own: ReadonlyMap<string, Members>): void {
    const dates = this.#dates.map(String).toSorted();
    const [first = '', last = ''] = [dates[0], dates.at(-1)];
    const isWhole =
      this.#page['booked'] !== undefined &&
      this.#links['next'] === undefined &&
      this.#links['previous'] === undefined &&
      !this.#query.has('cursor') &&
      !this.#quirks.has('no-next-link');
    const [from, to] = [this.#query.get('dateFrom') ?? first, this.#query.get('dateTo') ?? last];
    // In another order a later page has dates between those of this one.
    const isByDate = this.#isFalling && !this.#quirks.has('order');
    const isIn = (date: string): boolean =>
      (isByDate && date > first && date < last) || (isWhole && date >= from && date <= to);
    const isOfContent = ([name]: readonly [string, unknown]): boolean =>
      name !== this.#idName && name !== 'entryDetails';
    const contentOf = (item: Members): string => JSON.stringify(Object.entries(item).filter(isOfContent).toSorted());
    const fresh = [...own].filter(([key]) => !known.has(key)).map(([, item]) => item);
    for (const [key, item] of known) {
      if (own.has(key) || !isIn(String(item['bookingDate']))) continue;
      const twin = fresh.findIndex((one) => contentOf(one) === contentOf(item));
      known.delete(key);
      if (twin < 0) this.#tell('absent', 'booked[]', null, item);
      else this.#tell('changed', `booked[].${this.#idName}`, fresh.splice(twin, 1)[0]?.[this.#idName], key);
    }
  }

  /** A transaction that its TPP has posted is as it was posted, if its day and amount tell it from others. */
  #asPosted(): void {
    const posted = this.#memory.posted.get(this.#id) ?? [];
    for (const item of this.#booked) {
      const { amount } = membersOf(item['transactionAmount']);
      const isLike = (date: unknown, own: unknown): boolean => date === item['bookingDate'] && isSameValue(own, amount);
      const [like, ...more] = posted.filter((one) => isLike(one['bookingDate'], one['amount']));
      const shown = this.#booked.filter((one) =>
        isLike(one['bookingDate'], membersOf(one['transactionAmount'])['amount']),
      );
      if (like !== undefined && more.length === 0 && shown.length === 1)
        tellPosted(like, item, `${this.#list}.booked[]`, this.#quirks, this.#found);
    }
  }
}

function isDated(date: unknown): date is string {
  return typeof date === 'string' && /^\d{4}-\d\d-\d\d$/.test(date);
}
