import type { Bank } from '../../engine/bank.ts';
import { ScaRequired } from '../../engine/consents/sca-required.ts';
import type { Reader } from '../../engine/ledger/database.ts';
import { type Fault, type FaultCode, type FaultPlace, Refusal } from '../../engine/values/fault.ts';
import { type BodySchema, firstRequired } from '../bodies/schema.ts';
import type { Endpoint } from './endpoint.ts';
import type { RequestHeaders } from './request-headers.ts';

/** A call that an armed fault may refuse. */
export interface ProvokedCall {
  readonly endpoint: Endpoint;
  readonly headers: Pick<RequestHeaders, 'psuId' | 'psuIdentity'>;
  /** Names of its query parameters. */
  readonly parameters: readonly string[];
  readonly schema: BodySchema | null;
  /** The header with the control token, in lower case, if the call needs it (rules.md G1). */
  readonly tokenHeader: string | null;
}

/** How the text of each provoked refusal begins. */
export const provokedBeginning = 'Provoked by POST /sandbox/faults';

/**
 * Makes the refusal with this code as the bank would make it for this call (rules.md E6b): the same status and path, and for
 * CONSENT_INVALID and CONSENT_EXPIRED on account information `_links.scaRedirect`.
 */
export function provokedRefusal(code: FaultCode, call: ProvokedCall): Refusal {
  const text = `${provokedBeginning}: the bank would have carried the call out. docs/errors.md tells of ${code}.`;
  const place = placeOf(code, call.endpoint);
  const path = pathOf(code, call);
  const fault: Fault = { code, text, ...(place !== null && { place }), ...(path !== undefined && { path }) };
  return code === 'CONSENT_INVALID' || code === 'CONSENT_EXPIRED' ? new ScaRequired(fault) : new Refusal(fault);
}

/**
 * Returns the same bank, but its next transaction ends in the refusal that `strike` returns (rules.md E6b). The refusal comes last, after
 * all work has succeeded, and rolls it back; null lets the transaction commit. An operation is one transaction, so the first one is the
 * call. The SCA that a refusal may offer is a later one.
 */
export function refusingBank(bank: Bank, strike: () => Refusal | null): Bank {
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

/** Where this call could have the fault; the place decides the HTTP status of some codes (interface: Errors). */
function placeOf(code: FaultCode, { method, names, products }: Endpoint): FaultPlace | null {
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

/** The field, header or parameter that the bank would name; undefined: none. */
function pathOf(
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
