import type { Quirks } from '../../engine/bank/rules/quirk.ts';
import { norwegianIban, parseIban } from '../../engine/values/account-number.ts';
import { isCurrency } from '../../engine/values/money.ts';
import { unescaped } from '../../engine/values/text.ts';
import { balanceTypes } from '../../api/interface/accounts/account-answers.ts';
import { pathOf } from './answer-rules.ts';
import { type Difference, difference } from './difference.ts';
import { bodyOf, codeOf, type Exchange, itemsOf, listOf, type Members, membersOf } from './exchange.ts';
import type { Memory } from './memory.ts';
import { linkDifferences } from './payment-rules.ts';
import { changingMembers, keptDifferences, orderDifferences } from './kept.ts';
import { ListRead, type ReadContext } from './page-rules.ts';

/** What an answer about accounts and cards must be after its request and earlier answers (DW5). */
export function accountDifferences(exchange: Exchange, memory: Memory, quirks: Quirks): Difference[] {
  const { endpoint, status, answer, target } = exchange;
  const expired = expiredDifferences(exchange, memory);
  if (expired.length > 0) return expired;
  if (endpoint === null || status !== 200 || exchange.method !== 'GET') return notePosted(exchange, memory);
  const own = membersOf(answer);
  const [, kind = '', rest = ''] = /^\/(card-accounts|accounts)(?:\/:\w+(\/.*)?)?$/.exec(endpoint) ?? [];
  if (kind === '') return [];
  const list = kind === 'accounts' ? 'accounts' : 'cardAccounts';
  const one = kind === 'accounts' ? 'account' : 'cardAccount';
  const id = unescaped(target.split(/[/?]/)[3] ?? '');
  const query = new URLSearchParams(target.split('?')[1] ?? '');
  if (rest === '') {
    const isList = Array.isArray(own[list]);
    const shown = isList ? listOf(own, list) : own[one] === undefined ? [] : [own[one]];
    const wants = query.get('withBalance') === 'true';
    // Known accounts, and no known id: another bank, or one whose test data were made anew.
    const isAnother =
      shown.some((one) => memory.numbers.has(numberOf(membersOf(one), kind))) &&
      shown.every((one) => !memory.accounts.has(String(membersOf(one)['resourceId'])));
    if (isList && isAnother) memory.forget();
    const order = isList
      ? orderDifferences(
          shown.map((account) => String(membersOf(account)['resourceId'])),
          kind,
          memory,
        )
      : [];
    return [
      ...order.map((one) => ({ ...one, path: `${list}[]` })),
      ...shown.flatMap((account) => [
        ...shownAccount(membersOf(account), isList ? `${list}[]` : one, {
          kind,
          wants,
          memory,
          number: exchange.number,
        }),
        ...(isList || membersOf(account)['resourceId'] === id
          ? []
          : [difference('value', `${one}.resourceId`, membersOf(account)['resourceId'], id)]),
      ]),
    ];
  }
  const known = memory.accounts.get(id);
  if (/^\/transactions\/:/.test(rest)) return oneTransaction(own, { memory, quirks, id, target });
  const found = sameMembers(membersOf(own[one]), known, one);
  const path = target.split('?')[0] ?? '';
  if (rest === '/balances')
    return [
      ...found,
      ...balances(own['balances'], 'balances', known ?? membersOf(own[one]), kind),
      ...linkDifferences(own, { self: path }, {}),
    ];
  if (rest === '/transactions')
    return [...found, ...new ListRead(exchange, { memory, quirks, id, known, query }).differences()];
  return found;
}

/** Access lasts 180 days after an SCA (rules.md A7). Only the clock of the bank tells how long that is. */
function expiredDifferences(
  { endpoint, headers, status, answer, at, hasClock }: Exchange,
  memory: Memory,
): Difference[] {
  const id = headers.get('psu-id') ?? '';
  if (!hasClock || id === '' || !/^\/(?:card-)?accounts/.test(endpoint ?? '')) return [];
  if (status === 200 && !memory.opened.has(id)) memory.opened.set(id, at);
  const opened = memory.opened.get(id);
  if (codeOf(answer) !== 'CONSENT_EXPIRED' || opened === undefined || !memory.isFresh || at - opened > 179 * 86_400_000)
    return [];
  return [{ ...difference('status', pathOf({ endpoint }), status, 200), why: 'CONSENT_EXPIRED' }];
}

function numberOf({ bban, iban, maskedPan, name }: Members, kind: string): string {
  return `${kind} ${String(bban ?? iban ?? maskedPan)} ${String(name)}`;
}

interface AccountContext {
  readonly kind: string;
  readonly wants: boolean;
  readonly memory: Memory;
  readonly number: number;
}

function shownAccount(
  account: Members,
  path: string,
  { kind, wants, memory, number: at }: AccountContext,
): Difference[] {
  const id = String(account['resourceId']);
  const self = `/v1/${kind}/${id}`;
  const links = linkDifferences(
    account,
    { self, balances: `${self}/balances`, transactions: `${self}/transactions?bookingStatus=both` },
    {},
    `${path}._links`,
  );
  const has = account['balances'] !== undefined;
  const asked =
    has === wants
      ? []
      : [
          difference(
            has ? 'extra' : 'absent',
            `${path}.balances`,
            account['balances'] ?? null,
            wants ? 'balances, as withBalance asks for them' : null,
          ),
        ];
  const known = memory.accounts.get(id);
  const { balances: _, ...lasting } = account;
  memory.accounts.set(id, lasting);
  const earlier = memory.places.get(id);
  memory.places.set(id, { number: at, path });
  const kept = known === undefined ? [] : keptDifferences(known, lasting, path);
  const keptHere = kept.filter(({ kind: one }) => one !== 'extra');
  // What an account has was missing in the earlier answer.
  for (const { path: place, recorded } of kept.filter(({ kind: one }) => one === 'extra'))
    if (earlier !== undefined)
      memory.late.push({
        number: earlier.number,
        difference: difference('absent', `${earlier.path}${place.slice(path.length)}`, null, recorded),
      });
  const number = numberOf(account, kind);
  const before = memory.numbers.get(number) ?? id;
  memory.numbers.set(number, id);
  return [
    ...(before === id ? [] : [difference('changed', `${path}.resourceId`, id, before)]),
    ...links,
    ...asked,
    ...(has ? balances(account['balances'], `${path}.balances`, account, kind) : []),
    ...numbers(account, path),
    ...keptHere,
  ];
}

/** A Norwegian IBAN holds the BBAN. */
function numbers(account: Members, path: string): Difference[] {
  const { bban, iban } = account;
  if (typeof bban !== 'string' || !/^\d{11}$/.test(bban)) return [];
  const wanted = norwegianIban(bban);
  const isRight =
    typeof iban !== 'string' ||
    !iban.startsWith('NO') ||
    typeof parseIban(iban) === 'string' ||
    iban.replaceAll(' ', '') === wanted;
  return isRight ? [] : [difference('value', `${path}.iban`, iban, wanted)];
}

/** An account inside another answer has the members of its own. */
function sameMembers(own: Members, known: Members | undefined, path: string): Difference[] {
  if (known === undefined) return [];
  return [...['bban', 'iban', 'maskedPan'], ...(own['currency'] === undefined ? [] : ['currency'])].flatMap(
    (name): Difference[] => {
      if (known[name] === own[name]) return [];
      if (own[name] === undefined) return [difference('absent', `${path}.${name}`, null, known[name])];
      return [
        difference(known[name] === undefined ? 'extra' : 'changed', `${path}.${name}`, own[name], known[name] ?? null),
      ];
    },
  );
}

function balances(shown: unknown, path: string, { currency }: Members, kind: string): Difference[] {
  const items = itemsOf(shown).map(membersOf);
  const found = items.flatMap(({ balanceAmount }) => {
    const { currency: own } = membersOf(balanceAmount);
    return typeof own !== 'string' || typeof currency !== 'string' || !isCurrency(currency) || own === currency
      ? []
      : [difference('value', `${path}[].balanceAmount.currency`, own, currency)];
  });
  if (kind !== 'accounts') return found;
  const types = items.map(({ balanceType }) => balanceType);
  const isAll = types.length === balanceTypes.length && balanceTypes.every((type) => types.includes(type));
  if (isAll && types.join() !== balanceTypes.join()) found.push(difference('order', `${path}[]`, types, balanceTypes));
  if (!isAll && types.length === balanceTypes.length && types.every((type) => balanceTypes.some((one) => one === type)))
    found.push(difference('value', `${path}[].balanceType`, types.join(', '), balanceTypes.join(', ')));
  return found;
}

/** Notes what a TPP posts to the test data. */
function notePosted(exchange: Exchange, memory: Memory): Difference[] {
  const { endpoint, method, status, target } = exchange;
  if (endpoint?.startsWith('/sandbox') !== true || method === 'GET' || status >= 300) return [];
  const id = unescaped(target.split(/[/?]/)[4] ?? '');
  if (endpoint === '/sandbox/accounts/:accountId/transactions' && method === 'POST') {
    const body = bodyOf(exchange);
    const items = (Array.isArray(body) ? (body as unknown[]) : [body]).map(membersOf);
    memory.posted.set(id, [...(memory.posted.get(id) ?? []), ...items]);
  } else {
    // Other changes of test data change what was read.
    memory.forget();
  }
  return [];
}

function oneTransaction(
  own: Members,
  { memory, quirks, id, target }: Pick<ReadContext, 'memory' | 'quirks' | 'id'> & { readonly target: string },
): Difference[] {
  const asked = unescaped((target.split('?')[0] ?? '').split('/')[5] ?? '');
  const shown = membersOf(own['transactionsDetails']);
  const { transactionId } = shown;
  const known = memory.transactions.get(id)?.get(asked);
  return [
    ...(transactionId === undefined || transactionId === asked
      ? []
      : [difference('value', 'transactionsDetails.transactionId', transactionId, asked)]),
    ...(known === undefined
      ? []
      : keptDifferences(known, shown, 'transactionsDetails', new Set([...changingMembers(quirks), 'transactionId']))),
  ];
}
