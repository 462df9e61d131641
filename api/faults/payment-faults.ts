import type { FaultAdvice } from './fault-advice.ts';

/** Payments, baskets and other resources (rules.md P1-P14, R1-R10). */
export const paymentFaults = {
  CANCELLATION_INVALID: {
    when: 'The payment can no longer be cancelled.',
    remedy: 'Look for DELETE among the verbs of its self link before you try.',
    provoke: 'DELETE a signed payment that is due today (PDNG).',
  },
  CARD_INVALID: {
    when: 'The card number is unknown, or not tied to the PSU.',
    remedy: 'Check it with the PSU. No call of this bank takes a card number.',
    provoke: null,
  },
  CONFLICT: {
    when: 'A payment like one that exists already: same date, amount, debtor and creditor. Under `/v1/sandbox`: what is to be created exists, or another call is moving the clock or resetting the ledger.',
    remedy: 'If it is meant, repeat the initiation with `allowLogicalDuplicate=true`.',
    provoke: 'Initiate the same payment twice, with different X-Request-IDs.',
  },
  EXECUTION_DATE_INVALID: {
    when: 'The date has passed, is beyond 2099, or leaves a periodic payment without any day of execution.',
    remedy:
      'Ask for the bank date of today or a later one; `GET /sandbox/clock` has it. As a WARNING it names the day it was moved to.',
    provoke: 'Initiate a payment with yesterday as `requestedExecutionDate`.',
  },
  KID_INVALID: {
    when: 'The check digit of the KID does not suit the agreement of the creditor account.',
    remedy: 'Let the PSU type it again.',
    provoke: 'Pay to the known account with a KID agreement with the KID `11`.',
  },
  KID_MISSING: {
    when: 'The creditor account takes payments with a KID only, or an electronic invoice comes without one.',
    remedy:
      'Add a reference of type SCOR. A standing order cannot carry a KID: send single payments, or name another creditorAccount.',
    provoke: 'Pay to the known account with a KID agreement without a reference.',
  },
  NO_PIIS_ACTIVATION: {
    when: 'The PSU has not opened the account to the funds confirmation of this TPP.',
    remedy: 'Let the PSU do so with the bank. This bank offers no funds confirmation.',
    provoke: null,
  },
  PAYMENT_FAILED: {
    when: 'The payment cannot be made for what it is: the wrong currency, debtor and creditor the same account, ...',
    remedy: 'Correct the member that `path` names.',
    provoke: 'Initiate a domestic credit transfer in EUR.',
  },
  PRODUCT_INVALID: {
    when: 'The product exists, and this PSU may not use it.',
    remedy: 'Use another product.',
    provoke: null,
  },
  PRODUCT_UNKNOWN: {
    when: 'The service has no such product.',
    remedy: 'Use one that the text lists.',
    provoke: '`POST /v1/payments/cash-by-pigeon`.',
  },
  REFERENCE_MIX_INVALID: {
    when: "The payments do not go into one signing basket: they are made from accounts of different owners, or belong to different PSUs. Payments of two PSUs get this code only if the call has neither `PSU-ID` nor `X-PSU-IDENTITY`. With one of these headers, the other PSU's payment is RESOURCE_UNKNOWN.",
    remedy: 'Make a basket for each PSU and context.',
    provoke: '`POST /v1/signing-baskets` with payments of two PSUs, without `PSU-ID` and `X-PSU-IDENTITY`.',
  },
  REFERENCE_STATUS_INVALID: {
    when: 'A payment of the signing basket takes no further signature.',
    remedy: 'Leave out what `path` names.',
    provoke: '`POST /v1/signing-baskets` with a payment that is signed.',
  },
  RESOURCE_BLOCKED: {
    when: 'The payment waits in a signing basket and is signed with it.',
    remedy: 'Authorise the basket, or wait until it is removed.',
    provoke: 'Start the authorisation of a payment that is in a signing basket.',
  },
  RESOURCE_EXPIRED: {
    when: 'The resource is gone by the bank clock: a signing basket after its 24 hours.',
    remedy: 'Make a new one.',
    provoke: 'Make a signing basket, `POST /sandbox/clock/advance {"by": "P1D"}`, then read it.',
  },
  RESOURCE_UNKNOWN: {
    when: "This TPP and PSU have no such resource. It may be another's, booked and gone, or removed by a reset.",
    remedy: 'Check id, service, product and PSU-ID. A booked payment is read as a transaction.',
    provoke: '`GET /v1/payments/norwegian-domestic-credit-transfers/nothing`.',
  },
  STATUS_INVALID: {
    when: 'The resource takes no further authorisation.',
    remedy: 'Read its status instead.',
    provoke: 'Start the authorisation of a payment that is signed.',
  },
} as const satisfies Readonly<Record<string, FaultAdvice>>;
