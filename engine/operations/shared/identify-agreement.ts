import { clip } from '../../core/clip.ts';
import { Refusal } from '../../core/fault.ts';
import { corporateAgreementsOf, type OwnedAgreement } from '../../ledger/agreements.ts';
import type { Customer } from '../../ledger/customers.ts';
import type { Reader } from '../../ledger/database.ts';

/**
 * The agreement that a request names in PSU-Corporate-ID, or null when it names none. One under which this PSU cannot
 * act: CORPORATE_ID_INVALID (interface: Errors). Without a PSU none is known: both headers go together.
 */
export async function identifyAgreement(
  reader: Reader,
  customer: Customer | null,
  corporateId: string | undefined,
): Promise<OwnedAgreement | null> {
  if (corporateId === undefined) return null;
  const agreements = customer === null ? [] : await corporateAgreementsOf(reader, customer.id);
  const named = agreements.find((agreement) => agreement.resource_id === corporateId.toLowerCase());
  if (named !== undefined) return named;
  const advice =
    customer === null
      ? 'Send PSU-ID with it: an agreement is known together with its PSU.'
      : 'GET /v1/agreements lists those there are. Leave PSU-Corporate-ID out for the PSU in PRIVATE context.';
  const text = `This PSU has no agreement ${clip(corporateId, 60)}. ${advice}`;
  throw new Refusal({ code: 'CORPORATE_ID_INVALID', path: 'psu-corporate-id', text });
}
