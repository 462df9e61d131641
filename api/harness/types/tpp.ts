import type {
  FaultCode,
  Frequency,
  Link,
  PaymentProduct,
  PaymentStatus,
  ReadAccount,
  ReadBalance,
  ReadBookedTransaction,
  ReadPayment,
  ReadPaymentStatus,
  ReadTransaction,
  TppMessage,
} from './answers.ts';

export interface TppOptions {
  /** Letters, digits and hyphens. The id and the private key follow from the name. */
  readonly name?: string;
  /** The default is both. */
  readonly roles?: readonly ('PSP_AI' | 'PSP_PI')[];
}

/** An answer of the bank. Its `json` has a type: of a refusal, or the one that is named. */
export interface BankAnswer extends Response {
  /**
   * The body. Name what it has, or read a refusal without a name:
   *
   *     const { paymentId } = await answer.json<{ paymentId: string }>();
   *     const code = (await answer.json()).tppMessages?.[0]?.code;
   */
  json<Body = Refused>(): Promise<Body>;
}

/** What the body of a refusal under `/v1` has. */
export interface Refused {
  /** What is wrong; the first one gives the status. */
  readonly tppMessages?: readonly TppMessage[];
  /** `scaRedirect`, where the PSU could help. */
  readonly _links?: { readonly scaRedirect?: Link };
}

export interface SendOptions {
  readonly method?: string;
  /** A header that is null is neither sent nor signed: `{ Signature: null }`. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** Text and bytes are sent as they are, everything else as JSON. */
  readonly body?: unknown;
}

/** Options of a signed request. */
export interface SignedSendOptions extends SendOptions {
  /**
   * Changes the headers after they were signed, for a request that the bank has to refuse:
   *
   *     const spoil = (headers: SignedHeaders) => {
   *       headers.Signature = headers.Signature.replace('rsa-sha256', 'rsa-sha512');
   *     };
   *     const answer = await bank.tpp().fetch('/v1/accounts', { spoil });
   */
  readonly spoil?: Spoil;
}

/**
 * Assigns to the headers of a signed request. Its result is ignored.
 *
 *     const spoil = (headers: SignedHeaders) => (headers.Signature = 'none');
 *     (await tpp.fetch('/v1/accounts', { spoil })).status; // => 400
 */
export type Spoil = (headers: SignedHeaders) => unknown;

/** A third party that signs its requests. */
export interface Tpp {
  /** The organizationIdentifier of its certificate, `PSDNO-FSA-...`. */
  readonly id: string;
  readonly name: string;
  /**
   * Sends a signed request to a path such as `/v1/accounts`. Default headers: X-Request-ID, Accept, TPP-Redirect-URI,
   * TPP-Session-ID, PSU-IP-Address, Content-Type if there is a body, and x-accept-fix for a periodic payment.
   *
   *     const answer = await tpp.fetch(`/v1/payments/norwegian-domestic-credit-transfers/${payment}/status`);
   *     (await answer.json<{ transactionStatus: string }>()).transactionStatus; // => 'PDNG'
   */
  fetch(target: string | URL, options?: SignedSendOptions): Promise<BankAnswer>;
  /**
   * Returns the headers that `fetch` would send. `bank.fetch` sends them unchanged, with this body or another.
   *
   *     const headers = await tpp.sign('/v1/accounts');
   *     (await bank.fetch('/v1/accounts', { headers: { ...headers, Date: 'today' } })).status; // => 400
   */
  sign(target: string | URL, options?: SendOptions): Promise<SignedHeaders>;
  /**
   * Initiates a payment and has its PSUs sign it. Returns the paymentId. Throws a BankError if the bank refuses the
   * payment or a PSU cannot sign. The payment is then deleted, and the error has its `paymentId`. An unknown account in
   * `from` is 400 RESOURCE_UNKNOWN.
   *
   *     const payment = await bank.tpp().pay({ from: '09232911044', to: '90491105991', amount: '250.00' });
   *     (await bank.payments(payment)).status; // => 'PDNG'
   */
  pay(order: PaymentOrder): Promise<string>;
  /**
   * Reads a payment as this TPP sees it; `bank.payments` shows more. Throws a BankError if the bank refuses: the
   * payment is booked, or another TPP made it.
   *
   *     (await tpp.payment(payment)).instructedAmount; // => { amount: '250.00', currency: 'NOK' }
   */
  payment(paymentId: string): Promise<ReadPayment>;
  /**
   * Reads the status of a payment as this TPP sees it. Throws as `payment` does, and for a domestic payment that nobody
   * has signed yet: the interface hides its status.
   *
   *     (await tpp.status(payment)).transactionStatus; // => 'PDNG'
   */
  status(paymentId: string): Promise<ReadPaymentStatus>;
  /**
   * Deletes a payment. A PSU signs the deletion if it needs a signature. Throws a BankError if the bank refuses.
   *
   *     const later = await tpp.pay({ ...order, on: '2027-04-01' });
   *     await tpp.cancel(later);
   *     (await bank.payments(later)).status; // => 'CANC'
   */
  cancel(paymentId: string, options?: CancelOptions): Promise<void>;
  /**
   * Starts an authorisation of a payment that needs another signature. Returns the address of the SCA page for a PSU:
   *
   *     const unsigned = await tpp.pay({ ...order, signedBy: [] });
   *     await bank.psu('13039319955').approve(await tpp.authorise(unsigned));
   *     (await tpp.status(unsigned)).transactionStatus; // => 'PDNG'
   */
  authorise(paymentId: string): Promise<URL>;
  /**
   * A PSU lets this TPP read accounts. Returns their reader. Throws a BankError if the PSU cannot, with 401
   * CONSENT_INVALID for a PSU without private accounts and cards: `context: 'CORPORATE'` grants the accounts of a
   * corporation.
   *
   *     const reader = await bank.tpp().consent({ psu: '13039319955' });
   *     const [account] = await reader.accounts();
   *     account?.bban; // => '09232911044'
   */
  consent(order: ConsentOrder): Promise<AccountReader>;
  /**
   * Certificate and private key in PEM, for a client with its own signing.
   *
   *     const { certificate } = await tpp.credentials();
   *     certificate.startsWith('-----BEGIN CERTIFICATE-----'); // => true
   */
  credentials(): Promise<{ readonly certificate: string; readonly key: string }>;
}

/** All headers of a signed request, `Digest` too when it has a body. A test may change them. */
export interface SignedHeaders {
  [name: string]: string;
  Signature: string;
  'TPP-Signature-Certificate': string;
  Date: string;
  'X-Request-ID': string;
}

export interface CancelOptions {
  /**
   * Who signs the cancellation if it needs a signature: the first of a list, as one is enough. The default is somebody
   * who may sign. `[]`: nobody signs, and the payment stays.
   */
  readonly signedBy?: SignedBy;
}

export interface ConsentOrder extends Approval {
  /** Customer number of the PSU. */
  readonly psu: string;
}

export interface Approval {
  /** The default is `PRIVATE`. */
  readonly context?: 'PRIVATE' | 'CORPORATE';
  /**
   * With `CORPORATE`: the id or name of the agreement, or its owner's number. Required if the PSU has several
   * agreements.
   */
  readonly agreement?: string;
  /** The accounts to grant, by number or id. The default is all. `[]` grants none, and an earlier consent ends. */
  readonly accounts?: readonly string[];
}

/**
 * A PSU who answers the SCA page. Each method takes the `scaRedirect`, an address or a link, and returns the redirect
 * address.
 */
export interface Psu {
  readonly customerNumber: string;
  /**
   * Signs, or grants a consent. If the bank refuses, the address has the `code`, such as FORBIDDEN.
   *
   *     await bank.psu('13039319955').approve(await tpp.authorise(unsigned));
   *     (await bank.payments(unsigned)).status; // => 'PDNG'
   */
  approve(scaRedirect: ScaRedirect, approval?: Approval): Promise<URL>;
  /**
   * The PSU cancels the SCA: the redirect has the code SCA_INVALID, and the payment waits for another SCA.
   *
   *     const back = await bank.psu('13039319955').cancel(await tpp.authorise(unsigned));
   *     back.searchParams.get('code'); // => 'SCA_INVALID'
   */
  cancel(scaRedirect: ScaRedirect): Promise<URL>;
  /**
   * One of several signers rejects the payment for all: it becomes CANC, and the redirect has the code SCA_INVALID.
   *
   *     await bank.psu('17818050100').reject(await tpp.authorise(ofTwo));
   *     (await bank.payments(ofTwo)).status; // => 'CANC'
   */
  reject(scaRedirect: ScaRedirect): Promise<URL>;
  /**
   * The PSU fails to identify. `failure`: the code in the redirect. The default is SCA_INVALID.
   *
   *     const back = await bank.psu('13039319955').fail(await tpp.authorise(unsigned), 'PSU_CREDENTIALS_INVALID');
   *     back.searchParams.get('code'); // => 'PSU_CREDENTIALS_INVALID'
   */
  fail(scaRedirect: ScaRedirect, failure?: FaultCode): Promise<URL>;
  /**
   * Revokes a consent of this PSU directly with the bank. The TPP is not told: the bank refuses its next reading, 401
   * CONSENT_INVALID. `consent`: the result of `tpp.consent`. Returns the address of the PSU's page of access, on which
   * it can give the consent again. Throws a BankError if this PSU did not grant it, 404 NOT_FOUND.
   *
   *     await bank.psu('13039319955').revoke(reader);
   *     await reader.accounts().catch((error: BankError) => error.code); // => 'CONSENT_INVALID'
   */
  revoke(consent: AccountReader): Promise<URL>;
  /**
   * The PSU comes too late: the link lives 15 minutes. The redirect has the code SCA_EXPIRED.
   *
   *     const back = await bank.psu('13039319955').expire(await tpp.authorise(unsigned));
   *     back.searchParams.get('code'); // => 'SCA_EXPIRED'
   */
  expire(scaRedirect: ScaRedirect): Promise<URL>;
}

/** `_links.scaRedirect` of an answer, or its `href`. */
export type ScaRedirect = string | URL | { readonly href: string };

/**
 * The bank refused a call, or a payment could not be made. A wrong argument, such as a misspelt option, is a plain
 * Error.
 */
export declare class BankError extends Error {
  /** Of a payment that was initiated. */
  readonly paymentId?: string;
  /**
   * The HTTP status of the refusal. If a PSU could not sign: the status in the redirect address. Left out if the bank
   * refused nothing: everybody in `signedBy` signed, and a signature is still missing.
   */
  readonly status?: number;
  /** The first code of the refusal. Left out with `status`. */
  readonly code?: FaultCode;
  /** The status that the payment had when it failed. */
  readonly paymentStatus?: PaymentStatus;
}

/** A payment from an account of this bank. One with `every` is periodic, one with `payments` a bulk payment. */
export type PaymentOrder = SinglePaymentOrder | PeriodicPaymentOrder | VariablePaymentOrder | BulkPaymentOrder;

/** The customer number of one person, or those of several, in their order. */
export type SignedBy = string | readonly string[];

/** What every order has. */
export interface CommonOrder {
  /** BBAN or IBAN of the debtor. */
  readonly from: string;
  /**
   * Who signs. The default is the debtor, or the PSUs who may pay for the corporation. `[]`: nobody, and the payment
   * stays RCVD. If one person signs where two must, it stays PATC.
   */
  readonly signedBy?: SignedBy;
  /** Adds members to the body, or replaces them: `{ creditorName: 'Company 123' }`. */
  readonly more?: Readonly<Record<string, unknown>>;
  /**
   * Changes the signed headers of the initiation, so that the bank refuses it: `(headers) => (headers.Signature =
   * 'none')`.
   */
  readonly spoil?: Spoil;
}

/** A creditor and an amount. */
export interface Transfer {
  /** BBAN or IBAN of the creditor. */
  readonly to: string;
  /** `250.00` */
  readonly amount: string;
  /**
   * The KID of the creditor's invoice: 2 to 25 digits, the last may be `-`. Only for a domestic payment that is made
   * once.
   */
  readonly kid?: string;
}

/** Members that do not go with an order. */
type Without<Names extends string> = { readonly [Name in Names]?: never };
type SingleMember = 'product' | 'currency' | 'allowDuplicate';
type PeriodicMember = 'every' | 'until' | 'dayOfExecution' | 'monthsOfExecution' | 'executionRule';

/** A payment that is made once. */
export interface SinglePaymentOrder extends CommonOrder, Transfer, Without<PeriodicMember | 'payments'> {
  /**
   * The default is `norwegian-domestic-credit-transfers`. The instant one is settled when it is signed, and takes no
   * `on`.
   */
  readonly product?: PaymentProduct;
  /** Currency of the amount, and of the creditor's account. The default is NOK, of `sepa-credit-transfers` EUR. */
  readonly currency?: string;
  /** The requested execution date, `2027-03-30`. The default is today. */
  readonly on?: string;
  /** Allows a payment like an earlier one. If it is left out, the bank refuses it, 400 CONFLICT. */
  readonly allowDuplicate?: boolean;
}

/** A payment that is made again and again: `{ ...order, on: '2027-04-15', every: 'Monthly', until: '2027-12-31' }`. */
export interface PeriodicPaymentOrder
  extends CommonOrder, Omit<Transfer, 'kid'>, Without<SingleMember | 'kid' | 'monthsOfExecution' | 'payments'> {
  /** The start: the day of the first payment, or an earlier day. */
  readonly on: string;
  readonly every: Exclude<Frequency, 'MonthlyVariable'>;
  /** The last possible day of a payment. By default there is no end. */
  readonly until?: string;
  /** The day of the month, 1 to 31. If a month lacks that day: its last day. The default is the day of `on`. */
  readonly dayOfExecution?: number;
  /**
   * What replaces a closed day: the next banking day, or the one before. `preceeding` is the interface's spelling. The
   * default is `following`.
   */
  readonly executionRule?: 'following' | 'preceeding';
}

/**
 * A payment in some months of each year: `{ ..., on: '2027-03-01', every: 'MonthlyVariable', dayOfExecution: 15,
 * monthsOfExecution: [3, 6, 9] }`.
 */
export interface VariablePaymentOrder extends Omit<PeriodicPaymentOrder, 'every' | 'monthsOfExecution'> {
  readonly every: 'MonthlyVariable';
  /** 1 is January. December is refused, unless the quirk `december-month` is on. */
  readonly monthsOfExecution: readonly number[];
}

/**
 * Several domestic payments from one account, signed together: `{ from, payments: [{ to, amount }, { to, amount }] }`.
 */
export interface BulkPaymentOrder
  extends CommonOrder, Without<PeriodicMember | keyof Transfer | 'product' | 'currency'> {
  readonly payments: readonly BulkPaymentItem[];
  /** The requested execution date of all. The default is today. */
  readonly on?: string;
  /** Allows payments like earlier ones. */
  readonly allowDuplicate?: boolean;
}

export interface BulkPaymentItem extends Transfer {
  /** Adds members to the item, or replaces them. */
  readonly more?: Readonly<Record<string, unknown>>;
}

/**
 * Reads accounts with a PSU's consent, as an AISP. Name an account by BBAN, IBAN or resourceId. For an account that was
 * deleted, or that the PSU has not granted, a BankError with `status` 404 and `code` RESOURCE_UNKNOWN is thrown.
 */
export interface AccountReader {
  /**
   * Headers for `tpp.fetch` that name PSU and session: `psu-id`, `tpp-session-id`, and `psu-corporate-id` for a
   * corporation.
   */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * The accounts that the PSU granted.
   *
   *     (await reader.accounts()).map(({ currency }) => currency); // => ['NOK', 'NOK', 'EUR', 'NOK']
   */
  accounts(options?: ReadOptions): Promise<readonly ReadAccount[]>;
  /**
   * Throws a BankError for an account that the PSU has not granted, 404 RESOURCE_UNKNOWN.
   *
   *     const balances = await reader.balances('09232911044');
   *     balances.find(({ balanceType }) => balanceType === 'interimBooked')?.balanceAmount.amount; // => '18000.00'
   */
  balances(account: string, options?: ReadOptions): Promise<readonly ReadBalance[]>;
  /**
   * Booked and pending transactions, of all pages. Throws as `balances` does.
   *
   *     await bank.clock.advance({ runs: 2 });
   *     const { booked } = await reader.transactions('09232911044', { from: '2027-03-24' });
   *     booked[0]?.transactionAmount.amount; // => '-250.00'
   */
  transactions(account: string, options?: TransactionPeriod): Promise<ReadTransactions>;
  /**
   * A booked transaction, by its `transactionId`. A bulk payment has its transfers in `entryDetails`. Throws as
   * `balances` does, and for an id that the account does not have, 403 RESOURCE_UNKNOWN.
   *
   *     await bank.clock.advance({ runs: 2 });
   *     const { booked } = await reader.transactions('09232911044');
   *     const read = await reader.transaction('09232911044', booked[0]?.transactionId ?? '');
   *     read.transactionAmount.amount; // => '-250.00'
   */
  transaction(account: string, transactionId: string, options?: ReadOptions): Promise<ReadBookedTransaction>;
}

export interface ReadOptions {
  /**
   * The PSU is absent: the request has no `PSU-IP-Address`. In 24 hours of bank time the bank allows 4 such reads of an
   * account's balances, 4 of its list of transactions and 4 of single transactions; then 429 ACCESS_EXCEEDED.
   */
  readonly unattended?: boolean;
}

export interface TransactionPeriod extends ReadOptions {
  /** The first booking date, `2027-03-01`. The default is as far back as the bank gives. */
  readonly from?: string;
  /** The last booking date. The default is today. */
  readonly to?: string;
}

export interface ReadTransactions {
  readonly booked: readonly ReadBookedTransaction[];
  readonly pending: readonly ReadTransaction[];
}
