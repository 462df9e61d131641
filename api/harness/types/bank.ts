import type {
  AdvanceStory,
  BankInfo,
  BankOptions,
  ClockState,
  Fixtures,
  Forecast,
  InspectedPayment,
  Money,
  PaymentEntry,
  PaymentStatus,
  PlatformMoved,
  When,
  Quirk,
  Rejection,
} from './answers.ts';
import type { Expectations } from './expectations.ts';
import type { BankAnswer, Psu, SendOptions, Tpp, TppOptions } from './tpp.ts';

export interface CreateBankOptions extends BankOptions {
  /** When the bank's time starts: `2027-03-24T12:00:00+01:00`, a date, or a Date. The default is now. */
  readonly now?: BankInstant;
  /** The default is `frozen`, so that only the test moves the time. */
  readonly mode?: 'frozen' | 'running';
  /** A name in fixtures/, the path of a JSON file, or the known state itself. The default is `known-state`. */
  readonly fixtures?: string | Fixtures;
  /**
   * Begins as a copy of a bank: the path or the bytes of a saved one, or one that is open. It has the ledger, clock,
   * settings, quirks, profile and armed faults of the other; other options win, and `now` goes forward only. A reset
   * goes back to where the copy began.
   */
  readonly from?: string | Uint8Array | Bank;
  /**
   * Who lives on accounts, with a year of past: a persona by the number of its account (docs/life.md). A name, a path,
   * or one itself.
   */
  readonly life?: Readonly<Record<string, string | object>>;
  /** Quirks to switch on: `['signature-401']`, or `{ 'reissued-ids': 'P7D', 'plain-json': true }`. */
  readonly quirks?:
    | readonly (Quirk | `${Quirk}=${string}`)[]
    | { readonly [Name in Quirk]?: boolean | string | number };
  /** A bank of the platform: the id of a listed profile, the path of a JSON file, or the profile itself. */
  readonly profile?: string | object;
  /** How long a signing basket lives: `PT24H`. */
  readonly basketLifetime?: string;
  /** Seed of all generated ids: the same calls give the same ids. */
  readonly idSeed?: string;
  /**
   * Port on 127.0.0.1; 0 takes a free one. By default it has no port, and only `bank.fetch` and the bank's TPPs reach
   * it.
   */
  readonly port?: number;
  /** The default is `silent`. */
  readonly logLevel?: 'silent' | 'fatal' | 'error' | 'warn' | 'info' | 'debug';
}

/**
 * Opens a bank in this process, in memory, with its own ledger and clock.
 *
 *     await using bank = await createBank({ now: '2027-03-24T12:00:00+01:00' });
 *     await bank.clock.now(); // => '2027-03-24T12:00:00.000+01:00'
 */
export type CreateBank = (options?: CreateBankOptions) => Promise<Bank>;

/** Options of openPlatform, for all its banks. Settlement times and cut-offs are those of each bank. */
export type OpenPlatformOptions = Omit<CreateBankOptions, 'from' | 'profile' | 'life' | 'port' | keyof BankOptions>;

/**
 * Opens a bank for each bank of the platform, with its settings and quirks: those of which a portal, or an answer, was
 * seen.
 *
 *     await using platform = await openPlatform({ now: '2027-03-24T12:00:00+01:00' });
 *     platform[0]?.profile.name; // => 'Bien Sparebank'
 */
export type OpenPlatform = (options?: OpenPlatformOptions) => Promise<Platform>;

/** The banks of the platform in the order of their ids. `await using` closes all. */
export interface Platform extends ReadonlyArray<PlatformBank>, AsyncDisposable {
  /**
   * Moves the clock of every bank to one instant: an instant, or a duration from the clock that is furthest ahead.
   * Throws if the clock of a bank is past the instant, and moves none; a bank that fails on the way is named, with
   * those that moved.
   *
   *     const { to } = await platform.advance('P3D');
   *     to; // => '2027-03-27T12:00:00.000+01:00'
   */
  advance(target: BankInstant): Promise<PlatformMoved>;
  /**
   * When one payment is where, at each bank: its run, its booking and its value date, each with its source. Changes
   * nothing.
   *
   *     const { banks } = await platform.when({ at: '2027-03-24T14:20:00+01:00', amount: '2500.00' });
   *     banks.length; // => platform.length
   */
  when(question?: WhenQuestion): Promise<When>;
  /**
   * Ends all banks.
   *
   *     await platform.close();
   */
  close(): Promise<void>;
}

/** A payment in question; what is left out has the default of `GET /sandbox/when`. */
export interface WhenQuestion {
  readonly amount?: string;
  readonly currency?: string;
  readonly product?: When['product'];
  readonly customer?: When['customer'];
  /** When it is initiated and signed. The default is now, by the clock of the bank that answers, here the first one. */
  readonly at?: BankInstant;
  /** Account number or IBAN. The default is one in another bank. */
  readonly creditor?: string;
}

/** A bank of the platform, with a ledger and a clock of its own. */
export interface PlatformBank extends Bank {
  readonly profile: {
    /** `bien-sparebank` */
    readonly id: string;
    readonly name: string;
    readonly group: string;
    /** The first four digits of its account numbers; none if nobody has published them. The test data have others. */
    readonly registerNumbers: readonly string[];
    /** The host of its developer portal, or null if nobody has seen it. */
    readonly portalHost: string | null;
    /** How much is known of the bank. */
    readonly quality: 'rich' | 'partial' | 'name only';
  };
}

/** `name` makes a bank beside others; without it only `token` and `ca` fit. */
export interface ConnectBankOptions extends BankOptions, Pick<CreateBankOptions, 'now' | 'mode' | 'profile'> {
  /** The `SANDBANK_CONTROL_TOKEN` of the server, if it has one. */
  readonly token?: string;
  /**
   * For an `https` address: the CA that issued the certificate of the server, PEM, as `GET /sandbox/ca` has it. The
   * default is those that Node trusts.
   */
  readonly ca?: string;
  /**
   * The name of a bank beside others. If the server has no bank of this name, the call creates one with these options.
   */
  readonly name?: string;
  /** A name in the server's fixtures/, or the known state itself. The default is `known-state`. */
  readonly fixtures?: string | Fixtures;
  /**
   * With `name`: begins as a copy of a bank of the server, by its name, of a snapshot of one, or of a saved bank: its
   * path, its bytes, or a bank of this process. A path that could be a name is `./FILE`.
   */
  readonly from?: string | Uint8Array | { readonly bank: string; readonly snapshot?: string } | Bank;
  /** Quirks to switch on: `['signature-401']`, or `{ 'reissued-ids': 'P7D', 'plain-json': true }`. */
  readonly quirks?: CreateBankOptions['quirks'];
}

/**
 * Reaches the bank of a running server, such as `npx --no sandbank serve` or a container, with the calls of
 * `createBank`. Its `close` leaves the bank running. Throws a Mistake if no bank answers.
 *
 *     const bank = await connectBank('http://127.0.0.1:7263');
 *     const name = `worker-${process.env.JEST_WORKER_ID}`;
 *     const own = await connectBank('http://127.0.0.1:7263', { name, now: '2027-03-24' });
 */
export type ConnectBank = (address: string | URL, options?: ConnectBankOptions) => Promise<Bank>;

/** A bank with its own ledger and clock. `await using` closes it. */
export interface Bank extends AsyncDisposable {
  /** The bank's address, without a slash at the end. Without a port, only `bank.fetch` and the bank's TPPs reach it. */
  readonly url: string;
  readonly clock: BankClock;
  /**
   * Sends an unsigned request to a path or an address of this bank. `tpp.sign` returns the headers of a signed one.
   *
   *     const answer = await bank.fetch('/v1/accounts');
   *     (await answer.json()).tppMessages?.[0]?.code; // => 'SIGNATURE_MISSING'
   */
  fetch(target: string | URL, options?: SendOptions): Promise<BankAnswer>;
  /**
   * A third party with its own certificate and key. Default name: `default`.
   *
   *     bank.tpp({ name: 'wish' }).name; // => 'wish'
   */
  tpp(options?: TppOptions): Tpp;
  /**
   * A person who signs, by customer number.
   *
   *     bank.psu('13039319955').customerNumber; // => '13039319955'
   */
  psu(customerNumber: string): Psu;
  /**
   * Everything about a payment. Throws a BankError for an unknown id, 404 NOT_FOUND.
   *
   *     const { status, why } = await bank.payments(payment);
   *     status; // => 'PDNG'
   *     why; // => 'settles Wed 24 Mar, 13:30, if funds suffice'
   */
  payments(paymentId: string): Promise<PaymentStory>;
  /**
   * The bank rejects a payment, or an item or occurrence of it: an unsigned payment at once, a signed one at its next
   * attempt.
   *
   *     await bank.reject(payment, { reason: 'the creditor account is closed' });
   *     await bank.clock.advance({ runs: 1 });
   *     (await bank.payments(payment)).status; // => 'RJCT'
   */
  reject(paymentId: string, rejection: Rejection): Promise<PaymentStory>;
  /**
   * An account by BBAN or IBAN. Throws a BankError for an unknown number, 404 NOT_FOUND.
   *
   *     (await bank.account('09232911044')).balance; // => { amount: '18000.00', currency: 'NOK' }
   */
  account(number: string): Promise<AccountState>;
  /**
   * Adds money to an account, by BBAN or IBAN, in its currency. It is booked at once, so that the next run can use it.
   * Returns the account. Throws a BankError for a wrong amount, 400, and for an unknown number, 404 NOT_FOUND.
   *
   *     const { balance } = await bank.topUp('34300000012', '500.00');
   *     balance.amount; // => '512.00'
   */
  topUp(account: string, amount: string): Promise<AccountState>;
  /**
   * Version, settings, quirks and addresses of this bank, and the PSUs to sign as, with their accounts.
   *
   *     const { psus } = await bank.info();
   *     psus[0]?.customerNumber; // => '13039319955'
   */
  info(): Promise<BankInfo>;
  /**
   * What the runs will do, and why: until a date or an instant, or for a duration such as `P30D` or `PT12H`; 10 years
   * at most. Changes nothing.
   *
   *     const { executions } = await bank.forecast('P1D');
   *     executions[0]?.outcome; // => 'settle'
   */
  forecast(to: BankInstant): Promise<Forecast>;
  /**
   * Saves ledger and clock under a name, default `snapshot`. Returns the name.
   *
   *     await bank.snapshot('before'); // => 'before'
   */
  snapshot(name?: string): Promise<string>;
  /**
   * Goes back to a snapshot, default `snapshot`, as often as you like.
   *
   *     await bank.snapshot();
   *     await bank.clock.advance('P3D');
   *     await bank.restore();
   *     await bank.clock.now(); // => '2027-03-24T12:00:00.000+01:00'
   */
  restore(name?: string): Promise<void>;
  /**
   * Goes back to the fixtures and the time of the start.
   *
   *     await bank.reset();
   *     (await bank.account('09232911044')).balance.amount; // => '18000.00'
   */
  reset(): Promise<void>;
  /**
   * Saves the bank as one file, which `npx --no sandbank open FILE` opens: ledger, clock, requests and settings.
   *
   *     await bank.save('before.sandbank');
   *     await using later = await createBank({ from: 'before.sandbank' });
   *     (await later.payments(payment)).status; // => 'PDNG'
   */
  save(file: string): Promise<void>;
  /**
   * Opens a copy of this bank, as `createBank({ from: bank })` does: same calls have the same effect there, and this
   * bank does not notice. The copy of a server's bank is in this process, and its clock stands still.
   *
   *     await using other = await bank.copy();
   *     await other.clock.advance('P1D');
   *     await bank.clock.now(); // => '2027-03-24T12:00:00.000+01:00'
   */
  copy(options?: Omit<CreateBankOptions, 'from'>): Promise<Bank>;
  /**
   * Draws payments on the days of the bank, as the console does: an SVG with its own styles. Left of the bank's time is
   * what happened, right of it what the forecast says.
   *
   *     await bank.picture([payment], 'easter.svg');
   */
  picture(payments: string | readonly string[], file: string): Promise<void>;
  /**
   * Ends the bank. Calls under way fail, as with `reset` and `restore`: an `await` is missing.
   *
   *     await bank.close();
   */
  close(): Promise<void>;
}

/** All that the bank knows of a payment. */
export interface PaymentStory extends InspectedPayment {
  /** Entries on the debtor account. */
  readonly entries: readonly PaymentEntry[];
  /** Entries on the creditor's account if it is in this bank, else on the bank's own `Clearing NOK`; fees. */
  readonly otherEntries: readonly PaymentEntry[];
}

export interface AccountState {
  readonly bban: string | null;
  readonly iban: string | null;
  readonly name: string;
  /** The holder's customer number. */
  readonly holder: string;
  /** All posted entries, pending ones too. */
  readonly balance: Money;
  /** Balance plus credit line, less what is reserved. A payment settles if this covers it. */
  readonly available: Money;
  /** The latest first, 20 at most. */
  readonly transactions: readonly {
    /** Negative: a debit. */
    readonly amount: Money;
    /** Null while it is pending. */
    readonly bookingDate: string | null;
    readonly booked: boolean;
    /** Name of the counterparty, else the remittance information. */
    readonly text: string;
  }[];
}

/** What `expect.extend` takes, of jest and of other runners. */
export interface MatcherResult {
  readonly pass: boolean;
  message(): string;
}

/** The functions behind {@link Expectations}. A type, not an interface, so that `expect.extend(matchers)` takes it. */
export type SandbankMatchers = {
  [Name in keyof Expectations]: (
    this: unknown,
    received: unknown,
    expected: Parameters<Expectations[Name]>[0],
  ) => Promise<MatcherResult>;
};

/**
 * A date, `2027-03-30`, which is 00:00 of that day, before its runs; an instant with its offset,
 * `2027-03-30T05:30:00+02:00`, or a Date.
 */
export type BankInstant = string | Date;

/**
 * An instant to go to, a duration to pass, a number of runs, or a status of a payment to wait for. A duration is ISO
 * 8601: `P3D`, `P6M`, `PT12H`; a text that begins with P is one, and `by` takes it too. One call advances 10 years at
 * most.
 */
export type AdvanceTarget =
  | BankInstant
  | { readonly to: BankInstant }
  | { readonly by: string }
  | { readonly runs: number }
  | { readonly until: { readonly paymentId: string; readonly status: PaymentStatus } };

export interface BankClock {
  /**
   * The bank's time, ISO 8601 with the Oslo offset.
   *
   *     await bank.clock.now(); // => '2027-03-24T12:00:00.000+01:00'
   */
  now(): Promise<string>;
  /**
   * Moves the clock on, with every settlement run in between, in order.
   *
   *     const { reached } = await bank.clock.advance({ until: { paymentId: payment, status: 'ACSC' } });
   *     reached; // => true
   *     await bank.clock.advance('2027-03-31'); // 00:00 of that day: the runs of the 30th have been
   *     await bank.clock.advance('P3D');
   *     (await bank.clock.advance({ runs: 5 })).to; // => '2027-04-05T15:30:00.000+02:00'
   *
   * With `until` the clock stops when the payment has that status. It also stops when the payment ends in another
   * status: `reached` is then false. Throws a BankError for a status that no run can give, 409 CONFLICT, and for more
   * than 10 years, 400 BAD_REQUEST.
   */
  advance(target: AdvanceTarget): Promise<AdvanceStory>;
  /**
   * `now` can go back only while no payment has been initiated.
   *
   *     const { mode } = await bank.clock.set({ mode: 'running', rate: 60 });
   *     mode; // => 'running'
   */
  set(setting: ClockSetting): Promise<ClockState>;
}

/** The fake timers of a test: `jest`, `vi` of vitest, or `mock.timers` of node:test. */
export type FakeTimers =
  | {
      advanceTimersByTime(ms: number): unknown;
      setSystemTime(now: number): unknown;
      isFakeTimers?(): boolean;
    }
  | { tick(ms: number): unknown; setTime(ms: number): unknown };

/**
 * Has the fake clock of a test go with the clock of a bank: after each move `Date` is the bank's time, and the timers
 * that were due on the way have fired in their order. Fake the timers first. Ends with the bank, or when the function
 * that it resolves with is called.
 *
 *     jest.useFakeTimers();
 *     await followClock(bank, jest);
 *     await bank.clock.advance('P3D');
 *
 * The bank stops at each timer on the way, so that a timer finds the bank at its time; with node:test, at those of the
 * global `setTimeout` and `setInterval` that are set later. A server must run with `--follow-clock`. Throws for a
 * running clock, and for a `Date` that is not faked.
 */
export type FollowClock = (bank: Bank, timers: FakeTimers) => Promise<() => void>;

export interface ClockSetting {
  readonly now?: BankInstant;
  readonly mode?: 'frozen' | 'running';
  /** Speed relative to the wall clock: with 3600 an hour passes in a second. */
  readonly rate?: number;
}
