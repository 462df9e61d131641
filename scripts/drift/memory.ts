import type { IdKind } from '../../api/quirks/encrypted-ids.ts';
import type { Quirks } from '../../engine/bank/rules/quirk.ts';
import type { Findings } from './difference.ts';
import type { Exchange, Members } from './exchange.ts';

/** An exchange to check, what the earlier ones have shown, and where its differences go. */
export interface Case {
  readonly exchange: Exchange;
  readonly memory: Memory;
  readonly quirks: Quirks;
  /** An id of each kind, as these quirks show them. */
  readonly ids: Readonly<Record<IdKind, string>>;
  readonly found: Findings;
  /** Differences of this answer that later answers show. No quirk that is on excuses them. */
  readonly late: Findings;
}

/** A page of transactions that was read. */
export interface PageRead {
  readonly ids: readonly string[];
  readonly lastDate: string;
}

/** A payment or a basket that the recording has made. */
export interface Made {
  readonly body: Members;
  /** The last status that was read; null: none. */
  status: string | null;
  /** A cancellation was begun. */
  isLeaving: boolean;
}

/** What earlier exchanges have shown. */
export class Memory {
  /** Accounts and cards by resourceId, as they were read last. */
  readonly accounts = new Map<string, Members>();
  /** By account, then by transactionId. */
  readonly transactions = new Map<string, Map<string, Members>>();
  /** Transactions of the test data that a TPP has posted, by account. */
  readonly posted = new Map<string, Members[]>();
  readonly payments = new Map<string, Made>();
  /** Ids of payments in baskets. */
  readonly inBaskets = new Set<string>();
  /** By the text of a cursor. */
  readonly cursors = new Map<string, PageRead[]>();
  /** Pages by offset: target without it, with what it showed and when. */
  readonly offsets = new Map<
    string,
    { readonly ids: readonly string[]; readonly at: number; readonly offset: string; readonly isLast: boolean }
  >();
  /** First answers by request id, method and target. */
  readonly answered = new Map<string, { readonly text: string; readonly number: number }>();
  /** The ids of each list, in its last order. */
  readonly orders = new Map<string, readonly string[]>();
  /** The resourceId of accounts, by number and name. */
  readonly numbers = new Map<string, string>();
  /** The creditor accounts of payments, by the amount of their transaction and the name of the creditor. */
  readonly paid = new Map<string, unknown>();
  /** When the first read with each PSU-ID succeeded. */
  readonly opened = new Map<string, number>();
  /** The recording asked for a consent before any read: it has the SCA that the access depends on. */
  isFresh = false;
  /** Where each account was read last, and where the differences of that answer go. */
  readonly places = new Map<string, Pick<Case, 'late'> & { readonly path: string }>();
  /** The account whose list was read last, if the page is full and has no link to a next one. */
  lastPage: string | null = null;

  /** Forgets what was read of accounts: they may be others now. */
  forget(): void {
    const { accounts, transactions, posted, offsets, orders, numbers, places } = this;
    for (const map of [accounts, transactions, posted, offsets, orders, numbers, places]) map.clear();
  }
}
