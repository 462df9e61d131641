/**
 * What a bank under a gauntlet meets, as its process records it: a call under /v1, the answer to an SCA, or its opening
 * ({@link opened}).
 */
export interface SeenCall {
  /** The bank: the file of its test, and its place among those of that file. */
  readonly bank: string;
  /** The running test; empty: the runner does not tell. */
  readonly test: string;
  /** Method and target: `GET /v1/accounts?withBalance=true`. */
  readonly call: string;
  /** `GET /v1/accounts/{accountId}/transactions`; empty: it was not looked for. */
  readonly operation: string;
  /** Null: the client got no answer. */
  readonly status: number | null;
  /** The code of a refusal, if it was one. */
  readonly code: string | null;
  /** The content type; empty: none. */
  readonly type: string;
  /** The body of the answer. */
  readonly answer: string;
  /** Whether the bank signed the answer. */
  readonly isSigned: boolean;
  /** Whether the harness itself made it, as in `tpp.pay`. */
  readonly isOfHarness: boolean;
  /** Whether the trial acted on it in a way that its body does not show. */
  readonly did: boolean;
}

/** The `call` of a bank that is opened, by whether its test sets `now`. */
export const opened = { withNow: 'createBank with now', withoutNow: 'createBank without now' } as const;

/**
 * How it is told whether a suite hears a trial (docs/spec/control-plane.md GA1), beside an answer that the trial
 * changes.
 */
export interface Hearing {
  /** By whom it is heard, for the reason why nobody does: `reads a card`. */
  readonly by: string;
  /** Whether this call hears it. */
  readonly in: (call: SeenCall) => boolean;
}

/** A call of an operation, such as `GET /v1/accounts`. */
export function calls(by: string, operation: RegExp): Hearing {
  return { by, in: (call) => operation.test(call.operation) };
}

/** A refusal with a code. */
export function refusals(by: string, code: RegExp): Hearing {
  return { by, in: (call) => code.test(call.code ?? '') };
}

export const lists = calls('lists transactions', /^GET \/v1\/accounts\/\{accountId\}\/transactions$/);
export const pays = calls('initiates a domestic payment', /^POST \/v1\/(bulk-|periodic-)?payments\//);
export const always = calls('calls the bank', / \/v1\//);
