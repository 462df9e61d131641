/*
 * The engine's closed lists, as the package has them. The build writes each out as a union of texts (scripts/build-package.ts),
 * so that a published declaration imports nothing of ours.
 */
import type { Quirk as QuirkOfBank } from '../../../engine/bank/rules/quirk.ts';
import type { AttemptOutcome as OutcomeOfBank } from '../../../engine/settlement/rules/settlement.ts';
import type { TransactionStatus } from '../../../engine/settlement/rules/transaction-status.ts';
import type { Frequency as FrequencyOfBank } from '../../../engine/time/rules/frequency.ts';
import type { FaultCode as CodeOfBank } from '../../../engine/values/fault.ts';
import type { PaymentService as ServiceOfBank, products } from '../../../engine/values/product.ts';

/** The status of a payment: `ACSC` is settled, `RJCT` rejected, `PATC` signed by some of those who must. */
export type PaymentStatus = TransactionStatus;

/** What an attempt to settle a payment came to. After `retry` the next run tries again. */
export type AttemptOutcome = OutcomeOfBank;

/** How often a periodic payment is made. `MonthlyVariable` has the months of `monthsOfExecution`. */
export type Frequency = FrequencyOfBank;

/** A code of a refusal or of a failed signature. docs/errors.md says what each means. */
export type FaultCode = CodeOfBank;

/** A behaviour of the bank with a switch, which `createBank({ quirks: [...] })` turns on. */
export type Quirk = QuirkOfBank;

/** The first part of a payment's path. */
export type PaymentService = ServiceOfBank;

/** The second part of a payment's path. */
export type PaymentProduct = (typeof products)[keyof typeof products];
