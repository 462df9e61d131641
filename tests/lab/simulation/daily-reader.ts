import { accounts } from '../../../api/interface/accounts/accounts.ts';
import type { Link, ReadBookedTransaction, ReadTransaction, ReadTransactions } from '../../../api/harness/index.ts';
import { quirkShaping } from '../../../api/quirks/index.ts';
import { wireIdsOf } from '../../../api/quirks/encrypted-ids.ts';
import { type Call, operationOf } from '../../../api/pipeline/endpoint.ts';
import { QueryReader } from '../../../api/pipeline/target.ts';
import { readHeaders } from '../../../api/pipeline/request-headers.ts';
import { readBalances } from '../../../engine/consents/read-account.ts';
import type { AccountRequest } from '../../../engine/consents/account-access.ts';
import type { Bank } from '../../../engine/open-bank.ts';
import { accountByNumber } from '../../../engine/accounts/rows/accounts.ts';
import { consented, otherTpp } from '../consented.ts';
import { orRefusal, type Person } from '../payments.ts';
import { dayAfter } from './days.ts';

/** What a reader keeps of an account. Amounts are in minor units. */
interface Kept {
  readonly name: string;
  readonly id: string;
  readonly holder: Person;
  readonly creditLine: bigint;
  /** `openingBooked` of the days on which it was read. */
  readonly openings: Map<string, bigint>;
  /** What is booked on a day that has ended, by transactionId: each day was read once. */
  readonly seen: Map<string, { readonly day: string; readonly amount: bigint }>;
  /** The same, read in windows of days that overlap. */
  readonly inWindows: Map<string, bigint>;
  /** The day on which it began to read: what a life did before is not its concern. */
  readonly begunOn: string;
  /** The last day whose transactions were read. */
  readThrough: string;
}

/** An account to read: its BBAN or, without one, its IBAN. */
interface ReadAccount {
  readonly number: string;
  readonly holder: Person;
}

/** Days of a window. */
const windowDays = 30;
/** Transactions on a page. */
const pageSize = 20;

/**
 * A TPP that keeps the books of some accounts from account information alone, as the bank shows it with its quirks: it reads the balances
 * whenever it likes, and transactions in three ways: the days that have ended since it last did, the last 30 of them again each time, and
 * everything once more at the end. It knows transactions by their ids. Knows dates as text, and nothing of runs. It is another TPP than the
 * one that pays, so that only its own SCAs count, and renews a consent when the bank refuses one that has lapsed. It begins on this day, before
 * anything is booked on it.
 */
export async function beginReading(bank: Bank, accounts: readonly ReadAccount[], today: string) {
  const kept = await Promise.all(accounts.map((account) => begun(bank, account, today)));
  const requests = new Map<Person, AccountRequest>();
  let renewals = 0;
  return { read, readAgain, counts };

  /** How many transactions it has seen, and lapsed consents it has renewed. */
  function counts() {
    return { seen: kept.reduce((sum, { seen }) => sum + seen.size, 0), renewals };
  }

  /** Reads the balances, and with `alsoEnded` what was booked since the last day read; what cannot be, in words. */
  async function read(bank: Bank, today: string, alsoEnded: boolean): Promise<string[]> {
    const problems: string[] = [];
    for (const account of kept) {
      const request = await openRequest(bank, account);
      problems.push(...(await readToday(bank, request, account, today)));
      if (alsoEnded) {
        problems.push(...(await readEnded(bank, request, account, dayAfter(today, -1))));
        await readWindow(bank, request, account);
      }
    }
    return problems;
  }

  /**
   * Reads everything once more, from the first day: it must be what was seen, and no more. `byId`: how many transactions a window showed again
   * under another id, and how many are now there under an id that was never seen; both are 0 while ids stay.
   */
  async function readAgain(bank: Bank) {
    const problems: string[] = [];
    const byId = { twiceInWindows: 0, unknownAtTheEnd: 0 };
    for (const { name, id, holder, seen, inWindows, begunOn, readThrough } of kept) {
      const request = await renewed(bank, holder);
      const { booked: all } = await listed(bank, request, id, { from: begunOn, to: readThrough });
      const known = all.filter((one) => seen.has(one.id));
      const changed = known.filter(
        (one) => seen.get(one.id)?.amount !== one.amount || seen.get(one.id)?.day !== one.day,
      );
      problems.push(...changed.map((one) => `${name}: ${one.id}, ${one.amount} of ${one.day}, was never seen so`));
      const [total, before] = [sum(all), sum([...seen.values()])];
      if (all.length !== seen.size || total !== before)
        problems.push(`${name}: ${seen.size} were seen, of ${before}; ${all.length} are there, of ${total}`);
      if (inWindows.size < seen.size) problems.push(`${name}: windows missed ${seen.size - inWindows.size}`);
      byId.twiceInWindows += inWindows.size - seen.size;
      byId.unknownAtTheEnd += all.length - known.length;
    }
    return { problems, byId };
  }

  /** The request of the account's holder, with a new consent if the last one has lapsed (rules.md A7, Q10c). */
  async function openRequest(bank: Bank, { id, holder }: Kept): Promise<AccountRequest> {
    const request = requests.get(holder) ?? (await renewed(bank, holder));
    if ((await orRefusal(readBalances(bank, request, id))) !== 'CONSENT_EXPIRED') return request;
    renewals += 1;
    return renewed(bank, holder);
  }

  async function renewed(bank: Bank, holder: Person): Promise<AccountRequest> {
    const request = await consented(bank, holder, { tpp: otherTpp });
    requests.set(holder, request);
    return request;
  }
}

/** An account on which nothing was booked before that day. */
async function begun(bank: Bank, { number, holder }: ReadAccount, today: string): Promise<Kept> {
  const account = await bank.ledger.read((reader) => accountByNumber(reader, number));
  if (account === undefined) throw new Error(`there is no account ${number}`);
  const nothing = { openings: new Map(), seen: new Map(), inWindows: new Map() };
  const { resource_id: id, credit_line_minor: creditLine } = account;
  return { name: number, id, holder, creditLine, ...nothing, begunOn: today, readThrough: dayAfter(today, -1) };
}

interface Line {
  readonly id: string;
  readonly day: string;
  readonly amount: bigint;
}

/** The balances of one moment, and with them the lists of today: they must fit each other and what was read before. */
async function readToday(bank: Bank, request: AccountRequest, account: Kept, today: string): Promise<string[]> {
  const { name, id, openings, creditLine } = account;
  const { openingBooked, interimBooked, interimAvailable } = (await readBalances(bank, request, id)).balances;
  const before = openings.get(today);
  openings.set(today, openingBooked);
  const { booked, pending } = await listed(bank, request, id, { from: today, to: today });
  const bookedToday = sum(booked);
  const problems: string[] = [];
  const say = (problem: string): void => void problems.push(`${name} on ${today}: ${problem}`);
  if (before !== undefined && before !== openingBooked) say(`openingBooked was ${before} and is ${openingBooked}`);
  if (openingBooked + bookedToday !== interimBooked) {
    say(`openingBooked ${openingBooked} and ${bookedToday} booked today make no ${interimBooked}`);
  }
  if (interimBooked + pending + creditLine !== interimAvailable) {
    say(`interimBooked ${interimBooked} and ${pending} pending make no ${interimAvailable} available`);
  }
  return problems;
}

/** The days after the last one read, through `last`: each transaction is a new one, and the days reconcile to the øre. */
async function readEnded(bank: Bank, request: AccountRequest, account: Kept, last: string): Promise<string[]> {
  const { name, id, openings, seen } = account;
  const first = dayAfter(account.readThrough, 1);
  if (first > last) return [];
  const problems: string[] = [];
  const { booked } = await listed(bank, request, id, { from: first, to: last });
  for (const { id: key, day, amount } of booked) {
    if (seen.has(key)) problems.push(`${name}: ${key} was seen on ${seen.get(key)?.day}, and is booked on ${day}`);
    if (day < first || day > last) problems.push(`${name}: ${key} of ${day} is none of ${first} to ${last}`);
    seen.set(key, { day, amount });
  }
  account.readThrough = last;
  const [opening, next] = [openings.get(first), openings.get(dayAfter(last, 1))];
  if (opening !== undefined && next !== undefined && opening + sum(booked) !== next) {
    problems.push(
      `${name}: ${opening} opened ${first}, ${sum(booked)} was booked through ${last}, and ${next} opens after`,
    );
  }
  return problems;
}

/** The last days that have ended once more, as a program reads that knows by ids what it has. */
async function readWindow(bank: Bank, request: AccountRequest, account: Kept): Promise<void> {
  const { id, inWindows, begunOn, readThrough } = account;
  const first = dayAfter(readThrough, 1 - windowDays);
  if (readThrough < begunOn) return;
  const { booked } = await listed(bank, request, id, { from: first < begunOn ? begunOn : first, to: readThrough });
  for (const { id: key, amount } of booked) inWindows.set(key, amount);
}

/**
 * Every page of what is booked on these days, and the sum of what is pending, which each page has. A bank that names no next page
 * (register 35) is read by `offset`, as a client does that knows of it.
 */
async function listed(
  bank: Bank,
  request: AccountRequest,
  id: string,
  { from, to }: { readonly from: string; readonly to: string },
) {
  const booked: Line[] = [];
  const query = { bookingStatus: 'both', dateFrom: from, dateTo: to, limit: String(pageSize) };
  const isUnlinked = bank.quirks.has('no-next-link');
  for (let cursor: string | null = null; ;) {
    const place = isUnlinked ? { offset: String(booked.length) } : cursor !== null && { cursor };
    const page = await wireList(bank, request, id, { ...query, ...place });
    const { booked: ofPage = [], pending = [], _links: links } = page;
    booked.push(...ofPage.map(lineOf));
    const isLast = isUnlinked ? ofPage.length < pageSize : links.next === undefined;
    if (isLast) return { booked, pending: sum(pending.map((one) => ({ amount: minorOf(one) }))) };
    cursor = new URL(links.next?.href ?? '', 'http://bank').searchParams.get('cursor');
  }
}

function lineOf(one: ReadBookedTransaction): Line {
  return { id: one.transactionId ?? '', day: one.bookingDate, amount: minorOf(one) };
}

function sum(lines: readonly { readonly amount: bigint }[]): bigint {
  return lines.reduce((total, { amount }) => total + amount, 0n);
}

/** A page as answers have it. */
type WireReport = Partial<ReadTransactions> & { readonly _links: { readonly next?: Link } };

const endpoint = accounts.find(({ path }) => path === '/accounts/:accountId/transactions');

/**
 * A page of the transactions of an account, as the bank shows it with its quirks: the answer of the endpoint, without HTTP and
 * signatures. `accountId` is the id of the ledger.
 */
async function wireList(
  bank: Bank,
  { tpp, psu: { psuId }, redirectUri, sessionId }: AccountRequest,
  accountId: string,
  query: Readonly<Record<string, string>>,
): Promise<WireReport> {
  if (endpoint === undefined) throw new Error('the interface lists no transactions');
  const operation = operationOf(endpoint);
  const wire = await wireIdsOf(bank);
  const parameters = new URLSearchParams(query);
  const sent = {
    'psu-id': psuId ?? '',
    'tpp-session-id': sessionId ?? '',
    'tpp-redirect-uri': redirectUri ?? '',
    'psu-ip-address': '192.0.2.10',
  };
  const from = { tpp, headers: readHeaders(sent, []) };
  const shaping = await quirkShaping(bank);
  const asked = { operation, params: { accountId: wire.show('resource', accountId) }, query: parameters, body: null };
  const { params, body: none } = (await shaping?.read(asked, from)) ?? asked;
  const call: Call = {
    ...from,
    bank,
    params,
    query: new QueryReader(parameters, endpoint.query ?? {}),
    sentTo: { method: 'GET', path: `/accounts/${accountId}/transactions`, query: String(parameters) },
    body: none,
    bytes: new Uint8Array(),
    addFacts: () => undefined,
    scaAddress: (scaId) => scaId,
    runExclusive: (work) => work(),
  };
  const { status, headers = {}, body, transactions = null } = await endpoint.handle(call);
  const told = { operation, status, headers, body, transactions };
  const answer = (await shaping?.show?.(told, call)) ?? told;
  return (JSON.parse(JSON.stringify(answer.body)) as { readonly transactions: WireReport }).transactions;
}

/** An amount of an answer in minor units of a currency with two decimals. */
function minorOf({ transactionAmount: { amount } }: Pick<ReadTransaction, 'transactionAmount'>): bigint {
  if (!/^-?\d+\.\d\d$/.test(amount)) throw new Error(`${amount} has not two decimals`);
  return BigInt(amount.replace('.', ''));
}
