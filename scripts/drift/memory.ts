import type { Difference } from './difference.ts';
import type { Members } from './exchange.ts';

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
  /** Differences of earlier answers that a later one has shown, by the number of their exchange. */
  readonly late: { readonly number: number; readonly difference: Difference }[] = [];
  /** Where each account was read last. */
  readonly places = new Map<string, { readonly number: number; readonly path: string }>();
  /** The list that was read last, if its page is full and has no link to a next one. */
  lastPage: { readonly id: string } | null = null;

  /** Forgets what was read of accounts: they may be others now. */
  forget(): void {
    for (const map of [
      this.accounts,
      this.transactions,
      this.posted,
      this.offsets,
      this.orders,
      this.numbers,
      this.places,
    ])
      map.clear();
  }
}
