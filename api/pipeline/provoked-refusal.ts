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

/**
 * The refusal with this code as the bank itself would refuse that call with it: the same status, path and, with CONSENT_INVALID
 * and CONSENT_EXPIRED on account information, `_links.scaRedirect` (rules.md E6b).
 */
export function provokedRefusal(code: FaultCode, call: ProvokedCall): Refusal {
  const text = `Provoked by POST /sandbox/faults: the bank would have carried the call out. docs/errors.md tells of ${code}.`;
  const place = placeOf(code, call.endpoint);
  const path = pathOf(code, call);
  const fault: Fault = { code, text, ...(place !== null && { place }), ...(path !== undefined && { path }) };
  return code === 'CONSENT_INVALID' || code === 'CONSENT_EXPIRED' ? new ScaRequired(fault) : new Refusal(fault);
}

/**
 * The same bank, whose next transaction ends in the refusal that `strike` returns, as its last thing, when everything else of it
 * has succeeded: nothing of it remains (rules.md E6b). Null lets it commit. An operation is one transaction, so that the first
 * one is the call; an SCA that a refusal offers comes after it.
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

/** The place where this call could have the fault: it decides the HTTP status of some codes (interface: Errors). */
function placeOf(code: FaultCode, { method, names, products }: Endpoint): FaultPlace | null {
  if (code === 'SERVICE_INVALID') return method === 'POST' && names === undefined ? 'payload' : 'method';
  return names ?? (products === undefined ? null : 'payload');
}

type Paths = { readonly [Code in FaultCode]?: string | undefined };

/** Paths of what every operation checks alike. */
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

/** The field, header or parameter that the bank itself would name; undefined: none. */
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
