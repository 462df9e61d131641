import { accountNamed, bbanMod11, norwegianBban, sameAccount } from './account-rules.ts';
import { batchParts } from './batch-rules.ts';
import { cardAmounts } from './card-rules.ts';
import { agentOutsideEea, agentWithoutIban } from './foreign-rules.ts';
import {
  knownAmounts,
  knownCardAmounts,
  knownEngagements,
  knownNumbers,
  knownSignatures,
} from './known-state-rules.ts';
import { eInvoiceIssuer, kidForm, oneOfEachReference } from './reference-rules.ts';
import { instructedAmount, monthsOfExecution, oneRemittance, period } from './payment-rules.ts';
import type { BodyRule } from './rule.ts';
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
