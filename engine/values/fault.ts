import { words } from './text.ts';

/**
 * All fault codes: the union of the interface's two lists (interface: TPP message, Errors; rules.md E1).
 * api/faults/fault-response.ts gives each its HTTP status.
 */
export const faultCodes = words([
  'ACCESS_EXCEEDED BAD_REQUEST CANCELLATION_INVALID CARD_INVALID CERTIFICATE_BLOCKED CERTIFICATE_EXPIRED',
  'CERTIFICATE_INVALID CERTIFICATE_MISSING CERTIFICATE_REVOKED CONFLICT CONSENT_EXPIRED CONSENT_INVALID',
  'CONSENT_UNKNOWN CORPORATE_ID_INVALID EXECUTION_DATE_INVALID FORBIDDEN FORMAT_ERROR HTTP_HEADER_REQUIRED',
  'KID_INVALID KID_MISSING NOT_FOUND NO_PIIS_ACTIVATION PARAMETER_NOT_CONSISTENT PARAMETER_NOT_SUPPORTED',
  'PAYMENT_FAILED PERIOD_INVALID PRODUCT_INVALID PRODUCT_UNKNOWN PSU_CREDENTIALS_INVALID',
  'QUERY_PARAMETER_REQUIRED REFERENCE_MIX_INVALID REFERENCE_STATUS_INVALID REQUESTED_FORMATS_INVALID',
  'RESOURCE_BLOCKED RESOURCE_EXPIRED RESOURCE_UNKNOWN ROLE_INVALID SCA_EXPIRED SCA_INVALID SCA_METHOD_UNKNOWN',
  'SCA_NOT_FOUND SERVICE_BLOCKED SERVICE_INVALID SESSIONS_NOT_SUPPORTED SIGNATURE_INVALID SIGNATURE_MISSING',
  'STATUS_INVALID SYSTEM_ERROR TIMESTAMP_INVALID',
]);

export type FaultCode = (typeof faultCodes)[number];

/**
 * Where the fault is. The HTTP status of some codes depends on the place (interface: Errors): an account id in the
 * path, another resource in the path, the payload, the method, the size of the body or of the headers, the time that
 * the request took to arrive, its content type. `unavailable` means that the bank cannot take the call now. Without a
 * place the code has its usual status.
 */
export type FaultPlace =
  | 'account'
  | 'path'
  | 'payload'
  | 'method'
  | 'size'
  | 'header-size'
  | 'time'
  | 'content-type'
  | 'unavailable';

export interface Fault {
  readonly code: FaultCode;
  /** Says what was wrong, what the bank expected and what to do, in at most 512 characters (rules.md E1). */
  readonly text: string;
  /** The offending field, header or parameter: `instructedAmount.amount`, `x-request-id`. */
  readonly path?: string;
  readonly place?: FaultPlace;
  /** Seconds of bank time until the same call can be carried out (rules.md A8b). */
  readonly retryAfter?: number;
  /** What would have been taken; the control plane tells it (docs/spec/control-plane.md). */
  readonly allowed?: Allowed;
  /** An SCA of the PSU removes the fault. `id` is that of the SCA that was opened for it, or null (rules.md E1). */
  readonly sca?: { readonly id: string | null };
}

/** Allowed values: a list of choices, or bounds by name. */
export type Allowed = readonly string[] | Readonly<Record<string, string>>;

/** A fault of a part, with its path from the whole. */
export function faultWithin(path: string, fault: Fault): Fault {
  return { ...fault, path: fault.path === undefined ? path : `${path}.${fault.path}` };
}

/** Rejects a request with one or more faults. Thrown by operations, answered by the API, never logged as an error. */
export class Refusal extends Error {
  readonly faults: readonly [Fault, ...Fault[]];

  constructor(first: Fault, ...others: readonly Fault[]) {
    super(`${first.code}: ${first.text}`);
    this.name = 'Refusal';
    this.faults = [first, ...others];
  }
}

/** Maximum number of faults in one answer (rules.md E3). */
export const maxFaults = 20;

/** The first 20 faults. The text of the last one gives the number of omitted faults out of `total`. */
function boundedFaults(faults: readonly Fault[], total: number): readonly Fault[] {
  const more = total - maxFaults;
  if (more <= 0) return faults;
  return faults
    .slice(0, maxFaults)
    .map((fault, index) =>
      index === maxFaults - 1
        ? { ...fault, text: `${fault.text} (${more} more ${more === 1 ? 'fault' : 'faults'})` }
        : fault,
    );
}

/** Throws a Refusal with the first 20 faults; does nothing without faults. `total` is the number of faults found. */
export function refuseAny(faults: readonly Fault[], total = faults.length): void {
  const [first, ...others] = boundedFaults(faults, total);
  if (first !== undefined) throw new Refusal(first, ...others);
}

/**
 * A WARNING for an accepted request (interface: TPP message; rules.md E1): moved dates (P3), ignored members (R3, R5).
 */
export interface Warning {
  readonly code: 'EXECUTION_DATE_INVALID' | 'FORMAT_ERROR';
  readonly path: string;
  readonly text: string;
}

/** Returns the result of the work, or the Refusal that it throws. Rethrows any other error. */
export async function orRefusal<T>(work: Promise<T>): Promise<T | Refusal> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

/** What a refusal allows, in texts: choices as they are, bounds with their names; none when nothing is allowed. */
export function allowedIn(allowed: unknown): readonly string[] {
  if (Array.isArray(allowed)) return allowed.map(String);
  return Object.entries(Object(allowed) as object).map(([name, value]) => `${name} ${String(value)}`);
}
