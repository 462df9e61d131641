import type { PsuReference } from '../../engine/parties/identify-psu.ts';
import type { RequestHeaders } from './request-headers.ts';

/** Whom a request names as its PSU, and under which agreement it acts (rules.md A6; interface: What the service does, 9). */
export function psuOf({ psuId, psuIdentity, psuCorporateId }: RequestHeaders): PsuReference {
  return {
    psuId: psuId ?? undefined,
    psuIdentity: psuIdentity ?? undefined,
    corporateId: psuCorporateId ?? undefined,
  };
}
