import { clip } from '../../engine/values/text.ts';
import type { Fault, FaultCode, FaultPlace } from '../../engine/values/fault.ts';

/** One fault on the wire (interface: TPP message). */
interface TppMessage {
  readonly category: 'ERROR';
  readonly code: FaultCode;
  readonly path?: string;
  readonly text: string;
}

interface FaultResponse {
  readonly status: number;
  readonly body: { readonly tppMessages: readonly TppMessage[] };
}

type StatusRow = number | ({ readonly otherwise: number } & { readonly [Place in FaultPlace]?: number });

// Total: a code without a row does not compile. Interface: Error codes and HTTP statuses; rules.md E2, G2, P7.
// `otherwise` is the status of a fault without a place: that of the payload; 409 for CONFLICT.
const statuses: Readonly<Record<FaultCode, StatusRow>> = {
  ACCESS_EXCEEDED: 429,
  BAD_REQUEST: { otherwise: 400, size: 413, 'header-size': 431, time: 408 },
  CANCELLATION_INVALID: 405,
  CARD_INVALID: 400,
  CERTIFICATE_BLOCKED: 401,
  CERTIFICATE_EXPIRED: 401,
  CERTIFICATE_INVALID: 401,
  CERTIFICATE_MISSING: 401,
  CERTIFICATE_REVOKED: 401,
  CONFLICT: { otherwise: 409, payload: 400 },
  CONSENT_EXPIRED: 401,
  CONSENT_INVALID: 401,
  CONSENT_UNKNOWN: { otherwise: 400, account: 403, path: 403 },
  CORPORATE_ID_INVALID: 401,
  EXECUTION_DATE_INVALID: 400,
  FORBIDDEN: 403,
  FORMAT_ERROR: { otherwise: 400, 'content-type': 415 },
  HTTP_HEADER_REQUIRED: 400,
  KID_INVALID: 400,
  KID_MISSING: 400,
  NOT_FOUND: 404,
  NO_PIIS_ACTIVATION: 400,
  PARAMETER_NOT_CONSISTENT: 400,
  PARAMETER_NOT_SUPPORTED: 400,
  PAYMENT_FAILED: 400,
  PERIOD_INVALID: 400,
  PRODUCT_INVALID: 403,
  PRODUCT_UNKNOWN: 404,
  PSU_CREDENTIALS_INVALID: 401,
  QUERY_PARAMETER_REQUIRED: 400,
  REFERENCE_MIX_INVALID: 400,
  REFERENCE_STATUS_INVALID: 409,
  REQUESTED_FORMATS_INVALID: 406,
  RESOURCE_BLOCKED: 400,
  RESOURCE_EXPIRED: { otherwise: 400, account: 403, path: 403 },
  RESOURCE_UNKNOWN: { otherwise: 400, account: 404, path: 403 },
  ROLE_INVALID: 401,
  SCA_EXPIRED: 400,
  SCA_INVALID: 400,
  SCA_METHOD_UNKNOWN: 400,
  SCA_NOT_FOUND: 404,
  SERVICE_BLOCKED: 403,
  SERVICE_INVALID: { otherwise: 400, method: 405 },
  SESSIONS_NOT_SUPPORTED: 400,
  SIGNATURE_INVALID: 400,
  SIGNATURE_MISSING: 400,
  STATUS_INVALID: 409,
  SYSTEM_ERROR: { otherwise: 500, unavailable: 503 },
  TIMESTAMP_INVALID: 400,
};
/** Maximum length of a text, in UTF-16 units: a text never has more characters than units. */
const maxText = 512;

/**
 * Makes the answer to a refusal: the HTTP status of its first fault, and all faults as tppMessages with texts of at
 * most 512 characters (rules.md E1). `signature401` is the quirk signature-401 (rules.md G2). The first text ends with
 * a line of its own that is never cut: `See` and the address `entry` (rules.md G11, G11b).
 */
export function faultResponse(
  faults: readonly [Fault, ...Fault[]],
  { signature401, entry = null }: { readonly signature401: boolean; readonly entry?: string | null },
): FaultResponse {
  const ending = entry === null ? '' : `\nSee ${entry}`;
  const tppMessages = faults.map((fault, index) => messageOf(fault, index === 0 ? ending : ''));
  return { status: statusOf(faults[0], signature401), body: { tppMessages } };
}

/** Seconds after which past reads no longer count (rules.md A8b). */
const unattendedWindow = 86_400;

/** Retry-After of a refusal, in seconds of bank time, or null. A provoked ACCESS_EXCEEDED gets a day (rules.md A8b). */
export function retryAfterOf({ code, retryAfter }: Fault): number | null {
  return retryAfter ?? (code === 'ACCESS_EXCEEDED' ? unattendedWindow : null);
}

/** All HTTP statuses of a code: the usual one first, then those of single places. */
export function statusesOf(
  code: FaultCode,
): readonly [{ readonly status: number }, ...{ readonly place: FaultPlace; readonly status: number }[]] {
  const row = statuses[code];
  if (typeof row === 'number') return [{ status: row }];
  const { otherwise, ...others } = row;
  const placed = Object.entries(others).map(([place, status]) => ({ place: place as FaultPlace, status }));
  return [{ status: otherwise }, ...placed];
}

function statusOf({ code, place }: Fault, signature401: boolean): number {
  if (signature401 && (code === 'SIGNATURE_INVALID' || code === 'SIGNATURE_MISSING')) return 401;
  const row = statuses[code];
  if (typeof row === 'number') return row;
  return (place === undefined ? undefined : row[place]) ?? row.otherwise;
}

function messageOf({ code, path, text: whole }: Fault, ending: string): TppMessage {
  const text = clip(whole, maxText - ending.length) + ending;
  return { category: 'ERROR', code, ...(path !== undefined && { path }), text };
}
