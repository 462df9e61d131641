import { norwegianIban, parseIban } from '../../engine/values/account-number.ts';
import { isCurrency } from '../../engine/values/money.ts';
import { balanceTypes } from '../../api/interface/accounts/accounts.ts';
import { statusPath } from './answer-rules.ts';
import { Findings } from './difference.ts';
import { parsedBody, codeOf, pathAndQueryOf, itemsOf, listOf, type Members, membersOf } from './exchange.ts';
import type { Case } from './memory.ts';
import { checkLinks } from './payment-rules.ts';
import { changingMembers, tellKept, tellOrder } from './kept.ts';
import { checkPage } from './page-rules.ts';

/** How accounts and cards are named in paths and answers. */
const kinds = {
  accounts: { list: 'accounts', one: 'account' },
  'card-accounts': { list: 'cardAccounts', one: 'cardAccount' },
} as const;
type AccountKind = keyof typeof kinds;

/** What an answer about accounts and cards must be after its request and earlier answers (DW5). */
export function checkAccounts(one: Case): void {
  const { exchange, memory, found } = one;
  const { endpoint, params, status, answer, target, method } = exchange;
  if (isExpiredEarly(one)) return found.tell('status', statusPath(exchange), status, 200, 'CONSENT_EXPIRED');
  if (endpoint === null || status !== 200 || method !== 'GET') return notePosted(one);
  const [, kind = '', rest = ''] = /^\/(card-accounts|accounts)(?:\/:\w+(\/.*)?)?$/.exec(endpoint) ?? [];
  if (!isKind(kind)) return;
  const id = params['accountId'] ?? params['cardId'] ?? '';
  if (rest === '') return checkShown(one, kind, id);
  if (rest.startsWith('/transactions/:')) return checkTransaction(one, id);
  const shown = membersOf(membersOf(answer)[kinds[kind].one]);
  const known = memory.accounts.get(id);
  if (known !== undefined) checkSameAccount(known, shown, kinds[kind].one, found);
  if (rest === '/balances') {
    checkBalances(membersOf(answer)['balances'], 'balances', known ?? shown, kind, found);
    checkLinks(answer, { self: pathAndQueryOf(target)[0] }, found);
  }
  if (rest === '/transactions') checkPage(one, id, known);
}

function isKind(kind: string): kind is AccountKind {
  return Object.hasOwn(kinds, kind);
}

/** A list of accounts, or the account with this id. */
function checkShown(one: Case, kind: AccountKind, id: string): void {
  const { exchange, memory, found } = one;
  const own = membersOf(exchange.answer);
  const names = kinds[kind];
  const isList = Array.isArray(own[names.list]);
  const shown = (isList ? listOf(own, names.list) : [own[names.one] ?? []].flat()).map(membersOf);
  if (isList) {
    const ids = shown.map(({ resourceId }) => String(resourceId));
    // Known accounts, and no known id: another bank, or one whose test data were made anew.
    const isAnother =
      shown.some((account) => memory.numbers.has(numberOf(account, kind))) &&
      !ids.some((id) => memory.accounts.has(id));
    if (isAnother) memory.forget();
    tellOrder(ids, kind, `${names.list}[]`, memory, found);
  }
  const [, query] = pathAndQueryOf(exchange.target);
  for (const account of shown) {
    checkAccount(one, account, isList ? `${names.list}[]` : names.one, {
      kind,
      wants: query.get('withBalance') === 'true',
    });
    if (!isList && account['resourceId'] !== id)
      found.tell('value', `${names.one}.resourceId`, account['resourceId'], id);
  }
}

/** Access lasts 180 days after an SCA (rules.md A7). Only the clock of the bank tells how long that is. */
function isExpiredEarly({ exchange, memory }: Case): boolean {
  const { endpoint, headers, status, answer, at, hasClock } = exchange;
  const id = headers.get('psu-id') ?? '';
  if (!hasClock || id === '' || !/^\/(?:card-)?accounts/.test(endpoint ?? '')) return false;
  if (status === 200 && !memory.opened.has(id)) memory.opened.set(id, at);
  const opened = memory.opened.get(id);
  const isExpired = codeOf(answer) === 'CONSENT_EXPIRED';
  return isExpired && opened !== undefined && memory.isFresh && at - opened <= 179 * 86_400_000;
}

function numberOf({ bban, iban, maskedPan, name }: Members, kind: AccountKind): string {
  return `${kind} ${String(bban ?? iban ?? maskedPan)} ${String(name)}`;
}

function checkAccount(
  { memory, found, late }: Case,
  account: Members,
  path: string,
  { kind, wants }: { readonly kind: AccountKind; readonly wants: boolean },
): void {
  const { balances, ...lasting } = account;
  const id = String(account['resourceId']);
  const number = numberOf(account, kind);
  const before = memory.numbers.get(number) ?? id;
  memory.numbers.set(number, id);
  if (before !== id) found.tell('changed', `${path}.resourceId`, id, before);
  const self = `/v1/${kind}/${id}`;
  const links = { self, balances: `${self}/balances`, transactions: `${self}/transactions?bookingStatus=both` };
  checkLinks(account, links, found, { at: `${path}._links` });
  if (balances === undefined && wants)
    found.tell('absent', `${path}.balances`, null, 'balances, as withBalance asks for them');
  if (balances !== undefined && !wants) found.tell('extra', `${path}.balances`, balances);
  if (balances !== undefined) checkBalances(balances, `${path}.balances`, account, kind, found);
  checkIban(account, path, found);
  const known = memory.accounts.get(id);
  memory.accounts.set(id, lasting);
  const earlier = memory.places.get(id);
  memory.places.set(id, { late, path });
  if (known === undefined) return;
  const kept = new Findings();
  tellKept({ wanted: known, shown: lasting, path }, kept);
  for (const one of kept.all) {
    const { kind: told, path: place, recorded } = one;
    if (told !== 'extra') found.take([one]);
    // What an account has was missing in the earlier answer.
    else earlier?.late.tell('absent', `${earlier.path}${place.slice(path.length)}`, null, recorded);
  }
}

/** A Norwegian IBAN holds the BBAN. */
function checkIban({ bban, iban }: Members, path: string, found: Findings): void {
  if (typeof bban !== 'string' || !/^\d{11}$/.test(bban)) return;
  if (typeof iban !== 'string' || !iban.startsWith('NO') || typeof parseIban(iban) === 'string') return;
  const wanted = norwegianIban(bban);
  if (iban.replaceAll(' ', '') !== wanted) found.tell('value', `${path}.iban`, iban, wanted);
}

/** An account inside another answer has the members of its own. */
function checkSameAccount(known: Members, shown: Members, path: string, found: Findings): void {
  for (const name of ['bban', 'iban', 'maskedPan'])
    found.compare('changed', `${path}.${name}`, shown[name], known[name]);
  const { currency } = shown;
  if (currency !== undefined) found.compare('changed', `${path}.currency`, currency, known['currency']);
}

function checkBalances(shown: unknown, path: string, { currency }: Members, kind: AccountKind, found: Findings): void {
  const items = itemsOf(shown).map(membersOf);
  for (const { balanceAmount } of items) {
    const { currency: own } = membersOf(balanceAmount);
    if (typeof own === 'string' && typeof currency === 'string' && isCurrency(currency))
      found.compare('value', `${path}[].balanceAmount.currency`, own, currency);
  }
  if (kind !== 'accounts' || items.length !== balanceTypes.length) return;
  const types = items.map(({ balanceType }) => balanceType);
  if (balanceTypes.some((type) => !types.includes(type))) {
    if (types.every((type) => balanceTypes.some((one) => one === type)))
      found.tell('value', `${path}[].balanceType`, types.join(', '), balanceTypes.join(', '));
  } else if (types.join() !== balanceTypes.join()) found.tell('order', `${path}[]`, types, balanceTypes);
}

/** Notes what a TPP posts to the test data. */
function notePosted({ exchange, memory }: Case): void {
  const { endpoint, method, status, params } = exchange;
  if (endpoint?.startsWith('/sandbox') !== true || method === 'GET' || status >= 300) return;
  // Other changes of test data change what was read.
  if (endpoint !== '/sandbox/accounts/:accountId/transactions' || method !== 'POST') return memory.forget();
  const { accountId: id = '' } = params;
  const body = parsedBody(exchange);
  const items = (Array.isArray(body) ? itemsOf(body) : [body]).map(membersOf);
  memory.posted.set(id, [...(memory.posted.get(id) ?? []), ...items]);
}

/** The details of one transaction. */
function checkTransaction({ exchange, memory, quirks, found }: Case, id: string): void {
  const { transactionId: asked = '' } = exchange.params;
  const path = 'transactionsDetails';
  const shown = membersOf(membersOf(exchange.answer)[path]);
  if (shown['transactionId'] !== undefined)
    found.compare('value', `${path}.transactionId`, shown['transactionId'], asked);
  const wanted = memory.transactions.get(id)?.get(asked);
  const but = new Set([...changingMembers(quirks), 'transactionId']);
  if (wanted !== undefined) tellKept({ wanted, shown, path, but }, found);
}
