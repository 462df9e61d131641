import { accountNamed, bbanMod11, norwegianBban, sameAccount } from './account-rules.ts';
import { knownAmounts, knownEngagements, knownNumbers } from './known-state-rules.ts';
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
  knownNumbers,
  knownEngagements,
  accountNamed,
  sameAccount,
  norwegianBban,
  bbanMod11,
  instructedAmount,
  period,
  monthsOfExecution,
  oneRemittance,
  sandboxAmount,
  accountAmounts,
  bookingBeforeValue,
  privateCustomer,
  oneTarget,
  scaOutcome,
} as const satisfies Record<string, BodyRule>;

export type RuleName = keyof typeof rules;
