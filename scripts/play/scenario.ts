/** A value of JSON. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [member: string]: Json };

/**
 * A story of public calls to a bank of its own, with what each of them answers. It is data, without functions: a program in any
 * language can play it.
 */
export interface Scenario {
  readonly name: string;
  /** What happens, as one sentence without its full stop. */
  readonly title: string;
  /** The bank that it is played in, as `POST /sandbox/banks` takes it. */
  readonly bank: {
    readonly now: string;
    readonly mode: 'frozen' | 'running';
    readonly fixtures: string;
    readonly quirks: readonly string[];
  };
  readonly steps: readonly Step[];
  /** What came of it; `{name}` is a kept value. */
  readonly ends: string;
}

/** One call. In `path`, `headers` and `body` `{name}` is a value that an earlier step has kept. */
export interface Step {
  readonly says: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the address of the bank. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: Json;
  /** The status, and members of the answer by their paths: `accounts.0.name`. */
  readonly expect: { readonly status: number; readonly members?: Readonly<Record<string, Json>> };
  /** Paths of the members that the story shows; left out: all. */
  readonly shows?: readonly string[];
  readonly keep?: Readonly<Record<string, Kept>>;
}

/** A value to keep: a text of the answer, or what the first group of `match` finds in it. */
export interface Kept {
  readonly at: string;
  readonly match?: string;
}
