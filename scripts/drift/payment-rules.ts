import { norwegianCalendar } from '../../engine/time/norwegian-calendar.ts';
import { isBankingDay } from '../../engine/time/rules/banking-calendar.ts';
import { deletion, transitions, type TransactionStatus } from '../../engine/settlement/rules/transaction-status.ts';
import { parseLocalDate } from '../../engine/values/local-date.ts';
import type { Quirks } from '../../engine/bank/rules/quirk.ts';
import { unescaped } from '../../engine/values/text.ts';
import { pathOf } from './answer-rules.ts';
import { type Difference, difference } from './difference.ts';
import { bodyOf, type Exchange, isInitiation, itemsOf, listOf, type Members, membersOf } from './exchange.ts';
import { isSameValue } from './forms.ts';
import type { Made, Memory } from './memory.ts';

const resource = /^\/v1\/(?:(?:(?:bulk-|periodic-)?payments\/[^/?]+)|payment|signing-baskets)\/([^/?]+)/;
const statusesInUse: ReadonlySet<string> = new Set(transitions.flatMap(([, to]) => to));
const domestic = /^\/v1\/payments\/norwegian-domestic-credit-transfers\//;
/** Members of an answer about a payment that its TPP did not send. */
const ofBank = new Set(['paymentId', 'transactionStatus', 'tppMessages', 'psuMessage', 'fundsAvailable', '_links']);

/** What an answer about a payment or a basket must be after its initiation and what was read of it (DW4). */
export function paymentDifferences(exchange: Exchange, memory: Memory, quirks: Quirks): Difference[] {
  const { endpoint, method, status, answer } = exchange;
  if (status >= 300 || endpoint === null) return [];
  if (isInitiation(exchange)) return initiated(exchange, memory, quirks);
  if (endpoint === '/signing-baskets' && method === 'POST') return basketMade(exchange, memory);
  const id = unescaped(resource.exec(exchange.target)?.[1] ?? '');
  if (id === '') return [];
  const made = memory.payments.get(id);
  if (method === 'DELETE') {
    if (status === 202 && made !== undefined) made.isLeaving = true;
    return status === 202
      ? linkDifferences(
          membersOf(answer),
          { startAuthorisation: `${withoutQuery(exchange)}/cancellation-authorisations` },
          {},
        )
      : [];
  }
  if (method !== 'GET' && method !== 'HEAD') return [];
  if (endpoint.startsWith('/signing-baskets')) return basketRead(exchange, id, made);
  return paymentRead(exchange, { id, made, memory, quirks });
}

function initiated(exchange: Exchange, memory: Memory, quirks: Quirks): Difference[] {
  const own = membersOf(exchange.answer);
  const { paymentId, transactionStatus: read, transactionFees, transactionFeeIndicator: indicator } = own;
  const body = membersOf(bodyOf(exchange));
  const found: Difference[] = [];
  const { instructedAmount, creditorName, creditorAccount } = body;
  if (exchange.endpoint === '/payments/:product')
    memory.paid.set(`-${String(membersOf(instructedAmount)['amount'])} ${String(creditorName)}`, creditorAccount);
  const id = typeof paymentId === 'string' ? paymentId : '';
  const isNew = !memory.payments.has(id);
  if (id !== '' && isNew)
    memory.payments.set(id, { body, status: typeof read === 'string' ? read : null, isLeaving: false });
  if (typeof read === 'string' && !transitions.some(([from, to]) => from === 'new' && to === read))
    found.push(difference('value', 'transactionStatus', read, 'RCVD, ACSP, PDNG, ACSC or RJCT'));
  const isAtOnce = /^\/v1\/payments\/norwegian/.test(exchange.target) && !/straks/.test(exchange.target);
  if (
    isAtOnce &&
    (read === 'ACSC' || read === 'RJCT') &&
    !quirks.has('own-accounts-at-once') &&
    !quirks.has('same-bank-at-once')
  )
    found.push(difference('value', 'transactionStatus', read, 'ACSP or PDNG'));
  const { amount } = membersOf(transactionFees);
  if (
    typeof indicator === 'boolean' &&
    typeof amount === 'string' &&
    !quirks.has('fee-indicator') &&
    indicator !== /[1-9]/.test(amount)
  )
    found.push(difference('value', 'transactionFeeIndicator', indicator, !indicator));
  const path = `${withoutQuery(exchange)}/${id}`;
  const links = membersOf(own['_links']);
  const isUnsigned = read === 'RCVD';
  found.push(
    ...linkDifferences(
      own,
      { self: path, status: `${path}/status`, startAuthorisation: `${path}/authorisations` },
      { self: read },
    ),
  );
  // A PSU who is known by number alone signs in one step (rules.md A6).
  const isOneStep = isUnsigned && (exchange.headers.get('psu-id') ?? '') === '';
  const wantedLinks = { scaRedirect: isOneStep, startAuthorisation: isUnsigned };
  for (const [name, isWanted] of Object.entries(wantedLinks))
    if (typeof read === 'string' && Object.hasOwn(links, name) !== isWanted)
      found.push(difference('link', `_links.${name}`, links[name] ?? null, isWanted ? 'a link' : null));
  return [...found, ...messages(own, body, exchange)];
}

interface ReadPayment {
  readonly id: string;
  readonly made: Made | undefined;
  readonly memory: Memory;
  readonly quirks: Quirks;
}

function paymentRead(exchange: Exchange, { id, made, memory, quirks }: ReadPayment): Difference[] {
  const { answer, target, endpoint } = exchange;
  const own = membersOf(answer);
  const { paymentId, transactionStatus: read, fundsAvailable } = own;
  const found: Difference[] = [];
  if (typeof paymentId === 'string' && paymentId !== id) found.push(difference('value', 'paymentId', paymentId, id));
  if (typeof read === 'string') {
    if (!statusesInUse.has(read))
      found.push(difference('value', 'transactionStatus', read, [...statusesInUse].join(', ')));
    else if (made !== undefined && made.status !== null && !canFollow(made.status, read))
      found.push(difference('value', 'transactionStatus', read, `what follows ${made.status}`));
    if ((fundsAvailable === false) !== (read === 'ACCP'))
      found.push(
        difference(
          read === 'ACCP' ? 'absent' : 'extra',
          'fundsAvailable',
          fundsAvailable ?? null,
          read === 'ACCP' ? false : null,
        ),
      );
    if (made !== undefined) made.status = read;
  }
  if (
    read === 'RCVD' &&
    domestic.test(target) &&
    endpoint?.endsWith('/status') === true &&
    !quirks.has('status-before-approval') &&
    !quirks.has('status-lag')
  )
    found.push(difference('status', pathOf(exchange), exchange.status, 403));
  const path = addressIn(own) ?? withoutQuery(exchange).replace(/\/status$/, '');
  const state = typeof read === 'string' ? read : (made?.status ?? null);
  const collection =
    made?.isLeaving === true || (state !== 'RCVD' && state !== 'PATC')
      ? 'cancellation-authorisations'
      : 'authorisations';
  const isShort = target.startsWith('/v1/payment/');
  const self = isShort ? path : withoutQuery(exchange).replace(/\/status$/, '');
  found.push(
    ...linkDifferences(
      own,
      { self, status: `${self}/status`, startAuthorisation: `${self}/${collection}` },
      { self: typeof read === 'string' && !quirks.has('status-lag') ? read : null },
    ),
  );
  const { startAuthorisation } = membersOf(own['_links']);
  const isInBasket = memory.inBaskets.has(id);
  const isOpen = read === 'RCVD' || read === 'PATC';
  if (made !== undefined && typeof read === 'string' && !isInBasket && !quirks.has('status-lag')) {
    if (isOpen && startAuthorisation === undefined)
      found.push(difference('link', '_links.startAuthorisation', null, 'a link'));
    if (!isOpen && !made.isLeaving && startAuthorisation !== undefined)
      found.push(difference('link', '_links.startAuthorisation', startAuthorisation, null));
  }
  if (made === undefined) return found;
  const isWhole = endpoint?.endsWith('/:paymentId') === true;
  return [...found, ...(isWhole ? sentDifferences(made.body, own) : [])];
}

/** The members that a TPP sent are in the details of the payment as they were sent. */
function sentDifferences(sent: Members, own: Members): Difference[] {
  const found: Difference[] = [];
  const compare = (wanted: unknown, shown: unknown, path: string): void => {
    if (shown === undefined) found.push(difference('absent', path, null, wanted));
    else if (Array.isArray(wanted)) {
      const items = itemsOf(shown);
      wanted.forEach((item, at) => compare(item, items[at], `${path}[]`));
      if (items.length > wanted.length) found.push(difference('extra', `${path}[]`, items[wanted.length], null));
    } else if (typeof wanted === 'object' && wanted !== null) {
      const members = membersOf(shown);
      for (const [name, value] of Object.entries(wanted)) compare(value, members[name], `${path}.${name}`);
      for (const name of Object.keys(members))
        if (!Object.hasOwn(wanted, name)) found.push(difference('extra', `${path}.${name}`, members[name], null));
    } else if (
      typeof wanted === typeof shown &&
      !isSameValue(wanted, String(shown).trim()) &&
      !isSameValue(String(wanted).trim(), shown)
    )
      found.push(difference('value', path, shown, wanted));
  };
  for (const [name, value] of Object.entries(sent)) {
    // The PSU can move a payment in another channel of the bank (rules.md P14), to a banking day.
    const moved = name === 'requestedExecutionDate' ? parseLocalDate(String(own[name])) : null;
    if (moved === null || !isOpenOn(moved)) compare(value, own[name], name);
  }
  for (const name of Object.keys(own))
    if (!Object.hasOwn(sent, name) && !ofBank.has(name)) found.push(difference('extra', name, own[name], null));
  return found;
}

/** A date on which the bank is closed is told by a warning. */
function messages(own: Members, body: Members, { target }: Exchange): Difference[] {
  const { requestedExecutionDate: date } = body;
  const found: Difference[] = [];
  for (const message of listOf(own, 'tppMessages')) {
    const { category, code, path } = membersOf(message);
    if (
      category === 'WARNING' &&
      typeof code === 'string' &&
      !['EXECUTION_DATE_INVALID', 'FORMAT_ERROR', 'PAYMENT_FAILED'].includes(code)
    )
      found.push(difference('code', 'tppMessages[].code', code, 'EXECUTION_DATE_INVALID'));
    if (
      code === 'EXECUTION_DATE_INVALID' &&
      typeof path === 'string' &&
      !/^(?:requestedExecutionDate|startDate|instructedAmount\.currency)$|^payments/.test(path)
    )
      found.push(difference('path', 'tppMessages[].path', path, 'requestedExecutionDate'));
  }
  if (!/^\/v1\/payments\/norwegian/.test(target) || typeof date !== 'string') return found;
  const day = parseLocalDate(date);
  const has = listOf(own, 'tppMessages').some((message) => membersOf(message)['code'] === 'EXECUTION_DATE_INVALID');
  if (/straks/.test(target) || day === null || has || isOpenOn(day)) return found;
  return [
    ...found,
    own['tppMessages'] === undefined
      ? difference('absent', 'tppMessages', null, `a warning: ${date} is no banking day`)
      : difference(
          'code',
          'tppMessages[].code',
          membersOf(listOf(own, 'tppMessages')[0])['code'] ?? null,
          'EXECUTION_DATE_INVALID',
        ),
  ];
}

function isOpenOn(day: Parameters<typeof isBankingDay>[0]): boolean {
  try {
    return isBankingDay(day, norwegianCalendar());
  } catch {
    return true;
  }
}

function basketMade(exchange: Exchange, memory: Memory): Difference[] {
  const own = membersOf(exchange.answer);
  const body = membersOf(bodyOf(exchange));
  const id = String(own['basketId']);
  memory.payments.set(id, { body, status: null, isLeaving: false });
  for (const payment of listOf(body, 'paymentIds')) memory.inBaskets.add(String(payment));
  return basketRead(exchange, id, memory.payments.get(id));
}

function basketRead({ answer }: Exchange, id: string, made: Made | undefined): Difference[] {
  const own = membersOf(answer);
  const found: Difference[] = own['basketId'] === id ? [] : [difference('value', 'basketId', own['basketId'], id)];
  const sent = made === undefined ? null : listOf(made.body, 'paymentIds').map(String);
  const shown = listOf(own, 'paymentIds').map(String);
  if (sent !== null && sent.join(' ') !== shown.join(' '))
    found.push(
      difference(
        sent.toSorted().join(' ') === shown.toSorted().join(' ') ? 'order' : 'value',
        'paymentIds[]',
        shown,
        sent,
      ),
    );
  const self = `/v1/signing-baskets/${id}`;
  return [...found, ...linkDifferences(own, { self, startAuthorisation: `${self}/authorisations` }, {})];
}

/** `of`: the paths that links must have, as far as they are there; `status`: which decides the verbs of `self`. */
export function linkDifferences(
  own: Members,
  of: Readonly<Record<string, string>>,
  { self: status }: { readonly self?: unknown },
  at = '_links',
): Difference[] {
  const links = membersOf(own['_links']);
  return Object.entries(links).flatMap(([name, link]): Difference[] => {
    const { href, verbs } = membersOf(link);
    const wanted = of[name];
    const found: Difference[] = [];
    if (typeof href !== 'string') return [];
    if (wanted !== undefined && unescaped(href) !== unescaped(wanted))
      found.push(difference('link', `${at}.${name}.href`, href, wanted));
    const shown = itemsOf(verbs).map(String).toSorted().join(' ');
    const expected = name === 'startAuthorisation' ? 'POST' : 'GET';
    const isDeletable =
      name === 'self' && typeof status === 'string' && deletion(status as TransactionStatus) !== 'never';
    const isOpen = name === 'self' && status === null;
    if (Array.isArray(verbs) && !isOpen && shown !== (isDeletable ? 'DELETE GET' : expected))
      found.push(difference('verbs', `${at}.${name}.verbs`, verbs, isDeletable ? ['GET', 'DELETE'] : [expected]));
    return found;
  });
}

/** The path of a payment as its own link has it; null: it has none of the right form. */
function addressIn(own: Members): string | null {
  const { href } = membersOf(membersOf(own['_links'])['self']);
  return typeof href === 'string' && /^\/v1\/[\w-]*payments\/[\w-]+\/[^/?]+$/.test(href) ? href : null;
}

function withoutQuery({ target }: Exchange): string {
  return target.split('?')[0] ?? '';
}

/** Whether a payment that had one status may have the other later. */
function canFollow(from: string, to: string, seen: ReadonlySet<string> = new Set()): boolean {
  if (from === to) return true;
  const next = transitions.flatMap(([before, after]) => (before === from && !seen.has(after) ? [after] : []));
  const all = from === 'ACSP' && !seen.has('PDNG') ? [...next, 'PDNG'] : next;
  return all.some((one) => canFollow(one, to, new Set([...seen, from])));
}
