/** What docs/errors.md says of a code, beside its HTTP status. */
export interface FaultAdvice {
  readonly when: string;
  readonly remedy: string;
  /** A request that leads to it without the control plane's faults; null: there is none here (rules.md E6). */
  readonly provoke: string | null;
}
