/*
 * Reads a customer's accounts each night, without the customer, and keeps books that are right to the øre (AISP).
 *
 * BANK=http://127.0.0.1:7263 PSU_ID=... CERTIFICATE=cert.pem KEY=key.pem BOOKS=books.json node reader.ts
 *
 * PSU_ID: the `psu-id` of the redirect after the customer's consent. TODAY: the date. The default is today in Oslo. Prints a line for each
 * account. The exit code is 1 if a person has to look: the customer must consent again, or the books do not add up.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { signingFetch } from 'sandbank/client';

export interface Transaction {
  readonly transactionId: string;
  readonly bookingDate: string;
  readonly transactionAmount: { readonly amount: string; readonly currency: string };
}

/** What is kept of an account: everything booked from `since` up to the end of the day before `next`. */
export interface Book {
  readonly since: string;
  readonly next: string;
  /** The balance at the beginning of the day `next`. */
  readonly opening: string;
  readonly booked: readonly Transaction[];
}

/** By `resourceId`. */
export type Books = Readonly<Record<string, Book>>;

export interface Result {
  readonly account: string;
  /** `later`: the next night reads these days too. `consent`: the customer must consent again. `wrong`: the books do not add up. */
  readonly outcome: 'read' | 'later' | 'consent' | 'wrong';
  readonly text: string;
}

interface Accounts {
  readonly accounts: readonly { readonly resourceId: string; readonly name: string }[];
}
interface Balances {
  readonly balances: readonly { readonly balanceType: string; readonly balanceAmount: { readonly amount: string } }[];
}
interface Page {
  readonly transactions: {
    readonly booked: readonly Transaction[];
    readonly _links: { readonly next?: { readonly href: string } };
  };
}

/** What the bank refused, with the first of its codes. */
class Refusal extends Error {
  readonly code: string;
  constructor(code: string, text: string) {
    super(text);
    this.code = code;
  }
}

/**
 * Brings the books up to the end of yesterday: a day that has ended gets no more booked transactions. An account that cannot be read
 * tonight keeps its book, and the next night continues there. Returns the new books, and a result for each account.
 */
export async function readNight(
  send: typeof fetch,
  psuId: string,
  today: string,
  books: Books,
): Promise<{ readonly books: Books; readonly results: readonly Result[] }> {
  const kept: Record<string, Book> = { ...books };
  const results: Result[] = [];
  try {
    const { accounts } = await ask<Accounts>(send, psuId, '/v1/accounts');
    for (const { resourceId, name } of accounts) {
      try {
        const book = await readAccount(send, psuId, resourceId, today, kept[resourceId]);
        kept[resourceId] = book;
        results.push({ account: name, outcome: 'read', text: `${book.booked.length} transactions, ${book.opening}` });
      } catch (error) {
        results.push({ account: name, ...failed(error) });
      }
    }
  } catch (error) {
    results.push({ account: 'all', ...failed(error) });
  }
  return { books: kept, results };
}

async function readAccount(send: typeof fetch, psuId: string, id: string, today: string, book?: Book): Promise<Book> {
  if (book?.next === today) return book;
  const path = `/v1/accounts/${encodeURIComponent(id)}`;
  const { balances } = await ask<Balances>(send, psuId, `${path}/balances`);
  const opening = balances.find(({ balanceType }) => balanceType === 'openingBooked')?.balanceAmount.amount ?? '';
  // The first night has no balance to add to: its book begins today.
  if (book === undefined) return { since: today, next: today, opening, booked: [] };
  const period = `bookingStatus=booked&limit=1000&dateFrom=${book.next}&dateTo=${dayBefore(today)}`;
  const added: Transaction[] = [];
  // A page is a read, and the bank allows four a day: a large limit.
  for (let page: string | undefined = `${path}/transactions?${period}`; page !== undefined;) {
    const { transactions }: Page = await ask<Page>(send, psuId, page);
    added.push(...transactions.booked);
    page = transactions._links.next?.href;
  }
  const sum = added.reduce((all, { transactionAmount }) => all + units(transactionAmount.amount), units(book.opening));
  if (sum !== units(opening)) throw new Error(`${book.opening} and ${added.length} transactions are not ${opening}`);
  return { ...book, next: today, opening, booked: [...book.booked, ...added.toReversed()] };
}

function failed(error: unknown): Pick<Result, 'outcome' | 'text'> {
  if (!(error instanceof Error)) throw error;
  if (!(error instanceof Refusal)) return { outcome: 'wrong', text: error.message };
  const isOver = ['CONSENT_EXPIRED', 'CONSENT_INVALID', 'PSU_CREDENTIALS_INVALID'].includes(error.code);
  return { outcome: isOver ? 'consent' : 'later', text: `${error.code}: ${error.message}` };
}

type Said<Answer> = Answer & { readonly tppMessages?: readonly { readonly code: string; readonly text: string }[] };

/**
 * A read without PSU-IP-Address: the customer is not there. What is no whole answer of the bank, such as the page of a gateway, is asked for
 * again a second later.
 */
async function ask<Answer>(send: typeof fetch, psuId: string, path: string, tries = 3): Promise<Answer> {
  // Where the bank sends the customer after a new consent: without it the bank cannot ask for one.
  const redirect = { 'TPP-Redirect-URI': 'https://reader.example/consented' };
  const headers = { Accept: 'application/json', 'PSU-ID': psuId, 'PSU-Context': 'PRIVATE', ...redirect };
  const answer = await send(path, { headers }).catch(() => null);
  const said = (await answer?.json().catch(() => null)) as Said<Answer> | null;
  if (answer === null || said === null) {
    if (tries === 1) throw new Refusal('NO_ANSWER', 'The bank did not answer.');
    await wait(1_000);
    return ask(send, psuId, path, tries - 1);
  }
  if (answer.ok) return said;
  const [first] = said.tppMessages ?? [];
  throw new Refusal(first?.code ?? String(answer.status), first?.text.split('\n')[0] ?? 'The bank gave no reason.');
}

/** An amount in hundred-thousandths: no currency has more than five decimals. */
function units(amount: string): bigint {
  const [whole = '', decimals = ''] = amount.split('.');
  return BigInt(whole + decimals.padEnd(5, '0'));
}

function dayBefore(date: string): string {
  return new Date(Date.parse(date) - 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
}

if (process.argv[1]?.endsWith('reader.ts')) {
  const { BANK: base = '', PSU_ID = '', CERTIFICATE = '', KEY = '', BOOKS = 'books.json', TODAY } = process.env;
  const today = TODAY ?? new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Oslo' }).format();
  const send = signingFetch({ base, certificate: readFileSync(CERTIFICATE, 'utf8'), key: readFileSync(KEY, 'utf8') });
  const before = existsSync(BOOKS) ? (JSON.parse(readFileSync(BOOKS, 'utf8')) as Books) : {};
  const { books, results } = await readNight(send, PSU_ID, today, before);
  // In one piece: a night that is interrupted leaves the books of the night before.
  writeFileSync(`${BOOKS}.new`, JSON.stringify(books, null, 2));
  renameSync(`${BOOKS}.new`, BOOKS);
  for (const { account, outcome, text } of results) console.log(`${account}: ${outcome}, ${text}`);
  process.exitCode = results.some(({ outcome }) => outcome === 'consent' || outcome === 'wrong') ? 1 : 0;
}
