/*
 * The public types of the package. This file imports nothing, so that the published declarations need no other file and no
 * other package.
 */

/** An amount as in the interface: a decimal string and a currency. */
export interface Money {
  readonly amount: string;
  readonly currency: string;
}

/** The known state of a bank at its start. Files in fixtures/ have this shape. */
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
  /** Seed of all generated ids: the same calls give the same ids. */
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
  /** A header with the value null is left out, even if it is a default. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** A text or bytes are sent as they are, anything else as JSON. */
  readonly body?: unknown;
}

/** A bank with its own ledger and clock. */
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
  /** All data of a payment. */
  payments(paymentId: string): Promise<PaymentStory>;
  /** Has a payment, an item or an occurrence of it rejected: an unsigned payment at once, else at the next attempt. */
  reject(paymentId: string, rejection: Rejection): Promise<PaymentStory>;
  /** An account by BBAN or IBAN. */
  account(number: string): Promise<AccountState>;
  /** What the runs will do and why, until a date, an instant, or for a duration such as `P30D`. Changes nothing. */
  forecast(to: string): Promise<Forecast>;
  /** Which of its behaviours TPPs have met, and what provokes the others. It is no certification. */
  coverage(options?: CoverageOptions): Promise<Coverage>;
  /** Saves ledger and clock under a name, default `snapshot`. Returns the name. */
  snapshot(name?: string): Promise<string>;
  /** Restores ledger and clock from a snapshot, default `snapshot`. */
  restore(name?: string): Promise<void>;
  /** Goes back to the fixtures and the time of the start. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

/** What to reject, and why. With neither `item` nor `occurrence`: the payment, or the next occurrence of a periodic one. */
export interface Rejection {
  /** Of a bulk payment: `payments[3]`. */
  readonly item?: string;
  /** Of a periodic payment: the nominal date, `2027-03-28`. */
  readonly occurrence?: string;
  /** For the TPP and the PSU to read, at most 140 characters. */
  readonly reason: string;
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
  /** Moves the clock on, with every settlement run in between, in order: `P3D`, `2027-03-30`, or `{to}`, `{by}`, `{runs}`, `{until}`. */
  advance(target: AdvanceTarget): Promise<AdvanceStory>;
  /** `now` can go back only while no payment has been initiated. */
  set(setting: ClockSetting): Promise<ClockState>;
}

export interface ClockSetting {
  readonly now?: string;
  readonly mode?: 'frozen' | 'running';
  /** Speed relative to the wall clock: with 3600 an hour passes in a second. */
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
  /** Only runs that had something to do. */
  readonly runs: readonly RunStory[];
  readonly skippedEmptyRuns: number;
  /** Whether the payment got the status of `until`; left out without `until`. */
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
  /** The organizationIdentifier of its certificate, `PSDNO-FSA-...`. */
  readonly id: string;
  readonly name: string;
  /**
   * A signed request to a path such as `/v1/accounts`. Set when not given: X-Request-ID, Accept, Content-Type with a body,
   * TPP-Redirect-URI, TPP-Session-ID, PSU-IP-Address, and x-accept-fix of a periodic initiation.
   */
  fetch(target: string | URL, options?: SendOptions): Promise<Response>;
  /** Initiates a payment and has its PSUs sign it. Returns the paymentId; throws when it is refused. */
  pay(order: PaymentOrder): Promise<string>;
  /** Certificate and private key in PEM, for a client that signs by itself. */
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
  /** Customer numbers of those who sign, in order. Left out: the debtor, or the PSUs who may pay for the corporation. */
  readonly signedBy?: readonly string[];
  /** More members of the body, or others: `{ creditorName: 'Company 123' }`. */
  readonly more?: Readonly<Record<string, unknown>>;
}

export interface Approval {
  /** Left out: `PRIVATE`. */
  readonly context?: 'PRIVATE' | 'CORPORATE';
  /** Needed if the PSU has several agreements: the id, the name, or the owner's number. */
  readonly agreement?: string;
  /** The accounts that a consent grants, by number or id. Left out: all of them. */
  readonly accounts?: readonly string[];
}

/** A PSU who answers the SCA page. Each method takes the `scaRedirect`, an address or a link, and returns the redirect address. */
export interface Psu {
  readonly customerNumber: string;
  approve(scaRedirect: ScaRedirect, approval?: Approval): Promise<URL>;
  cancel(scaRedirect: ScaRedirect): Promise<URL>;
  /** `failure`: the code that the redirect carries, SCA_INVALID when left out. */
  fail(scaRedirect: ScaRedirect, failure?: string): Promise<URL>;
  /** The PSU comes after the 15 minutes that the link lives: the redirect has the code SCA_EXPIRED. */
  expire(scaRedirect: ScaRedirect): Promise<URL>;
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
    /** Null: the clock alone made it, at the beginning of the due day. */
    readonly wall: string | null;
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
  /** `planned`: in the future, and not scheduled for a run yet. */
  readonly status: string;
  /** Why `bank.reject` has it rejected. */
  readonly rejection?: string;
}

export interface PaymentEntry {
  readonly item?: string;
  readonly account: string;
  readonly accountName: string;
  /** Negative: a debit. */
  readonly amount: Money;
  readonly nominalDate: string;
  /** Null while it is pending. */
  readonly bookingDate: string | null;
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
  /** Balance plus credit line, which a settlement run compares with the amount. */
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

export interface CoverageOptions {
  /** A TPP, or its id. Left out: all together. */
  readonly tpp?: string | { readonly id: string };
  /** Only what concerns a client that pays (`pisp`) or one that reads accounts (`aisp`). */
  readonly for?: 'pisp' | 'aisp';
}

export interface Coverage {
  readonly behaviours: readonly {
    readonly name: string;
    readonly kind: 'operation' | 'product' | 'status' | 'code' | 'situation';
    readonly met: boolean;
    /** Bank time of the first time; null when it was not met. */
    readonly first: string | null;
    readonly count: number;
    /** The one line that provokes it. */
    readonly how: string;
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
  /** Text with the rule, the name of the holiday, the funds. */
  readonly reason: string;
}

/** What `expect.extend` takes, of jest and of other runners. */
export interface MatcherResult {
  readonly pass: boolean;
  message(): string;
}

/** A type, not an interface, so that `expect.extend(matchers)` takes it. */
export type SandbankMatchers = {
  /** A payment, or a promise of it: one of its executions settled on that date. */
  toSettleOn(this: unknown, received: unknown, date: string): Promise<MatcherResult>;
  /** A payment, or a promise of it: rejected, after so many attempts. */
  toBeRejectedAfter(this: unknown, received: unknown, attempts: number): Promise<MatcherResult>;
  /** An account, or a promise of it: `NOK 100.00`, pending entries counted. */
  toHaveBalance(this: unknown, received: unknown, balance: string): Promise<MatcherResult>;
};
