import type { Members } from './exchange.ts';

/** A page of transactions that was read. */
export interface PageRead {
  readonly ids: readonly string[];
  readonly lastDate: string;
  /** Key of its list: each page that follows has it too. */
  readonly list: number;
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
  readonly offsets = new Map<string, { readonly ids: readonly string[]; readonly at: number; readonly offset: string }>();
  /** First answers by request id, method and target. */
  readonly answered = new Map<string, string>();
  lists = 0;
}
