/** An ended call under /v1, with what a quirk can be heard by. */
export interface EndedCall {
  /** Method and target: `GET /v1/accounts?withBalance=true`. */
  readonly call: string;
  /** `GET /v1/accounts/{accountId}/transactions`; empty: there is none. */
  readonly operation: string;
  /** The code of a refusal, if it was one. */
  readonly code: string | null;
  /** The body of the answer. */
  readonly answer: string;
}

/** How it is told whether any call of a suite hears a quirk (docs/spec/control-plane.md GA1). */
export interface QuirkHearing {
  /** By whom it is heard, for the reason why nobody does: `reads a card`. */
  readonly by: string;
  /** Whether this call hears it. */
  readonly in: (call: EndedCall) => boolean;
}

/** A call of an operation, such as `GET /v1/accounts`. */
export function calls(by: string, operation: RegExp): QuirkHearing {
  return { by, in: (call) => operation.test(call.operation) };
}

/** A refusal with a code. */
export function refusals(by: string, code: RegExp): QuirkHearing {
  return { by, in: (call) => code.test(call.code ?? '') };
}

export const lists = calls('lists transactions', /^GET \/v1\/accounts\/\{accountId\}\/transactions$/);
export const pays = calls('initiates a domestic payment', /^POST \/v1\/(bulk-|periodic-)?payments\//);

/** A status after the SCA of the payment: not RCVD. */
export const polls: QuirkHearing = {
  by: 'reads the status of a payment after its SCA',
  in: ({ operation, answer }) =>
    /^GET .*\/\{paymentId\}(?:\/status)?$/.test(operation) && /"transactionStatus":"(?!RCVD)/.test(answer),
};

/** Any call. */
export const always: QuirkHearing = { by: 'calls the bank', in: () => true };
