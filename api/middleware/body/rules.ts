import { accountNamed, bbanMod11, norwegianBban, sameAccount } from '../../bodies/account.ts';
import { batchParts } from '../../bodies/sandbox/batch-parts.ts';
import { cardAmounts } from '../../bodies/sandbox/card-account-body.ts';
import { agentOutsideEea, agentWithoutIban } from './foreign-rules.ts';
import {
  knownAmounts,
  knownCardAmounts,
  knownEngagements,
  knownNumbers,
  knownSignatures,
} from '../../bodies/fixtures/known-state-rules.ts';
import { eInvoiceIssuer, kidForm, oneOfEachReference } from '../../bodies/remittance.ts';
import {
  instructedAmount,
  monthsOfExecution,
  oneRemittance,
  period,
} from '../../bodies/interface/periodic-payment-body.ts';
import type { BodyRule } from '../../bodies/rule.ts';
import {
  accountAmounts,
  bookingBeforeValue,
  oneTarget,
  privateCustomer,
  sandboxAmount,
  scaOutcome,
} from './sandbox-rules.ts';

/** The values of `rules` in the schemas. */
export const rules = {
  knownAmounts,
  knownCardAmounts,
  knownNumbers,
  knownEngagements,
  knownSignatures,
  accountNamed,
  sameAccount,
  norwegianBban,
  bbanMod11,
  agentOutsideEea,
  agentWithoutIban,
  instructedAmount,
  period,
  monthsOfExecution,
  oneRemittance,
  kidForm,
  eInvoiceIssuer,
  oneOfEachReference,
  sandboxAmount,
  accountAmounts,
  batchParts,
  cardAmounts,
  bookingBeforeValue,
  privateCustomer,
  oneTarget,
  scaOutcome,
} as const satisfies Record<string, BodyRule>;

export type RuleName = keyof typeof rules;
