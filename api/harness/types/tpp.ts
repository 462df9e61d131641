import type { AccountReader } from './account-reader.ts';
import type { FaultCode, Link, PaymentStatus, ReadPayment, ReadPaymentStatus, TppMessage } from './answers.ts';
import type { PaymentOrder, SignedBy } from './payment-order.ts';

export interface TppOptions {
  /** Letters, digits and hyphens; its id follows from it. Each name has a private key of its own. */
  readonly name?: string;
  /** Left out: both. */
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
  /** A header with the value null is neither sent nor signed, even one that a TPP sets: `{ Signature: null }`. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** A text or bytes are sent as they are, anything else as JSON. */
  readonly body?: unknown;
}

/** What a signed request may have too. */
export interface SignedSendOptions extends SendOptions {
  /**
   * Changes the headers after they were signed, for a request that the bank has to refuse:
   *
   *     const spoil = (headers: SignedHeaders) => (headers.Signature = headers.Signature.replace('rsa-sha256', 'rsa-sha512'));
   *     const answer = await bank.tpp().fetch('/v1/accounts', { spoil });
   */
  readonly spoil?: Spoil;
}

/** Assigns to the headers of a signed request. What it returns is not used. */
export type Spoil = (headers: SignedHeaders) => unknown;

/** A third party that signs its requests. */
export interface Tpp {
  /** The organizationIdentifier of its certificate, `PSDNO-FSA-...`. */
  readonly id: string;
  readonly name: string;
  /**
   * A signed request to a path such as `/v1/accounts`. Set when not given: X-Request-ID, Accept, Content-Type with a body,
   * TPP-Redirect-URI, TPP-Session-ID, PSU-IP-Address, and x-accept-fix of a periodic initiation.
   */
  fetch(target: string | URL, options?: SignedSendOptions): Promise<BankAnswer>;
  /** The headers with which `fetch` would send that request; `bank.fetch` sends them as they are, with this body or another. */
  sign(target: string | URL, options?: SendOptions): Promise<SignedHeaders>;
  /**
   * Initiates a payment and has its PSUs sign it. Returns the paymentId. Throws a BankError when it is refused or a PSU cannot
   * sign; a payment that was initiated is deleted then, and its `paymentId` is in the error. `from` of an account that this bank does
   * not have is 400 RESOURCE_UNKNOWN.
   *
   *     const payment = await bank.tpp().pay({ from: '09232911044', to: '90491105991', amount: '250.00' });
   */
  pay(order: PaymentOrder): Promise<string>;
  /**
   * Reads a payment, as this TPP sees it; `bank.payments` knows more of it. Throws a BankError when it is refused: a payment of
   * another TPP, one that is booked.
   */
  payment(paymentId: string): Promise<ReadPayment>;
  /**
   * Reads the status of a payment, as this TPP sees it. Throws as `payment` does, and for a domestic payment that nobody has signed
   * yet: the interface does not tell its status.
   */
  status(paymentId: string): Promise<ReadPaymentStatus>;
  /** Deletes a payment, and has its PSU sign that where a signature is needed. Throws a BankError when it is refused. */
  cancel(paymentId: string, options?: CancelOptions): Promise<void>;
  /**
   * Starts an authorisation of a payment that misses a signature. Returns the address of its SCA page, for a PSU to answer:
   *
   *     const payment = await tpp.pay({ ...order, signedBy: [] });
   *     await bank.psu('13039319955').cancel(await tpp.authorise(payment));
   */
  authorise(paymentId: string): Promise<URL>;
  /**
   * Has a PSU consent that this TPP reads accounts. Returns what reads them. Throws a BankError when the PSU cannot, and with 401
   * CONSENT_INVALID for one without private accounts and cards: `context: 'CORPORATE'` grants those of a corporation.
   *
   *     const reader = await bank.tpp().consent({ psu: '13039319955' });
   *     const [account] = await reader.accounts();
   */
  consent(order: ConsentOrder): Promise<AccountReader>;
  /** Certificate and private key in PEM, for a client that signs by itself. */
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
   * Who signs the cancellation, where it needs a signature: one is enough, of a list the first. Left out: one who may. `[]`: nobody, and
   * the payment stays.
   */
  readonly signedBy?: SignedBy;
}

export interface ConsentOrder extends Approval {
  /** Customer number of the PSU. */
  readonly psu: string;
}

export interface Approval {
  /** Left out: `PRIVATE`. */
  readonly context?: 'PRIVATE' | 'CORPORATE';
  /** Needed if the PSU has several agreements: the id, the name, or the owner's number. Goes with `CORPORATE`. */
  readonly agreement?: string;
  /** The accounts that a consent grants, by number or id. Left out: all of them. `[]`: none, and an earlier consent ends. */
  readonly accounts?: readonly string[];
}

/** A PSU who answers the SCA page. Each method takes the `scaRedirect`, an address or a link, and returns the redirect address. */
export interface Psu {
  readonly customerNumber: string;
  /** Signs, or grants a consent. What the bank refuses is in the address: `code`, such as FORBIDDEN for who may not sign. */
  approve(scaRedirect: ScaRedirect, approval?: Approval): Promise<URL>;
  /** The PSU says no: the redirect has the code SCA_INVALID, and the payment waits for another SCA. */
  cancel(scaRedirect: ScaRedirect): Promise<URL>;
  /** One of several signers says no for all: the payment is CANC, and the redirect has the code SCA_INVALID. */
  reject(scaRedirect: ScaRedirect): Promise<URL>;
  /** The PSU fails to identify. `failure`: the code that the redirect carries, SCA_INVALID when left out. */
  fail(scaRedirect: ScaRedirect, failure?: FaultCode): Promise<URL>;
  /**
   * Takes back a consent of this PSU directly with the bank, which does not tell the TPP: its next reading is refused, 401 CONSENT_INVALID.
   * `consent`: what `tpp.consent` returned. Throws a BankError when the PSU has granted nothing with it, 404 NOT_FOUND.
   */
  revoke(consent: AccountReader): Promise<void>;
  /** The PSU comes after the 15 minutes that the link lives: the redirect has the code SCA_EXPIRED. */
  expire(scaRedirect: ScaRedirect): Promise<URL>;
}

/** What an answer has in `_links.scaRedirect`, or its `href`. */
export type ScaRedirect = string | URL | { readonly href: string };

/**
 * An Error of a call that the bank refused, or of a payment that could not be made. A wrong argument that no request is made of, such as
 * a misspelt option, is a plain Error.
 */
export declare class BankError extends Error {
  /** Of a payment that was initiated. */
  readonly paymentId?: string;
  /**
   * The HTTP status of the refusal; of a PSU who could not sign, the one in the redirect address. Left out when the bank refused nothing:
   * all of `signedBy` signed in `pay`, and a signature is missing still.
   */
  readonly status?: number;
  /** The first code of the refusal. Left out with `status`. */
  readonly code?: FaultCode;
  /** The status that the payment had when it failed. */
  readonly paymentStatus?: PaymentStatus;
}
