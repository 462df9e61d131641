import type { Money, Quirk, ReadBookedTransaction } from './answers.ts';
import type { AccountReader } from './tpp.ts';

/** A booked transaction as the books of a program have it, with members as the bank shows them. */
export interface BookEntry {
  /** Left out: the program keeps no ids. */
  readonly transactionId?: string;
  readonly bookingDate: string;
  readonly transactionAmount: Money;
  /** Left out: the program keeps no texts. */
  readonly remittanceInformationUnstructured?: string;
}

/** What a program is given each night. */
export interface Night<State extends object> {
  /** Reads the account. The customer renews the consent before it ends. */
  readonly reader: AccountReader;
  /** The number of the account. */
  readonly account: string;
  /** The day that ends: `2027-03-12`. */
  readonly day: string;
  /** Empty in the first night of a profile; the program keeps in it what it likes. */
  readonly state: Partial<State>;
}

/** A program that reads an account each night, at 23:30. Returns its books: everything booked on the account since the first day. */
export type NightlyRead<State extends object> = (
  night: Night<State>,
) => readonly BookEntry[] | Promise<readonly BookEntry[]>;

export interface JudgeOptions {
  /** The banks, each as `profile` of createBank. Left out: those of which most is known. */
  readonly profiles?: readonly (string | object)[];
  /** Who lives on the account: `family`, `student` and others (docs/life.md). Left out: `family`. */
  readonly persona?: string;
  /** Number of nights, 1 to 1,000. Left out: 200. */
  readonly days?: number;
  /** The first day. Left out: `2027-01-04`. */
  readonly from?: string;
}

/** A transaction that the books have not as the bank has it. */
export interface Misbooked {
  /** As the bank shows it now; null: the bank has no such transaction. */
  readonly transaction: ReadBookedTransaction | null;
  /** What the books have of it: nothing if it is lost. */
  readonly entries: readonly BookEntry[];
  /** The habit without which it does not happen; null: it happens without the habits of this bank too. */
  readonly habit: Quirk | null;
}

/** What became of the books at one bank. */
export interface JudgedBooks {
  readonly profile: string;
  /** How many transactions the bank booked. */
  readonly transactions: number;
  readonly lost: readonly Misbooked[];
  readonly doubled: readonly Misbooked[];
  readonly changed: readonly Misbooked[];
  /** `sparebank1-sor-norge-sr: 203 doubled, first 12 March NÆRMAT TORGET −142.00 (reissued ids)` */
  readonly line: string;
}

/**
 * Judges a program that reads accounts: lets it read each night, at each of these banks, and compares its books with what the bank has booked.
 *
 *     const judged = judgeReader(read, { profiles: ['sparebank1-sor-norge-sr'], persona: 'family', days: 200 });
 *     await expect(judged).toBookEachOnce();
 */
export type JudgeReader = <State extends object = { books: readonly BookEntry[] }>(
  read: NightlyRead<State>,
  options?: JudgeOptions,
) => Promise<readonly JudgedBooks[]>;
