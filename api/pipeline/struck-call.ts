import type { Response } from 'express';
import { Refusal, type Fault, type FaultCode, type FaultPlace } from '../../engine/values/fault.ts';
import type { ArmedFault, ArmedFaults } from './armed-faults.ts';
import type { Answer, Call, Endpoint } from './endpoint.ts';
import { delayMs, type StruckFault } from './fault-effect.ts';
import { addFacts, logNotesOf } from './request-log.ts';
import { isSigned } from './shaping.ts';
import type { Bank } from '../../engine/open-bank.ts';
import { revokedConsent } from '../../engine/parties/rules/access.ts';
import { scaRequired } from '../../engine/consents/sca-required.ts';
import type { Reader } from '../../engine/ledger/database.ts';
import { type BodySchema, firstRequired } from '../bodies/schema.ts';
import type { RequestHeaders } from './request-headers.ts';

/** A call that armed faults may strike. */
interface StrikableCall {
  readonly call: Call;
  readonly provoked: ProvokedCall;
  /** Path of the request below the bank, with its query. */
  readonly target: string;
  readonly response: Response;
}

/** The bank fails before the commit (rules.md E6c): at the end of the call's transaction, which is rolled back. */
const notCommitted: Fault = {
  code: 'SYSTEM_ERROR',
  text: 'Provoked by POST /sandbox/faults: the bank failed before the commit. Nothing of the call was carried out.',
};

/**
 * Carries out a call that an armed fault matches, and lets the fault strike it (rules.md E6, E6b, E6c). The fault
 * strikes in the call's transaction and does the rest after it, so a call that waits holds neither a transaction nor a
 * lock. Throws a refusal. Returns null if the fault has answered, or closed the connection.
 */
export async function carryOutStruck(faults: ArmedFaults, struckCall: StrikableCall): Promise<Answer | null> {
  const { call, provoked, target, response } = struckCall;
  const { endpoint } = provoked;
  let taken: ArmedFault | undefined;
  let resets: number | undefined;
  const strike = (): Refusal | null => {
    taken = faults.take(endpoint.method, target, isSigned(response));
    // A call that is carried out after the delay must not reach a bank that was reset meanwhile.
    if (taken?.when === 'before') ({ resets } = faults);
    if (taken?.code !== undefined) return provokedRefusal(taken.code, provoked);
    return taken?.when === 'before' ? new Refusal(notCommitted) : null;
  };
  const [outcome] = await Promise.allSettled([endpoint.handle({ ...call, bank: refusingBank(call.bank, strike) })]);
  const fault = taken as ArmedFault | undefined;
  // After the commit only the bank itself fails.
  if (fault === undefined || (fault.when === 'after' && 'reason' in outcome)) return answerIn(outcome);
  if (!(await waited(faults, fault, { response, resets }))) {
    response.destroy();
    return null;
  }
  if (fault.status !== undefined) {
    sendGatewayPage(response, fault.status);
    return null;
  }
  if (fault.close === true) {
    response.destroy();
    return null;
  }
  if (fault.cut === true) endInTheMiddle(response);
  else if ('reason' in outcome && isNotCommitted(outcome.reason)) return endpoint.handle(call);
  return answerIn(outcome);
}

function isNotCommitted(error: unknown): boolean {
  return error instanceof Refusal && error.faults[0] === notCommitted;
}

function answerIn(outcome: PromiseSettledResult<Answer>): Answer {
  if ('reason' in outcome) throw outcome.reason;
  return outcome.value;
}

/**
 * Notes the fault and waits for its delay. Returns false if the connection is to close, because the bank was reset or
 * closed, the server stops, or nobody waits for the answer. A client that is gone before the commit changes nothing:
 * its call is carried out all the same.
 */
async function waited(
  faults: ArmedFaults,
  fault: ArmedFault,
  { response, resets }: { readonly response: Response; readonly resets: number | undefined },
): Promise<boolean> {
  const { delay, ...struck } = struckBy(fault);
  if (delay === undefined || faults.isFull) {
    addFacts(response, { fault: struck });
    return true;
  }
  addFacts(response, { fault: { ...struck, delay } });
  const goesOn = await faults.wait(delayMs(delay) ?? 0, { response: fault.when === 'after' ? response : null, resets });
  if (!goesOn && !response.destroyed) addFacts(response, { fault: { id: struck.id, delay, close: true } });
  return goesOn;
}

function struckBy({
  method: _method,
  path: _path,
  times: _times,
  remaining: _remaining,
  ...struck
}: ArmedFault): StruckFault {
  return struck;
}

/**
 * Breaks the answer off: sends half of its body and closes the connection. An answer without a body ends in its first
 * line.
 */
function endInTheMiddle(response: Response): void {
  response.end = (body?: unknown): Response => {
    const bytes = Buffer.from(typeof body === 'string' ? body : '');
    const half = bytes.subarray(0, bytes.length / 2);
    const close = (): unknown => response.destroy();
    logNotesOf(response).answer = half.toString();
    if (half.length > 0) response.write(half, close);
    else response.socket?.write(`HTTP/1.1 ${response.statusCode}`, close);
    return response;
  };
}

/** A call that an armed fault may refuse. */
interface ProvokedCall {
  readonly endpoint: Endpoint;
  readonly headers: Pick<RequestHeaders, 'psuId' | 'psuIdentity'>;
  /** Names of its query parameters. */
  readonly parameters: readonly string[];
  readonly schema: BodySchema | null;
  /** The header with the control token, in lower case, if the call needs it (rules.md G1). */
  readonly tokenHeader: string | null;
  /** The quirk revoked-403 (rules.md E6d). */
  readonly revoked403: boolean;
}

/** How the text of each provoked refusal begins. */
export const provokedBeginning = 'Provoked by POST /sandbox/faults';

/**
 * Makes the refusal with this code as the bank would make it for this call (rules.md E6b): the same status and path,
 * and for CONSENT_INVALID and CONSENT_EXPIRED on account information `_links.scaRedirect`.
 */
function provokedRefusal(code: FaultCode, call: ProvokedCall): Refusal {
  const text = `${provokedBeginning}: the bank would have carried the call out. docs/errors.md tells of ${code}.`;
  const place = placeOf(code, call);
  const path = blamedPath(code, call);
  const fault: Fault = { code, text, ...(place !== null && { place }), ...(path !== undefined && { path }) };
  return code === 'CONSENT_INVALID' || code === 'CONSENT_EXPIRED' ? scaRequired(fault) : new Refusal(fault);
}

/**
 * Returns the same bank, but its next transaction ends in the refusal that `strike` returns (rules.md E6b). The refusal
 * comes last, after all work has succeeded, and rolls it back; null lets the transaction commit. An operation is one
 * transaction, so the first one is the call. The SCA that a refusal may offer is a later one.
 */
function refusingBank(bank: Bank, strike: () => Refusal | null): Bank {
  let isFirst = true;
  const ending =
    <Access extends Reader, T>(work: (access: Access) => Promise<T>) =>
    async (access: Access): Promise<T> => {
      const isTheCall = isFirst;
      isFirst = false;
      const result = await work(access);
      const refusal = isTheCall ? strike() : null;
      if (refusal !== null) throw refusal;
      return result;
    };
  const { ledger } = bank;
  return {
    ...bank,
    ledger: {
      ...ledger,
      read: (work) => ledger.read(ending(work)),
      write: (work, options) => ledger.write(ending(work), options),
    },
  };
}

/** Reads that need a consent, which the quirk revoked-403 refuses (rules.md Q10d). */
const consentedRead = /^\/(card-)?accounts(\/|$)/;

/**
 * Where this call could have the fault; the place decides the HTTP status of some codes (interface: Errors; rules.md
 * E6d).
 */
function placeOf(code: FaultCode, { endpoint, revoked403 }: ProvokedCall): FaultPlace | null {
  const { method, path, names, products } = endpoint;
  if (code === 'CONSENT_UNKNOWN' && revoked403 && consentedRead.test(path)) return revokedConsent.place ?? null;
  if (code === 'SERVICE_INVALID') return method === 'POST' && names === undefined ? 'payload' : 'method';
  return names ?? (products === undefined ? null : 'payload');
}

type Paths = { readonly [Code in FaultCode]?: string | undefined };

/** Paths of the checks that all operations share. */
const commonPaths: Paths = {
  CERTIFICATE_BLOCKED: 'tpp-signature-certificate',
  CERTIFICATE_EXPIRED: 'tpp-signature-certificate',
  CERTIFICATE_INVALID: 'tpp-signature-certificate',
  CERTIFICATE_MISSING: 'tpp-signature-certificate',
  CERTIFICATE_REVOKED: 'tpp-signature-certificate',
  CORPORATE_ID_INVALID: 'psu-corporate-id',
  HTTP_HEADER_REQUIRED: 'x-request-id',
  REQUESTED_FORMATS_INVALID: 'accept',
  ROLE_INVALID: 'tpp-signature-certificate',
  SIGNATURE_INVALID: 'signature',
  SIGNATURE_MISSING: 'signature',
  TIMESTAMP_INVALID: 'date',
};

/** The field, header or parameter that the bank would name, or undefined if there is none. */
function blamedPath(
  code: FaultCode,
  { endpoint, headers, parameters, schema, tokenHeader }: ProvokedCall,
): string | undefined {
  const paths: Paths = {
    ...commonPaths,
    FORMAT_ERROR: schema === null ? 'date' : firstRequired(schema),
    PARAMETER_NOT_SUPPORTED: parameters[0] ?? 'colour',
    PSU_CREDENTIALS_INVALID: headers.psuId === null && headers.psuIdentity !== null ? 'x-psu-identity' : 'psu-id',
    FORBIDDEN: tokenHeader ?? undefined,
    ...endpoint.faultPaths,
  };
  return paths[code];
}

/** The page of a gateway in front of the bank: it knows nothing of the interface. */
export const gatewayPage = pageOf('503 Service Temporarily Unavailable');

/** The page of a gateway that gets too many calls: it has `Retry-After: 1`. */
export const busyPage = pageOf('429 Too Many Requests');

/** The page of a host that the bank has left (rules.md Q11b). */
export const leftPage = pageOf('404 Not Found');

function pageOf(title: string): string {
  return `<html>
<head><title>${title}</title></head>
<body>
<center><h1>${title}</h1></center>
<hr><center>gateway</center>
<!-- From the sandbox: POST /sandbox/faults, or the quirk leaves. -->
</body>
</html>
`;
}

/** Answers as a gateway does when the bank does not answer (rules.md E6c, E6f), or has left (Q11b). */
export function sendGatewayPage(response: Response, status: 404 | 429 | 503): void {
  const page = { 404: leftPage, 429: busyPage, 503: gatewayPage }[status];
  logNotesOf(response).answer = page;
  const wait = status === 429 ? { 'retry-after': '1' } : {};
  const head = { 'content-type': 'text/html', 'content-length': Buffer.byteLength(page), ...wait };
  response.writeHead(status, head).end(response.req.method === 'HEAD' ? undefined : page);
}
