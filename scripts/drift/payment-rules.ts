import { norwegianCalendar } from '../../engine/time/norwegian-calendar.ts';
import { isBankingDay } from '../../engine/time/rules/banking-calendar.ts';
import type { TransactionStatus } from '../../engine/values/transaction-status.ts';
import { deletion, transitions } from '../../engine/values/transaction-status.ts';
import { type LocalDate, parseLocalDate } from '../../engine/values/local-date.ts';
import { unescaped } from '../../engine/values/text.ts';
import { statusPath } from './answer-rules.ts';
import type { Findings } from './difference.ts';
import {
  parsedBody,
  pathAndQueryOf,
  isInitiation,
  itemsOf,
  linksOf,
  listOf,
  type Members,
  membersOf,
} from './exchange.ts';
import { isSameValue } from './forms.ts';
import type { Case, Made } from './memory.ts';

const statusesInUse: ReadonlySet<string> = new Set(transitions.flatMap(([, to]) => to));
const domestic = /^\/v1\/payments\/norwegian-domestic-credit-transfers\//;
/** Members of an answer about a payment that its TPP did not send. */
const ofBank = new Set(['paymentId', 'transactionStatus', 'tppMessages', 'psuMessage', 'fundsAvailable', '_links']);
/** The warning of a date on which the bank is closed, and the members that it may be about. */
const closedDay = 'EXECUTION_DATE_INVALID';
const dated = /^(?:requestedExecutionDate|startDate|instructedAmount\.currency)$|^payments/;
const warnings: ReadonlySet<string> = new Set([closedDay, 'FORMAT_ERROR', 'PAYMENT_FAILED']);

/** What an answer about a payment or a basket must be after its initiation and what was read of it (DW4). */
export function checkPayment(one: Case): void {
  const { exchange, memory, found } = one;
  const { endpoint, params, method, status, answer, target } = exchange;
  if (status >= 300 || endpoint === null) return;
  if (isInitiation(exchange)) return checkInitiated(one);
  if (endpoint === '/signing-baskets' && method === 'POST') return checkNewBasket(one);
  const id = params['paymentId'] ?? params['basketId'] ?? '';
  if (id === '') return;
  const made = memory.payments.get(id);
  if (method === 'DELETE' && status === 202) {
    if (made !== undefined) made.isLeaving = true;
    checkLinks(answer, { startAuthorisation: `${pathAndQueryOf(target)[0]}/cancellation-authorisations` }, found);
  }
  if (method !== 'GET' && method !== 'HEAD') return;
  if (endpoint.startsWith('/signing-baskets')) checkBasket(answer, id, made, found);
  else checkRead(one, id, made);
}

function checkInitiated({ exchange, memory, quirks, found }: Case): void {
  const own = membersOf(exchange.answer);
  const { paymentId, transactionStatus: read, transactionFees, transactionFeeIndicator: indicator } = own;
  const body = membersOf(parsedBody(exchange));
  const { instructedAmount, creditorName, creditorAccount, requestedExecutionDate: date } = body;
  if (exchange.endpoint === '/payments/:product')
    memory.paid.set(`-${String(membersOf(instructedAmount)['amount'])} ${String(creditorName)}`, creditorAccount);
  const id = typeof paymentId === 'string' ? paymentId : '';
  if (id !== '' && !memory.payments.has(id))
    memory.payments.set(id, { body, status: typeof read === 'string' ? read : null, isLeaving: false });
  if (typeof read === 'string' && !transitions.some(([from, to]) => from === 'new' && to === read))
    found.tell('value', 'transactionStatus', read, 'RCVD, ACSP, PDNG, ACSC or RJCT');
  const [path] = pathAndQueryOf(exchange.target);
  const isForRun = /^\/v1\/payments\/norwegian/.test(path) && !/straks/.test(path);
  const mayBeAtOnce = quirks.has('own-accounts-at-once') || quirks.has('same-bank-at-once');
  if (isForRun && (read === 'ACSC' || read === 'RJCT') && !mayBeAtOnce)
    found.tell('value', 'transactionStatus', read, 'ACSP or PDNG');
  const { amount } = membersOf(transactionFees);
  const isTold = typeof indicator === 'boolean' && typeof amount === 'string' && !quirks.has('fee-indicator');
  if (isTold && indicator !== /[1-9]/.test(amount))
    found.tell('value', 'transactionFeeIndicator', indicator, !indicator);
  const self = `${path}/${id}`;
  checkLinks(own, { self, status: `${self}/status`, startAuthorisation: `${self}/authorisations` }, found, {
    status: read,
  });
  // A PSU who is known by number alone signs in one step (rules.md A6).
  const isOneStep = read === 'RCVD' && (exchange.headers.get('psu-id') ?? '') === '';
  if (typeof read === 'string') {
    checkPresence(own, 'scaRedirect', isOneStep, found);
    checkPresence(own, 'startAuthorisation', read === 'RCVD', found);
  }
  checkWarnings(own, isForRun && typeof date === 'string' ? parseLocalDate(date) : null, found);
}

function checkRead({ exchange, memory, quirks, found }: Case, id: string, made: Made | undefined): void {
  const { answer, target, endpoint } = exchange;
  const own = membersOf(answer);
  const { paymentId, transactionStatus: read, fundsAvailable } = own;
  if (typeof paymentId === 'string') found.compare('value', 'paymentId', paymentId, id);
  if (typeof read === 'string') {
    if (!statusesInUse.has(read)) found.tell('value', 'transactionStatus', read, [...statusesInUse].join(', '));
    else if (made !== undefined && made.status !== null && !canFollow(made.status, read))
      found.tell('value', 'transactionStatus', read, `what follows ${made.status}`);
    if (read === 'ACCP' && fundsAvailable !== false) found.tell('absent', 'fundsAvailable', fundsAvailable, false);
    if (read !== 'ACCP' && fundsAvailable === false) found.tell('extra', 'fundsAvailable', fundsAvailable);
    if (made !== undefined) made.status = read;
  }
  const hasLag = quirks.has('status-lag');
  const isRefused = read === 'RCVD' && domestic.test(target) && endpoint?.endsWith('/status') === true;
  if (isRefused && !quirks.has('status-before-approval') && !hasLag)
    found.tell('status', statusPath(exchange), exchange.status, 403);
  const state = typeof read === 'string' ? read : (made?.status ?? null);
  const canBeSigned = made?.isLeaving !== true && (state === 'RCVD' || state === 'PATC');
  const asked = pathAndQueryOf(target)[0].replace(/\/status$/, '');
  const self = target.startsWith('/v1/payment/') ? (addressIn(own) ?? asked) : asked;
  const collection = canBeSigned ? 'authorisations' : 'cancellation-authorisations';
  checkLinks(own, { self, status: `${self}/status`, startAuthorisation: `${self}/${collection}` }, found, {
    status: typeof read === 'string' && !hasLag ? read : null,
  });
  const isOpen = read === 'RCVD' || read === 'PATC';
  if (made === undefined) return;
  if (typeof read === 'string' && !memory.inBaskets.has(id) && !hasLag && (isOpen || !made.isLeaving))
    checkPresence(own, 'startAuthorisation', isOpen, found);
  if (endpoint?.endsWith('/:paymentId') === true) checkSent(made.body, own, found);
}

/** The members that a TPP sent are in the details of the payment as they were sent. */
function checkSent(sent: Members, own: Members, found: Findings): void {
  const isSame = (wanted: unknown, shown: unknown): boolean =>
    isSameValue(wanted, String(shown).trim()) || isSameValue(String(wanted).trim(), shown);
  const compare = (wanted: unknown, shown: unknown, path: string): void => {
    if (shown === undefined) found.tell('absent', path, null, wanted);
    else if (Array.isArray(wanted)) {
      const items = itemsOf(shown);
      wanted.forEach((item, at) => compare(item, items[at], `${path}[]`));
      if (items.length > wanted.length) found.tell('extra', `${path}[]`, items[wanted.length]);
    } else if (typeof wanted === 'object' && wanted !== null) {
      const members = membersOf(shown);
      for (const [name, value] of Object.entries(wanted)) compare(value, members[name], `${path}.${name}`);
      for (const name of Object.keys(members))
        if (!Object.hasOwn(wanted, name)) found.tell('extra', `${path}.${name}`, members[name]);
    } else if (typeof wanted === typeof shown && !isSame(wanted, shown)) found.tell('value', path, shown, wanted);
  };
  for (const [name, value] of Object.entries(sent)) {
    // The PSU can move a payment in another channel of the bank (rules.md P14), to a banking day.
    const moved = name === 'requestedExecutionDate' ? parseLocalDate(String(own[name])) : null;
    if (moved === null || !isOpenOn(moved)) compare(value, own[name], name);
  }
  for (const name of Object.keys(own))
    if (!Object.hasOwn(sent, name) && !ofBank.has(name)) found.tell('extra', name, own[name]);
}

/** A date on which the bank is closed is told by a warning. `date`: the requested one; null: none that a run waits for. */
function checkWarnings(own: Members, date: LocalDate | null, found: Findings): void {
  const messages = listOf(own, 'tppMessages').map(membersOf);
  for (const { category, code, path } of messages) {
    if (category === 'WARNING' && typeof code === 'string' && !warnings.has(code))
      found.tell('code', 'tppMessages[].code', code, closedDay);
    if (code === closedDay && typeof path === 'string' && !dated.test(path))
      found.tell('path', 'tppMessages[].path', path, 'requestedExecutionDate');
  }
  if (date === null || isOpenOn(date) || messages.some(({ code }) => code === closedDay)) return;
  if (own['tppMessages'] === undefined)
    found.tell('absent', 'tppMessages', null, `a warning: ${date} is no banking day`);
  else found.tell('code', 'tppMessages[].code', messages[0]?.['code'], closedDay);
}

function isOpenOn(day: LocalDate): boolean {
  try {
    return isBankingDay(day, norwegianCalendar());
  } catch {
    return true;
  }
}

function checkNewBasket({ exchange, memory, found }: Case): void {
  const { basketId } = membersOf(exchange.answer);
  const made = { body: membersOf(parsedBody(exchange)), status: null, isLeaving: false };
  memory.payments.set(String(basketId), made);
  for (const payment of listOf(made.body, 'paymentIds')) memory.inBaskets.add(String(payment));
  checkBasket(exchange.answer, String(basketId), made, found);
}

function checkBasket(answer: unknown, id: string, made: Made | undefined, found: Findings): void {
  const { basketId } = membersOf(answer);
  if (basketId !== id) found.tell('value', 'basketId', basketId, id);
  const shown = listOf(answer, 'paymentIds').map(String);
  const sent = made === undefined ? shown : listOf(made.body, 'paymentIds').map(String);
  if (sent.join(' ') !== shown.join(' ')) {
    const isOrder = sent.toSorted().join(' ') === shown.toSorted().join(' ');
    found.tell(isOrder ? 'order' : 'value', 'paymentIds[]', shown, sent);
  }
  const self = `/v1/signing-baskets/${id}`;
  checkLinks(answer, { self, startAuthorisation: `${self}/authorisations` }, found);
}

/** Tells a link that is missing, or that is one too many. */
function checkPresence(answer: unknown, name: string, isWanted: boolean, found: Findings): void {
  const { [name]: link } = linksOf(answer);
  if ((link !== undefined) !== isWanted) found.tell('link', `_links.${name}`, link, isWanted ? 'a link' : null);
}

/**
 * Tells links of an answer with other paths than these, and with other verbs. `status`: of a payment, which decides whether `self` has DELETE;
 * null: nobody knows it.
 */
export function checkLinks(
  answer: unknown,
  paths: Readonly<Record<string, string>>,
  found: Findings,
  { status, at = '_links' }: { readonly status?: unknown; readonly at?: string } = {},
): void {
  for (const [name, link] of Object.entries(linksOf(answer))) {
    const { href, verbs } = membersOf(link);
    if (typeof href !== 'string') continue;
    const wanted = paths[name] ?? href;
    if (unescaped(href) !== unescaped(wanted)) found.tell('link', `${at}.${name}.href`, href, wanted);
    if (!Array.isArray(verbs) || (name === 'self' && status === null)) continue;
    const isDeletable =
      name === 'self' && typeof status === 'string' && deletion(status as TransactionStatus) !== 'never';
    const expected = isDeletable ? ['GET', 'DELETE'] : [name === 'startAuthorisation' ? 'POST' : 'GET'];
    if (verbs.map(String).toSorted().join(' ') !== expected.toSorted().join(' '))
      found.tell('verbs', `${at}.${name}.verbs`, verbs, expected);
  }
}

/** The path of a payment as its own link has it; null: it has none of the right form. */
function addressIn(own: Members): string | null {
  const { href } = membersOf(linksOf(own)['self']);
  return typeof href === 'string' && /^\/v1\/[\w-]*payments\/[\w-]+\/[^/?]+$/.test(href) ? href : null;
}

/** Whether a payment that had one status may have the other later. */
function canFollow(from: string, to: string, seen: ReadonlySet<string> = new Set()): boolean {
  if (from === to) return true;
  const next = transitions.flatMap(([before, after]) => (before === from && !seen.has(after) ? [after] : []));
  const all = from === 'ACSP' && !seen.has('PDNG') ? [...next, 'PDNG'] : next;
  return all.some((one) => canFollow(one, to, new Set([...seen, from])));
}
