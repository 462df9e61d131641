/*
 * What the bank answers and its closed lists, as the package has them. The build writes each type out
 * (scripts/build/declarations.ts), so that a published declaration imports nothing.
 */
import type {
  knownAccount,
  knownAgreement,
  knownCard,
  knownCustomer,
  knownStateFile,
} from '../../bodies/known-state.ts';
import type { structuredRemittance } from '../../bodies/remittance.ts';
import type { advanceAnswer, clock, run, runReport } from '../../control/answers/clock-and-runs.ts';
import type { faultCode, quirkName } from '../../control/answers/names.ts';
import type { money } from '../../control/answers/forms.ts';
import type { banksMoved } from '../../control/bank-calls.ts';
import type { whenAnswer } from '../../control/when-answer.ts';
import type { forecastAnswer, forecastExecution } from '../../control/runs.ts';
import type { infoAnswer, psu } from '../../control/info.ts';
import type {
  attemptOutcome,
  paymentAnswer,
  paymentAttempt,
  paymentEntry,
  paymentOccurrence,
  productOfPayment,
  serviceOfPayment,
  statusOfPayment,
} from '../../control/payments/get-payment.ts';
import type { rejectionBody } from '../../control/payments/bank-side-payments.ts';
import type {
  account,
  balance,
  batchPart,
  exchange,
  pendingTransaction,
  transactionInFull,
} from '../../interface/accounts/accounts.ts';
import type { link, namedAccount, paymentMessage } from '../../interface/answer-parts.ts';
import type { bulkPaymentItem, frequency } from '../../interface/payments/payment-bodies.ts';
import type { anyPayment, paymentStatusAnswer } from '../../interface/payments/payment-answers.ts';
import type { address } from '../../bodies/values.ts';
import type { configuration, profileSettings } from '../../start/setting-schemas.ts';
import type { Answer } from './read-value.ts';

/** The status of a payment: `ACSC` is settled, `RJCT` rejected, `PATC` signed by some of those who must. */
export type PaymentStatus = Answer<typeof statusOfPayment>;

/** What an attempt to settle a payment came to. After `retry` the next run tries again. */
export type AttemptOutcome = Answer<typeof attemptOutcome>;

/** How often a periodic payment is made. `MonthlyVariable` has the months of `monthsOfExecution`. */
export type Frequency = Answer<typeof frequency>;

/** A code of a refusal or of a failed signature. docs/errors.md says what each means. */
export type FaultCode = Answer<typeof faultCode>;

/** A behaviour of the bank with a switch, which `createBank({ quirks: [...] })` turns on. */
export type Quirk = Answer<typeof quirkName>;

/** The first part of a payment's path. */
export type PaymentService = Answer<typeof serviceOfPayment>;

/** The second part of a payment's path. */
export type PaymentProduct = Answer<typeof productOfPayment>;

/** An amount as in the interface: a decimal string and a currency. */
export type Money = Answer<typeof money>;

/** A settlement run. */
export type RunAt = Answer<typeof run>;

export type ClockState = Answer<typeof clock>;

/** What a run did, in numbers of executions. */
export type RunStory = Answer<typeof runReport>;

/** How far the clock moved, and what was carried out on the way. */
export type AdvanceStory = Answer<typeof advanceAnswer>;

/** How the clocks of the platform moved, and what was carried out on the way. */
export type PlatformMoved = Answer<typeof banksMoved>;

/** When one payment is where, at each bank of the platform. */
export type When = Answer<typeof whenAnswer>;

/** What the runs will do. */
export type Forecast = Answer<typeof forecastAnswer>;

/** A future attempt. */
export type ForecastExecution = Answer<typeof forecastExecution>;

/** As `GET /sandbox/info` has it. */
export type BankInfo = Answer<typeof infoAnswer>;

/** The settings of a bank, but those of its clock. */
export type BankSettings = Answer<typeof configuration>;

/** The settings that every bank may have of its own. */
export type BankOptions = Answer<typeof profileSettings>;

/** A person to sign as. */
export type BankPsu = Answer<typeof psu>;

/** The known state of a bank at its start. Files in fixtures/ have this shape. */
export type Fixtures = Answer<typeof knownStateFile>;

export type FixtureCustomer = Answer<typeof knownCustomer>;

export type FixtureAccount = Answer<typeof knownAccount>;

export type FixtureCard = Answer<typeof knownCard>;

export type FixtureAgreement = Answer<typeof knownAgreement>;

/** As `GET /sandbox/payments/{paymentId}` has it. */
export type InspectedPayment = Answer<typeof paymentAnswer>;

/** One try of a settlement run. */
export type PaymentAttempt = Answer<typeof paymentAttempt>;

/** An execution of the payment, past or to come. */
export type PaymentOccurrence = Answer<typeof paymentOccurrence>;

/**
 * What to reject, and why. Without `item` and `occurrence`: the payment, or the next occurrence of a standing order.
 * `occurrence` is the nominal date.
 */
export type Rejection = Answer<typeof rejectionBody>;

/** An entry of the payment in the books. */
export type PaymentEntry = Answer<typeof paymentEntry>;

/** Where to go on. */
export type Link = Answer<typeof link>;

/** What the bank tells the TPP. */
export type TppMessage = Answer<typeof paymentMessage>;

/** An account by its numbers: those that were sent. */
export type AccountNumbers = Answer<typeof namedAccount>;

/** Where a creditor lives. */
export type PostalAddress = Answer<typeof address>;

/** A KID (`SCOR`), or the reference of an e-invoice (`CINV`). */
export type StructuredRemittance = Answer<typeof structuredRemittance>;

/** One transfer of a bulk payment, as it was sent. */
export type ReadTransfer = Answer<typeof bulkPaymentItem>;

/** As `GET /v1/payments/{product}/{paymentId}/status` has it. */
export type ReadPaymentStatus = Answer<typeof paymentStatusAnswer>;

/** As `GET /v1/payments/{product}/{paymentId}` has it: the body as the TPP sent it, and what became of the payment. */
export type ReadPayment = Answer<typeof anyPayment>;

/** As `GET /v1/accounts` has it. */
export type ReadAccount = Answer<typeof account>;

export type ReadBalance = Answer<typeof balance>;

/** As `GET /v1/accounts/{id}/transactions` has it. A pending one has no id and no dates. */
export type ReadTransaction = Answer<typeof pendingTransaction>;

export type ReadBookedTransaction = Answer<typeof transactionInFull>;

export type CurrencyExchange = Answer<typeof exchange>;

/** One transfer of a bulk payment. */
export type BatchTransfer = Answer<typeof batchPart>;
