import { isCurrency } from '../../engine/values/money.ts';
import { unescaped } from '../../engine/values/text.ts';
import { defaultLimit, maxLimit } from '../../api/interface/accounts/account-request.ts';
import type { DifferenceKind } from './difference.ts';
import { pathAndQueryOf, itemsOf, linksOf, listOf, type Members, membersOf } from './exchange.ts';
import { isSameValue } from './forms.ts';
import { changingMembers, tellKept, tellOrder, tellPosted } from './kept.ts';
import type { Case } from './memory.ts';

/** How close two reads are of which the second shows the same list, in ms. */
const atOnceMs = 60_000;

/** One page of a list of transactions. `id`: of the account. */
function pageRead({ exchange, memory, quirks, found }: Case, id: string) {
  const [path, query] = pathAndQueryOf(exchange.target);
  const isCard = exchange.endpoint?.startsWith('/card') === true;
  const list = isCard ? 'cardTransactions' : 'transactions';
  const idName = isCard ? 'cardTransactionId' : 'transactionId';
  const page = membersOf(membersOf(exchange.answer)[list]);
  const booked = listOf(page, 'booked').map(membersOf);
  const dates = booked.map(({ bookingDate }) => bookingDate);
  const dated = dates.filter(isDated);
  return {
    at: exchange.at,
    memory,
    quirks,
    found,
    id,
    path,
    query,
    list,
    idName,
    page,
    booked,
    dates,
    /** Of booked transactions; empty: it has none. */
    ids: booked.map((item) => String(item[idName] ?? '')),
    /** Maximum number of booked transactions of the page. */
    limit: Math.min(Number(query.get('limit') ?? defaultLimit), quirks.get('limit-cap') ?? maxLimit),
    /** Each booking date is at most the one before it. */
    isFalling: dated.every((date, at) => at === 0 || date <= String(dated[at - 1])),
    links: linksOf(page),
    tell: (kind: DifferenceKind, place: string, recorded: unknown, expected?: unknown): void =>
      found.tell(kind, `${list}.${place}`, recorded, expected),
  };
}

type PageRead = ReturnType<typeof pageRead>;

/** Tells how a page of transactions differs from what the sandbox would have. `id`: of its account; `known`: the account, as it was read last. */
export function checkPage(one: Case, id: string, known: Members | undefined): void {
  const read = pageRead(one, id);
  checkLists(read);
  // A repeated page has the links of the first one, and they are no differences of their own.
  if (!checkRepeats(read)) checkPageLinks(read);
  checkOrder(read);
  for (const name of ['booked', 'pending'])
    for (const item of listOf(read.page, name)) checkItem(one, membersOf(item), `${read.list}.${name}[]`, known);
  checkKept(read);
  checkPosted(read);
}

function checkLists({ query, page, booked, limit, tell }: PageRead): void {
  const status = query.get('bookingStatus') ?? 'both';
  for (const name of ['booked', 'pending']) {
    const [shown, isWanted] = [page[name], status === 'both' || status === name];
    if (isWanted && shown === undefined) tell('absent', name, null, `a list, as bookingStatus=${status} asks for it`);
    if (!isWanted && shown !== undefined) tell('extra', name, shown);
  }
  if (booked.length > limit) tell('extra', 'booked[]', booked[limit], `${limit} items, as limit asks for them`);
}

function checkPageLinks(read: PageRead): void {
  const { query, page, booked, limit, links, quirks, tell } = read;
  const { previous, next } = links;
  const isFirst = !query.has('cursor') && (query.get('offset') ?? '0') === '0';
  if (isFirst && previous !== undefined) tell('link', '_links.previous', previous);
  if (!isFirst && previous === undefined && booked.length > 0) tell('link', '_links.previous', null, 'a link');
  const isLast = page['booked'] !== undefined && booked.length < limit;
  if (next !== undefined && (isLast || quirks.has('no-next-link'))) tell('link', '_links.next', next);
  for (const name of Object.keys(links)) checkPageLink(read, name);
}

/** A link leads to the same list, asks for what the request asked for, and has no other parameters. */
function checkPageLink({ path, query, limit, links, tell }: PageRead, name: string): void {
  const { href, verbs } = membersOf(links[name]);
  if (typeof href !== 'string') return;
  const [own, asked] = pathAndQueryOf(href);
  const wanted = new URLSearchParams(query);
  if (wanted.has('limit')) wanted.set('limit', String(limit));
  const place = name !== 'self' || wanted.has('cursor') ? 'cursor' : 'offset';
  const names = ['bookingStatus', 'dateFrom', 'limit', place, ...(wanted.has('dateTo') ? ['dateTo'] : [])];
  const same = ['bookingStatus', 'dateFrom', 'dateTo'];
  if (name !== 'previous') same.push('limit');
  if (name === 'self') same.push(place);
  const valueIn = (given: URLSearchParams, one: string): string => unescaped(given.get(one) ?? '');
  const isAsAsked = same.every((one) => !wanted.has(one) || valueIn(asked, one) === valueIn(wanted, one));
  // A list keeps the last day that it began with.
  const isNamed =
    names.every((one) => asked.has(one)) && [...asked.keys()].every((one) => [...names, 'dateTo'].includes(one));
  if (unescaped(own) !== unescaped(path) || !isNamed || !isAsAsked)
    tell('link', `_links.${name}.href`, href, `${path} with ${names.join(', ')}`);
  if (Array.isArray(verbs) && verbs.join() !== 'GET') tell('verbs', `_links.${name}.verbs`, verbs, ['GET']);
}

/** Booking dates are in the period that was asked for, the latest first. */
function checkOrder({ query, dates, ids, isFalling, quirks, id, list, memory, found, tell }: PageRead): void {
  const [from, to] = [query.get('dateFrom') ?? '', query.get('dateTo') ?? '9999'];
  for (const date of dates)
    if (isDated(date) && (date < from || date > to)) tell('value', 'booked[].bookingDate', date, `${from} to ${to}`);
  const own = ids.filter((one) => one !== '');
  if (isFalling || quirks.has('order')) tellOrder(own, id, `${list}.booked[]`, memory, found);
  else tell('order', 'booked[]', dates, dates.toSorted().toReversed());
}

/** One text is its own list; an account that is named has its IBAN beside its BBAN; amounts have the currency of the account. */
function checkItem({ memory, quirks, found }: Case, item: Members, path: string, known: Members | undefined): void {
  const { remittanceInformationUnstructured: text, remittanceInformationUnstructuredArray: texts } = item;
  const { amount, currency: own } = membersOf(item['transactionAmount']);
  const tell = (kind: 'absent' | 'value', name: string, recorded: unknown, expected: unknown): void =>
    found.tell(kind, `${path}.${name}`, recorded, expected);
  if (typeof text === 'string' && texts === undefined)
    tell('absent', 'remittanceInformationUnstructuredArray', null, [text]);
  else if (text === undefined && texts !== undefined)
    tell('absent', 'remittanceInformationUnstructured', null, itemsOf(texts)[0] ?? '');
  else if (Array.isArray(texts) && typeof text === 'string' && texts[0] !== text)
    tell('value', 'remittanceInformationUnstructuredArray[]', texts[0], text);
  const paid = memory.paid.get(`${String(amount)} ${String(item['creditorName'])}`);
  const isBare = quirks.has('pending-members') || quirks.has('counterparty');
  if (paid !== undefined && !isBare && item['creditorAccount'] === undefined)
    tell('absent', 'creditorAccount', null, paid);
  const { currency } = known ?? {};
  const isKnown = typeof currency === 'string' && isCurrency(currency) && typeof own === 'string';
  if (isKnown && own !== currency && !quirks.has('accept-fix-dates'))
    tell('value', 'transactionAmount.currency', own, currency);
  for (const name of ['creditorAccount', 'debtorAccount']) {
    const { bban, iban } = membersOf(item[name]);
    if (typeof iban !== 'string' || !/^NO\d{13}$/.test(iban)) continue;
    if (typeof bban === 'string' && iban.slice(4) !== bban) tell('value', `${name}.iban`, iban, bban);
    if (bban === undefined) tell('absent', `${name}.bban`, null, iban.slice(4));
  }
}

/** What a page repeats of an earlier page of its list, and a cursor that no answer gave. Returns whether it repeats all that it has. */
function checkRepeats(read: PageRead): boolean {
  const { query, id, booked, ids, dates, limit, links, quirks, memory, tell } = read;
  const { cursors, lastPage } = memory;
  const cursor = query.get('cursor');
  const mayLackNext = quirks.has('no-next-link');
  if (cursor !== null && !cursors.has(cursor) && lastPage === id && !mayLackNext)
    tell('link', '_links.next', null, 'the link to this page, on the page before it');
  const isFull = booked.length > 0 && booked.length === limit;
  memory.lastPage = isFull && links['next'] === undefined ? id : null;
  const earlier = cursor === null ? [] : (cursors.get(cursor) ?? []);
  const twice = ids.filter((one) => one !== '' && earlier.some((before) => before.ids.includes(one))).length;
  const all = ids.length;
  if (twice > 0) tell('page', 'booked[]', `${twice} of ${all} transactions are on an earlier page`, 'others');
  const [first] = dates;
  const before = earlier.at(-1)?.lastDate ?? '';
  const isLater = before !== '' && typeof first === 'string' && first > before;
  if (twice === 0 && isLater && !quirks.has('order')) tell('order', 'booked[]', first, `${before} or earlier`);
  const { href } = membersOf(links['next']);
  const following = typeof href === 'string' ? pathAndQueryOf(href)[1].get('cursor') : null;
  const isRepeated = twice > 0 && twice === all;
  if (following !== null && following !== cursor)
    cursors.set(following, [...earlier, { ids, lastDate: String(dates.at(-1) ?? '') }]);
  if (following !== null && following === cursor && !isRepeated)
    tell('page', '_links.next', href, 'a cursor that reads on');
  if (cursor === null) checkOffset(read);
  return isRepeated;
}

/** A list that is read by offsets: a page with a further one behind it links to it, and two pages differ. */
function checkOffset({ at, query, id, ids, links, quirks, memory, tell }: PageRead): void {
  const offset = query.get('offset') ?? '0';
  const others = new URLSearchParams(query);
  others.delete('offset');
  const key = `${id} ${others}`;
  const before = memory.offsets.get(key);
  memory.offsets.set(key, { ids, at, offset, isLast: links['next'] === undefined });
  if (before === undefined || at - before.at >= atOnceMs) return;
  const isFurther = ids.length > 0 && Number(offset) >= Number(before.offset) + before.ids.length;
  if (isFurther && before.isLast && before.ids.length > 0 && !quirks.has('no-next-link'))
    tell('link', '_links.next', null, 'a link to what the next page has');
  const isSame = ids.length > 1 && !ids.includes('') && before.ids.join(' ') === ids.join(' ');
  if (isSame && before.offset !== offset) tell('page', 'booked[]', 'all transactions are on an earlier page', 'others');
}

/** A booked transaction never changes and does not go. */
function checkKept(read: PageRead): void {
  const { id, ids, list, booked, quirks, memory, found } = read;
  const known = memory.transactions.get(id) ?? new Map<string, Members>();
  memory.transactions.set(id, known);
  const own = new Map(booked.map((item, at) => [ids[at] ?? '', item]));
  if (!quirks.has('reissued-ids')) checkGone(read, known, own);
  const but = changingMembers(quirks);
  for (const [key, shown] of own) {
    if (key === '') continue;
    const before = known.get(key);
    if (before !== undefined) tellKept({ wanted: before, shown, path: `${list}.booked[]`, but }, found);
    const { entryDetails } = before ?? {};
    known.set(key, { ...shown, ...(entryDetails !== undefined && { entryDetails }) });
  }
}

/** Transactions between two of this page that earlier answers had, under the same or another id. */
function checkGone(
  { query, page, dates, links, isFalling, idName, quirks, tell }: PageRead,
  known: Map<string, Members>,
  own: ReadonlyMap<string, Members>,
): void {
  const inOrder = dates.map(String).toSorted();
  const [first = '', last = ''] = [inOrder[0], inOrder.at(-1)];
  const isWhole =
    page['booked'] !== undefined &&
    links['next'] === undefined &&
    links['previous'] === undefined &&
    !query.has('cursor') &&
    !quirks.has('no-next-link');
  const [from, to] = [query.get('dateFrom') ?? first, query.get('dateTo') ?? last];
  // In another order a later page has dates between those of this one.
  const isByDate = isFalling && !quirks.has('order');
  const isIn = (date: string): boolean =>
    (isByDate && date > first && date < last) || (isWhole && date >= from && date <= to);
  const contentOf = ({ [idName]: _id, entryDetails: _details, ...content }: Members): string =>
    JSON.stringify(Object.entries(content).toSorted());
  const fresh = [...own].filter(([key]) => !known.has(key)).map(([, item]) => item);
  for (const [key, item] of known) {
    if (own.has(key) || !isIn(String(item['bookingDate']))) continue;
    const twin = fresh.findIndex((one) => contentOf(one) === contentOf(item));
    known.delete(key);
    if (twin < 0) tell('absent', 'booked[]', null, item);
    else tell('changed', `booked[].${idName}`, fresh.splice(twin, 1)[0]?.[idName], key);
  }
}

/** A transaction that its TPP has posted is as it was posted, if its day and amount tell it from others. */
function checkPosted({ id, list, booked, quirks, memory, found }: PageRead): void {
  const posted = memory.posted.get(id) ?? [];
  for (const item of booked) {
    const { amount } = membersOf(item['transactionAmount']);
    const isLike = (date: unknown, own: unknown): boolean => date === item['bookingDate'] && isSameValue(own, amount);
    const [like, ...more] = posted.filter((one) => isLike(one['bookingDate'], one['amount']));
    const shown = booked.filter((one) => isLike(one['bookingDate'], membersOf(one['transactionAmount'])['amount']));
    if (like !== undefined && more.length === 0 && shown.length === 1)
      tellPosted(like, item, `${list}.booked[]`, quirks, found);
  }
}

function isDated(date: unknown): date is string {
  return typeof date === 'string' && /^\d{4}-\d\d-\d\d$/.test(date);
}
