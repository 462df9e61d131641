import { Refusal, type Fault } from '../values/fault.ts';

/** Allowed values: a list of choices, or bounds by name. */
export type Allowed = readonly string[] | Readonly<Record<string, string>>;

/** A refusal of the control plane with the allowed values (docs/spec/control-plane.md). */
export class NotAllowed extends Refusal {
  readonly allowed: Allowed;

  constructor(fault: Fault, allowed: Allowed, ...others: readonly Fault[]) {
    super(fault, ...others);
    this.name = 'NotAllowed';
    this.allowed = allowed;
  }
}
