import { clip } from '../values/clip.ts';
import { Refusal } from '../values/fault.ts';
import { findAgreement, type OwnedAgreement } from '../parties/rows/agreements.ts';
import type { Reader } from '../ledger/database.ts';

/** The agreement of a path of the sandbox data. Unknown or deleted: RESOURCE_UNKNOWN. */
export async function requireAgreement(reader: Reader, agreementId: string): Promise<OwnedAgreement> {
  const agreement = await findAgreement(reader, agreementId);
  if (agreement !== undefined) return agreement;
  const text = `There is no agreement ${clip(agreementId)}. GET /v1/sandbox/agreements lists them, with their agreementId.`;
  throw new Refusal({ code: 'RESOURCE_UNKNOWN', place: 'path', text });
}

/** One that can be changed: a private customer's own comes and goes with the customer (SERVICE_INVALID). */
export async function requireCorporateAgreement(reader: Reader, agreementId: string): Promise<OwnedAgreement> {
  const agreement = await requireAgreement(reader, agreementId);
  if (agreement.owner_type === 'corporate') return agreement;
  const text =
    `${agreement.name} is a private customer, and its agreement is its own: it comes and goes with the customer, and ` +
    'nobody else is engaged in it.';
  throw new Refusal({ code: 'SERVICE_INVALID', place: 'method', text });
}
