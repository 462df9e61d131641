import { Refusal, type Fault } from '../../engine/core/fault.ts';
import type { PsuReference } from '../../engine/operations/shared/identify-psu.ts';
import type { RequestHeaders } from '../middleware/request-headers.ts';

/** Whom a request names as its PSU (rules.md A6). */
export function psuOf(headers: RequestHeaders): PsuReference {
  return { psuId: headers.psuId ?? undefined, psuIdentity: headers.psuIdentity ?? undefined };
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
