/** Text of docs/errors.md on one code. */
export interface FaultAdvice {
  readonly when: string;
  readonly remedy: string;
  /** A request that is refused with the code without an armed fault; null: there is none (rules.md E6). */
  readonly provoke: string | null;
}
