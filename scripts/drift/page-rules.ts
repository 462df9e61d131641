import type { Quirks } from '../../engine/bank/rules/quirk.ts';
import { isCurrency } from '../../engine/values/money.ts';
import { unescaped } from '../../engine/values/text.ts';
import { defaultLimit, maxLimit } from '../../api/interface/accounts/account-request.ts';
import { type Difference, difference } from './difference.ts';
import { type Exchange, itemsOf, listOf, type Members, membersOf } from './exchange.ts';
import { isSameValue } from './forms.ts';
import { changingMembers, keptDifferences, orderDifferences, postedDifferences } from './kept.ts';
import type { Memory, PageRead } from './memory.ts';

/** The list that is read, and what is known of its account. */
export interface ReadContext {
  readonly memory: Memory;
  readonly quirks: Quirks;
  readonly id: string;
  readonly known?: Members | undefined;
  readonly query: URLSearchParams;
}

/** One page of a list of transactions. */
export class ListRead {
  readonly #exchange: Exchange;
  readonly #context: ReadContext;
  readonly #page: Members;
  readonly #path: string;
  readonly #idName: string;
  /** Maximum number of booked transactions of the page. */
  readonly #limit: number;
  readonly #booked: readonly Members[];
  readonly #pending: readonly Members[];
  readonly #found: Difference[] = [];

  constructor(exchange: Exchange, context: ReadContext) {
    this.#exchange = exchange;
    this.#context = context;
    const isCard = exchange.endpoint?.startsWith('/card') === true;
    this.#path = isCard ? 'cardTransactions' : 'transactions';
    this.#idName = isCard ? 'cardTransactionId' : 'transactionId';
    this.#limit = Math.min(
      Number(context.query.get('limit') ?? defaultLimit),
      context.quirks.get('limit-cap') ?? maxLimit,
    );
    this.#page = membersOf(membersOf(exchange.answer)[this.#path]);
    this.#booked = listOf(this.#page, 'booked').map(membersOf);
    this.#pending = listOf(this.#page, 'pending').map(membersOf);
  }

  differences(): Difference[] {
    this.#lists();
    // A repeated page has the links of the first one, and they are no differences of their own.
    if (!this.#pages()) this.#links();
    this.#dates();
    for (const [items, name] of [
      [this.#booked, 'booked'],
      [this.#pending, 'pending'],
    ] as const)
      for (const item of items) this.#item(item, `${this.#path}.${name}[]`);
    this.#transactions();
    return this.#found;
  }

  #tell(kind: Difference['kind'], path: string, recorded: unknown, expected: unknown): void {
    this.#found.push(difference(kind, `${this.#path}.${path}`, recorded, expected));
  }

  #lists(): void {
    const status = this.#context.query.get('bookingStatus') ?? 'both';
    for (const name of ['booked', 'pending']) {
      const wanted = status === 'both' || status === name;
      if ((this.#page[name] !== undefined) === wanted) continue;
      this.#tell(
        wanted ? 'absent' : 'extra',
        name,
        this.#page[name] ?? null,
        wanted ? `a list, as bookingStatus=${status} asks for it` : null,
      );
    }
    if (this.#booked.length > this.#limit)
      this.#tell('extra', 'booked[]', this.#booked[this.#limit], `${this.#limit} items, as limit asks for them`);
  }

  #links(): void {
    const { query, quirks } = this.#context;
    const links = membersOf(this.#page['_links']);
    const path = this.#exchange.target.split('?')[0] ?? '';
    const isFirst = !query.has('cursor') && (query.get('offset') ?? '0') === '0';
    if (isFirst && links['previous'] !== undefined) this.#tell('link', '_links.previous', links['previous'], null);
    if (!isFirst && links['previous'] === undefined && this.#booked.length > 0)
      this.#tell('link', '_links.previous', null, 'a link');
    if (
      links['next'] !== undefined &&
      (quirks.has('no-next-link') || (this.#booked.length < this.#limit && this.#page['booked'] !== undefined))
    )
      this.#tell('link', '_links.next', links['next'], null);
    for (const [name, link] of Object.entries(links)) {
      const { href, verbs } = membersOf(link);
      if (typeof href !== 'string') continue;
      const [own = '', search = ''] = href.split('?');
      const asked = new URLSearchParams(search);
      const place = name === 'self' ? (query.has('cursor') ? 'cursor' : 'offset') : 'cursor';
      const names = new Set(['bookingStatus', 'dateFrom', 'limit', place, ...(query.has('dateTo') ? ['dateTo'] : [])]);
      const wanted = new URLSearchParams(query);
      if (query.has('limit')) wanted.set('limit', String(this.#limit));
      const isAsAsked = [
        'bookingStatus',
        'dateFrom',
        'dateTo',
        ...(name === 'previous' ? [] : ['limit']),
        ...(name === 'self' ? [place] : []),
      ].every((one) => !wanted.has(one) || unescaped(asked.get(one) ?? '') === unescaped(wanted.get(one) ?? ''));
      // A list keeps the last day that it began with.
      const isNamed =
        [...asked.keys()].every((one) => names.has(one) || one === 'dateTo') &&
        [...names].every((one) => asked.has(one));
      if (unescaped(own) !== unescaped(path) || !isNamed || !isAsAsked)
        this.#tell('link', `_links.${name}.href`, href, `${path} with ${[...names].join(', ')}`);
      if (Array.isArray(verbs) && verbs.join() !== 'GET') this.#tell('verbs', `_links.${name}.verbs`, verbs, ['GET']);
    }
  }

  /** Each booking date is at most the one before it. */
  #isFalling(): boolean {
    const dates = this.#booked.map(({ bookingDate }) => bookingDate).filter(isDated);
    return dates.every((date, at) => at === 0 || date <= String(dates[at - 1]));
  }

  /** Booking dates are in the period that was asked for, the latest first. */
  #dates(): void {
    const { query, quirks } = this.#context;
    const dates = this.#booked.map(({ bookingDate }) => bookingDate);
    const [from, to] = [query.get('dateFrom') ?? '', query.get('dateTo') ?? '9999'];
    for (const date of dates)
      if (isDated(date) && (date < from || date > to))
        this.#tell('value', 'booked[].bookingDate', date, `${from} to ${to}`);
    const isFalling = this.#isFalling();
    const ids = this.#booked.map((item) => String(item[this.#idName] ?? '')).filter((id) => id !== '');
    if (isFalling || quirks.has('order'))
      for (const one of orderDifferences(ids, this.#context.id, this.#context.memory))
        this.#found.push({ ...one, path: `${this.#path}.booked[]` });
    if (!isFalling && !quirks.has('order')) this.#tell('order', 'booked[]', dates, dates.toSorted().toReversed());
  }

  /** One text is its own list; an account that is named has its IBAN beside its BBAN; amounts have the currency of the account. */
  #item(item: Members, path: string): void {
    const { remittanceInformationUnstructured: text, remittanceInformationUnstructuredArray: texts } = item;
    const tell = (kind: Difference['kind'], name: string, recorded: unknown, expected: unknown): void =>
      void this.#found.push(difference(kind, `${path}.${name}`, recorded, expected));
    if (typeof text === 'string' && texts === undefined)
      tell('absent', 'remittanceInformationUnstructuredArray', null, [text]);
    else if (text === undefined && texts !== undefined)
      tell('absent', 'remittanceInformationUnstructured', null, itemsOf(texts)[0] ?? '');
    else if (Array.isArray(texts) && typeof text === 'string' && texts[0] !== text)
      tell('value', 'remittanceInformationUnstructuredArray[]', texts[0], text);
    const { memory, quirks } = this.#context;
    const { amount } = membersOf(item['transactionAmount']);
    const made =
      quirks.has('pending-members') || quirks.has('counterparty')
        ? undefined
        : memory.paid.get(`${String(amount)} ${String(item['creditorName'])}`);
    if (made !== undefined && item['creditorAccount'] === undefined) tell('absent', 'creditorAccount', null, made);
    const { currency } = this.#context.known ?? {};
    const { currency: own } = membersOf(item['transactionAmount']);
    if (
      typeof currency === 'string' &&
      isCurrency(currency) &&
      typeof own === 'string' &&
      own !== currency &&
      !this.#context.quirks.has('accept-fix-dates')
    )
      tell('value', 'transactionAmount.currency', own, currency);
    for (const name of ['creditorAccount', 'debtorAccount']) {
      const { bban, iban } = membersOf(item[name]);
      if (typeof iban === 'string' && /^NO\d{13}$/.test(iban) && typeof bban === 'string' && iban.slice(4) !== bban)
        tell('value', `${name}.iban`, iban, bban);
      if (typeof iban === 'string' && /^NO\d{13}$/.test(iban) && bban === undefined)
        tell('absent', `${name}.bban`, null, iban.slice(4));
    }
  }

  /** What a page repeats of an earlier page of its list, and a cursor that no answer gave. Returns whether it repeats all that it has. */
  #pages(): boolean {
    const { memory, query, id } = this.#context;
    const booked = this.#booked.map((item) => String(item[this.#idName] ?? ''));
    const cursor = query.get('cursor');
    const { lastPage } = memory;
    if (
      cursor !== null &&
      !memory.cursors.has(cursor) &&
      lastPage !== null &&
      lastPage.id === id &&
      !this.#context.quirks.has('no-next-link')
    )
      this.#tell('link', '_links.next', null, 'the link to this page, on the page before it');
    const isFull = this.#booked.length > 0 && this.#booked.length === this.#limit;
    memory.lastPage = isFull && membersOf(this.#page['_links'])['next'] === undefined ? { id } : null;
    const earlier = cursor === null ? [] : (memory.cursors.get(cursor) ?? []);
    const twice = booked.filter((one) => one !== '' && earlier.some(({ ids }) => ids.includes(one)));
    if (twice.length > 0)
      this.#tell(
        'page',
        'booked[]',
        `${twice.length} of ${booked.length} transactions are on an earlier page`,
        'others',
      );
    const { bookingDate } = this.#booked[0] ?? {};
    const before = earlier.at(-1)?.lastDate ?? '';
    if (
      twice.length === 0 &&
      before !== '' &&
      typeof bookingDate === 'string' &&
      bookingDate > before &&
      !this.#context.quirks.has('order')
    )
      this.#tell('order', 'booked[]', bookingDate, `${before} or earlier`);
    const page: PageRead = { ids: booked, lastDate: String(this.#booked.at(-1)?.['bookingDate'] ?? '') };
    const next = membersOf(membersOf(this.#page['_links'])['next'])['href'];
    const following = typeof next === 'string' ? new URLSearchParams(next.split('?')[1] ?? '').get('cursor') : null;
    if (following !== null && following !== cursor) memory.cursors.set(following, [...earlier, page]);
    const isRepeated = twice.length > 0 && twice.length === booked.length;
    if (following !== null && following === cursor && !isRepeated)
      this.#tell('page', '_links.next', next, 'a cursor that reads on');
    this.#offsets(id, booked);
    return isRepeated;
  }

  #offsets(id: string, booked: readonly string[]): void {
    const { memory, query } = this.#context;
    if (query.has('cursor')) return;
    const offset = query.get('offset') ?? '0';
    const others = new URLSearchParams(query);
    others.delete('offset');
    const key = `${id} ${others}`;
    const before = memory.offsets.get(key);
    const isFurther =
      before !== undefined && Number(offset) >= Number(before.offset) + before.ids.length && booked.length > 0;
    if (
      isFurther &&
      before.isLast &&
      before.ids.length > 0 &&
      !this.#context.quirks.has('no-next-link') &&
      this.#exchange.at - before.at < 60_000
    )
      this.#tell('link', '_links.next', null, 'a link to what the next page has');
    const isAtOnce = before !== undefined && Math.abs(this.#exchange.at - before.at) < 60_000;
    if (
      isAtOnce &&
      before.offset !== offset &&
      booked.length > 1 &&
      !booked.includes('') &&
      before.ids.join(' ') === booked.join(' ')
    )
      this.#tell('page', 'booked[]', 'all transactions are on an earlier page', 'others');
    const isLast = membersOf(this.#page['_links'])['next'] === undefined;
    memory.offsets.set(key, { ids: booked, at: this.#exchange.at, offset, isLast });
  }

  /** A booked transaction never changes and does not go; posted ones are as they were posted. */
  #transactions(): void {
    const { memory, quirks, id } = this.#context;
    const known = memory.transactions.get(id) ?? new Map<string, Members>();
    memory.transactions.set(id, known);
    const path = `${this.#path}.booked[]`;
    const own = new Map(this.#booked.map((item) => [String(item[this.#idName] ?? ''), item]));
    if (!quirks.has('reissued-ids')) this.#gone(known, own);
    const but = changingMembers(quirks);
    for (const [key, item] of own) {
      if (key === '') continue;
      const before = known.get(key);
      if (before !== undefined) this.#found.push(...keptDifferences(before, item, path, but));
      known.set(key, {
        ...item,
        ...(before?.['entryDetails'] !== undefined && { entryDetails: before['entryDetails'] }),
      });
    }
    this.#asPosted(path);
  }

  /** Transactions between two of this page that earlier answers had, under the same or another id. */
  #gone(known: Map<string, Members>, own: ReadonlyMap<string, Members>): void {
    const dates = this.#booked.map(({ bookingDate }) => String(bookingDate)).toSorted();
    const { query } = this.#context;
    const isWhole =
      this.#page['booked'] !== undefined &&
      ['next', 'previous'].every((name) => membersOf(this.#page['_links'])[name] === undefined) &&
      !this.#context.quirks.has('no-next-link');
    const [first, last] = [dates[0] ?? '', dates.at(-1) ?? ''];
    // In another order a later page has dates between those of this one.
    const isByDate = this.#isFalling() && !this.#context.quirks.has('order');
    const isIn = (date: string): boolean =>
      (isByDate && date > first && date < last) ||
      (isWhole &&
        !query.has('cursor') &&
        date >= (query.get('dateFrom') ?? first) &&
        date <= (query.get('dateTo') ?? last));
    const fresh = [...own].filter(([key]) => !known.has(key)).map(([, item]) => item);
    for (const [key, item] of known) {
      if (own.has(key) || !isIn(String(item['bookingDate']))) continue;
      const twin = fresh.findIndex((one) => contentOf(one, this.#idName) === contentOf(item, this.#idName));
      known.delete(key);
      if (twin < 0) this.#tell('absent', 'booked[]', null, item);
      else this.#tell('changed', `booked[].${this.#idName}`, fresh.splice(twin, 1)[0]?.[this.#idName], key);
    }
  }

  #asPosted(path: string): void {
    const { memory, quirks, id } = this.#context;
    const posted = memory.posted.get(id) ?? [];
    for (const item of this.#booked) {
      const { amount } = membersOf(item['transactionAmount']);
      const like = posted.filter(
        (one) => isSameValue(one['amount'], amount) && one['bookingDate'] === item['bookingDate'],
      );
      const others = this.#booked.filter(
        (one) =>
          one['bookingDate'] === item['bookingDate'] &&
          isSameValue(membersOf(one['transactionAmount'])['amount'], amount),
      );
      if (like.length === 1 && others.length === 1)
        this.#found.push(...postedDifferences(membersOf(like[0]), item, path, quirks));
    }
  }
}

function isDated(date: unknown): date is string {
  return typeof date === 'string' && /^\d{4}-\d\d-\d\d$/.test(date);
}

function contentOf(item: Members, idName: string): string {
  return JSON.stringify(
    Object.entries(item)
      .filter(([name]) => name !== idName && name !== 'entryDetails')
      .toSorted(),
  );
}
