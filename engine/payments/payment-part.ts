import type { Execution } from '../settlement/rows/executions.ts';
import { type Allowed, Refusal } from '../values/fault.ts';
import type { LocalDate } from '../values/local-date.ts';
import type { Payment } from './rows/payments.ts';

/**
 * A part of a payment: an item of a bulk payment by its index, an occurrence by its nominal date; both null: the
 * payment.
 */
export interface PaymentPart {
  readonly item: number | null;
  readonly occurrence: LocalDate | null;
}

/** How many parts a refusal names. */
export const maxNamedParts = 12;

/**
 * The execution of a part; undefined: there is none, or not yet. Throws a BAD_REQUEST for a part that payments of this
 * service do not have.
 */
export function executionOf(
  { service }: Payment,
  executions: readonly Execution[],
  { item, occurrence }: PaymentPart,
): Execution | undefined {
  if (item !== null && service !== 'bulk-payments') throw noPart('item', service);
  if (occurrence !== null && service !== 'periodic-payments') throw noPart('occurrence', service);
  return executions.find(({ sequence, nominal_date: date }) =>
    item === null ? occurrence === null || date === occurrence : sequence === item,
  );
}

/** BAD_REQUEST for a member of the call. `allowed`: what it may have. */
export function wrongMember(path: string, text: string, allowed: Allowed): Refusal {
  return new Refusal({ code: 'BAD_REQUEST', path, text, allowed });
}

function noPart(path: keyof PaymentPart, service: string): Refusal {
  return wrongMember(path, `The payment is one of ${service}: it has no ${path}. Leave ${path} out.`, []);
}
