import type { SwitchedOn } from '../bodies/rule.ts';
import type { Violation } from './body-faults.ts';

/** Whether a body fits its schema; if not, `errors` has every fault. */
export interface Validator {
  (this: RuleContext, body: unknown): boolean;
  errors?: readonly Violation[] | null;
}

/** What rules need besides the body. */
export interface RuleContext {
  readonly quirks: SwitchedOn;
}

/**
 * The validators that a build makes (scripts/build/make-validators.ts), by the name of the schema that each is given.
 * None in the sources.
 */
export const madeValidators: Readonly<Record<string, (schema: object, own: object) => Validator>> = {};
