import { Refusal, type Fault } from '../../engine/core/fault.ts';
import type { PsuReference } from '../../engine/operations/shared/identify-psu.ts';
import type { RequestHeaders } from '../middleware/request-headers.ts';

/**
 * Whom a request names as its PSU, and under which agreement it acts (rules.md A6; interface: What the service does, 9).
 * PSU-Corporate-ID in PRIVATE context is a FORMAT_ERROR.
 */
export function psuOf(headers: RequestHeaders): PsuReference {
  if (headers.psuCorporateId !== null && headers.psuContext === 'PRIVATE') {
    const text =
      'PSU-Context is PRIVATE, and PSU-Corporate-ID names an agreement. Send CORPORATE, or leave one of them out.';
    throw new Refusal({ code: 'FORMAT_ERROR', path: 'psu-context', text });
  }
  return {
    psuId: headers.psuId ?? undefined,
    psuIdentity: headers.psuIdentity ?? undefined,
    corporateId: headers.psuCorporateId ?? undefined,
  };
}

/**
 * An initiation names its PSU by PSU-ID or by X-PSU-IDENTITY; with the second alone it is a single-SCA payment, which
 * needs PSU-Context (rules.md A6; interface: Request headers). Refuses with HTTP_HEADER_REQUIRED.
 */
export function requirePsu(headers: RequestHeaders): void {
  if (headers.psuId === null && headers.psuIdentity === null) {
    throw new Refusal(missing('psu-id', 'Send PSU-ID, the UUID from an SCA redirect, or X-PSU-IDENTITY, 11 digits.'));
  }
  if (headers.psuIdentity !== null && headers.psuContext === null) {
    throw new Refusal(
      missing('psu-context', 'A single-SCA payment (X-PSU-IDENTITY) says PSU-Context: PRIVATE or CORPORATE.'),
    );
  }
}

function missing(path: string, text: string): Fault {
  return { code: 'HTTP_HEADER_REQUIRED', path, text: `A header is missing. ${text}` };
}
