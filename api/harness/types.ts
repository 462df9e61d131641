/*
 * What the package promises its callers. Nothing is imported here, so that the published declarations are this one file and
 * need no other package's types.
 */

/** A decimal string and its currency, as the interface has them. */
export interface Money {
  readonly amount: string;
  readonly currency: string;
}

/** What a bank starts from; a file in fixtures/ has this shape too. */
export interface Fixtures {
  readonly customers: readonly FixtureCustomer[];
  readonly agreements: readonly FixtureAgreement[];
}

export interface FixtureCustomer {
  readonly customerNumber: string;
  readonly name: string;
  readonly type: 'private' | 'corporate';
  readonly note?: string;
  readonly accounts: readonly FixtureAccount[];
  readonly cards?: readonly FixtureCard[];
}

export interface FixtureAccount {
  readonly accountName: string;
  readonly bban: string;
  readonly iban: string;
  readonly currency: string;
  readonly product: string;
  readonly cashAccountType: 'CACC' | 'TAXE' | 'SVGS';
  /** `18000.00` */
  readonly balance: string;
  readonly creditLine?: string;
  readonly kidAgreement?: 'MOD10' | 'MOD11';
  readonly signaturesRequired?: number;
  readonly paymentsAllowed?: boolean;
}

export interface FixtureCard {
  readonly name: string;
  readonly maskedPan: string;
  readonly product: string;
  readonly currency: string;
  readonly creditLimit: string;
  readonly balance: string;
}

export interface FixtureAgreement {
  /** The corporation's customerNumber. */
  readonly owner: string;
  readonly name: string;
  readonly engagements: readonly {
    /** The PSU's customerNumber. */
    readonly customer: string;
    readonly iban: string;
    readonly roles: readonly ('VIEW' | 'REGISTER')[];
  }[];
}

export interface CreateBankOptions {
  /** The instant at which the bank's time starts: `2027-03-24T12:00:00+01:00`, or a date. Left out: the wall clock's. */
  readonly now?: string;
  /** Left out: `frozen`, so that time moves only when a test says so. */
  readonly mode?: 'frozen' | 'running';
  /** A name in fixtures/, the path of a JSON file, or the known state itself. Left out: `known-state`. */
  readonly fixtures?: string | Fixtures;
  /** Names of quirks to switch on. */
  readonly quirks?: readonly string[];
  /** The runs of a banking day, Oslo time: `['05:30', '15:30']`. */
  readonly settlementTimes?: readonly string[];
  /** How long a signing basket lives: `PT24H`. */
  readonly basketLifetime?: string;
  /** A text that all ids follow from: the same calls give the same ids. */
  readonly idSeed?: string;
  /** Listens on 127.0.0.1; 0 takes a free port. Left out: no port at all, and only `bank.fetch` and its TPPs reach it. */
  readonly port?: number;
  /** Left out: `silent`. */
  readonly logLevel?: 'silent' | 'fatal' | 'error' | 'warn' | 'info' | 'debug';
}

/** Opens a bank in this process, in memory, with its own ledger and clock. */
export type CreateBank = (options?: CreateBankOptions) => Promise<Bank>;

export interface SendOptions {
  readonly method?: string;
  /** One with the value null is left out, a default too. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** A text or bytes are sent as they are, anything else as JSON. */
  readonly body?: unknown;
}

/** One bank of its own. */
export interface Bank {
  /** Where it listens, without a slash at the end. Without a port: a base for `bank.fetch` alone. */
  readonly url: string;
  readonly clock: BankClock;
  /** An unsigned request to a path or an address of this bank. */
  fetch(target: string | URL, options?: SendOptions): Promise<Response>;
  /** A third party of that name (`default` when left out), with a certificate of its own. */
  tpp(options?: TppOptions): Tpp;
  /** A person who signs, by customer number. */
  psu(customerNumber: string): Psu;
  /** Everything that the bank knows of a payment. */
  payments(paymentId: string): Promise<PaymentStory>;
  /** An account by BBAN or IBAN. */
  account(number: string): Promise<AccountState>;
  /** What the runs will do until then, and why, changing nothing: a date, an instant, or a duration such as `P30D`. */
  forecast(to: string): Promise<Forecast>;
  /** Keeps ledger and clock under a name; `snapshot` when left out. Returns the name. */
  snapshot(name?: string): Promise<string>;
  /** Goes back to a snapshot, ledger and clock. */
  restore(name?: string): Promise<void>;
  /** Back to the fixtures and the instant of the start. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

/** A date or an instant to go to, a duration to pass, a number of runs, or a status of a payment to wait for. */
export type AdvanceTarget =
  | string
  | { readonly to: string }
  | { readonly by: string }
  | { readonly runs: number }
  | { readonly until: { readonly paymentId: string; readonly status: string } };

export interface BankClock {
  /** The bank's time, ISO 8601 with the Oslo offset. */
  now(): Promise<string>;
  /** Lets time pass, every settlement run in between in order: `P3D`, `2027-03-30`, or `{to}`, `{by}`, `{runs}`, `{until}`. */
  advance(target: AdvanceTarget): Promise<AdvanceStory>;
  /** `now` backwards only while no payment was initiated. */
  set(setting: ClockSetting): Promise<ClockState>;
}

export interface ClockSetting {
  readonly now?: string;
  readonly mode?: 'frozen' | 'running';
  /** How many times as fast as the wall clock: 3600 lets an hour pass in a second. */
  readonly rate?: number;
}

export interface RunAt {
  /** `2027-03-30/1` */
  readonly id: string;
  readonly at: string;
}

export interface ClockState {
  readonly now: string;
  readonly date: string;
  readonly mode: 'frozen' | 'running';
  readonly rate: number;
  readonly wall: string;
  readonly lastRun: RunAt;
  readonly nextRun: RunAt;
}

export interface RunStory extends RunAt {
  readonly settled: number;
  readonly retried: number;
  readonly rejected: number;
  readonly booked: number;
  readonly registered: number;
}

export interface AdvanceStory {
  readonly from: string;
  readonly to: string;
  /** Those that had something to do. */
  readonly runs: readonly RunStory[];
  readonly skippedEmptyRuns: number;
  /** Whether the payment got the status that was awaited; left out where none was. */
  readonly reached?: boolean;
}

export interface TppOptions {
  /** Letters, digits and hyphens; its id follows from it. */
  readonly name?: string;
  /** Left out: both. */
  readonly roles?: readonly ('PSP_AI' | 'PSP_PI')[];
}

/** A third party that signs its requests. */
export interface Tpp {
  /** What the bank knows it by, `PSDNO-FSA-...`. */
  readonly id: string;
  readonly name: string;
  /**
   * A signed request to a path such as `/v1/accounts`. Set when not given: X-Request-ID, Accept, Content-Type with a body,
   * TPP-Redirect-URI, TPP-Session-ID, PSU-IP-Address, and x-accept-fix of a periodic initiation.
   */
  fetch(target: string | URL, options?: SendOptions): Promise<Response>;
  /** Initiates a payment and has its PSUs sign it. Returns the paymentId; throws when it is refused. */
  pay(order: PaymentOrder): Promise<string>;
  /** For a client that signs by itself; PEM. */
  credentials(): Promise<{ readonly certificate: string; readonly key: string }>;
}

/** A payment in NOK from an account of this bank to any Norwegian account. */
export interface PaymentOrder {
  /** BBAN or IBAN of the debtor. */
  readonly from: string;
  /** BBAN or IBAN of the creditor. */
  readonly to: string;
  /** `250.00` */
  readonly amount: string;
  /** The requested execution date, or the start of a periodic payment. Left out: today. */
  readonly on?: string;
  /** A frequency such as `Monthly` makes it periodic. */
  readonly every?: string;
  /** The end of a periodic payment. */
  readonly until?: string;
  /** Who signs, in this order, by customer number. Left out: the debtor, or those who may pay for the corporation. */
  readonly signedBy?: readonly string[];
  /** More members of the body, or others: `{ creditorName: 'Company 123' }`. */
  readonly more?: Readonly<Record<string, unknown>>;
}

export interface Approval {
  /** Left out: `PRIVATE`. */
  readonly context?: 'PRIVATE' | 'CORPORATE';
  /** Where the PSU has several: its id, its name, or its owner's number. */
  readonly agreement?: string;
  /** Of a consent: those that are granted, by number or id. Left out: all of them. */
  readonly accounts?: readonly string[];
}

/** Answers the SCA page in one call. Each takes the `scaRedirect`, an address or a link, and returns where the browser goes then. */
export interface Psu {
  readonly customerNumber: string;
  approve(scaRedirect: ScaRedirect, approval?: Approval): Promise<URL>;
  cancel(scaRedirect: ScaRedirect): Promise<URL>;
  /** `failure`: the code that the redirect carries, SCA_INVALID when left out. */
  fail(scaRedirect: ScaRedirect, failure?: string): Promise<URL>;
}

export type ScaRedirect = string | URL | { readonly href: string };

/** As GET /sandbox/payments/{paymentId} has it. */
export interface PaymentStory {
  readonly paymentId: string;
  readonly service: string;
  readonly product: string;
  readonly tpp: { readonly id: string; readonly name: string };
  readonly status: string;
  readonly forcedStatus: string | null;
  /** Null for a periodic payment. */
  readonly executionDate: string | null;
  readonly initiation: unknown;
  readonly history: readonly {
    readonly status: string;
    readonly at: string;
    readonly wall: string;
    readonly cause: string;
  }[];
  readonly signatures: readonly { readonly psu: string; readonly name: string; readonly at: string }[];
  readonly attempts: readonly PaymentAttempt[];
  readonly occurrences: readonly PaymentOccurrence[];
  readonly entries: readonly PaymentEntry[];
}

export interface PaymentAttempt {
  /** Of a bulk payment: `payments[3]`. */
  readonly item?: string;
  /** `2027-03-30/1`; null for an instant payment. */
  readonly run: string | null;
  readonly at: string;
  readonly nominalDate: string;
  readonly available: Money;
  readonly needed: Money;
  readonly outcome: 'settle' | 'retry' | 'reject';
}

export interface PaymentOccurrence {
  readonly item?: string;
  readonly nominalDate: string;
  readonly executionDate: string;
  /** `planned`: still to come, and not laid for the runs yet. */
  readonly status: string;
}

export interface PaymentEntry {
  readonly item?: string;
  readonly account: string;
  readonly accountName: string;
  /** Negative: a debit. */
  readonly amount: Money;
  readonly nominalDate: string;
  readonly bookingDate: string;
  readonly valueDate: string;
  readonly booked: boolean;
}

export interface AccountState {
  readonly bban: string | null;
  readonly iban: string | null;
  readonly name: string;
  /** The holder's customer number. */
  readonly holder: string;
  /** All posted entries, pending ones too. */
  readonly balance: Money;
  /** The balance and the credit line: what a settlement run looks at. */
  readonly available: Money;
  /** The latest first, 20 at most. */
  readonly transactions: readonly {
    /** Negative: a debit. */
    readonly amount: Money;
    readonly bookingDate: string;
    readonly booked: boolean;
    /** Whom it went to or came from, or what it is about. */
    readonly text: string;
  }[];
}

export interface Forecast {
  readonly from: string;
  readonly to: string;
  readonly executions: readonly ForecastExecution[];
}

export interface ForecastExecution {
  readonly paymentId: string;
  readonly item?: string;
  readonly account: string;
  /** Of a periodic payment. */
  readonly nominalDate?: string;
  readonly executionDate: string;
  readonly run: { readonly date: string; readonly number: number; readonly at: string };
  readonly outcome: 'settle' | 'retry' | 'reject';
  readonly available: Money;
  readonly needed: Money;
  /** The rule, the holiday by name, the funds. */
  readonly reason: string;
}

/** What `expect.extend` takes, of jest and of other runners. */
export interface MatcherResult {
  readonly pass: boolean;
  message(): string;
}

export interface SandbankMatchers {
  /** A payment, or a promise of it: one of its executions settled on that date. */
  toSettleOn(this: unknown, received: unknown, date: string): Promise<MatcherResult>;
  /** A payment, or a promise of it: rejected, after so many attempts. */
  toBeRejectedAfter(this: unknown, received: unknown, attempts: number): Promise<MatcherResult>;
  /** An account, or a promise of it: `NOK 100.00`, pending entries counted. */
  toHaveBalance(this: unknown, received: unknown, balance: string): Promise<MatcherResult>;
}
