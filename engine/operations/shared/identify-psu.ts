import { Refusal } from '../../core/fault.ts';
import type { OwnedAgreement } from '../../ledger/agreements.ts';
import { customerByKey, customerByNumber, type Customer } from '../../ledger/customers.ts';
import type { Reader } from '../../ledger/database.ts';
import { findPsu } from '../../ledger/psus.ts';
import { identifyAgreement } from './identify-agreement.ts';

/**
 * How a request names its PSU: the PSU-ID or the X-PSU-IDENTITY header, or neither (rules.md A6); in corporate context
 * the agreement with it (interface: What the service does, 9).
 */
export interface PsuReference {
  readonly psuId?: string | undefined;
  readonly psuIdentity?: string | undefined;
  /** PSU-Corporate-ID. */
  readonly corporateId?: string | undefined;
}

/** Who a request is for: null where it names nobody, and no agreement. */
export interface IdentifiedPsu {
  readonly customer: Customer | null;
  readonly agreement: OwnedAgreement | null;
}

/**
 * The customer and the agreement that a request names. An unknown PSU, or two that differ: PSU_CREDENTIALS_INVALID; an
 * agreement that is not the PSU's: CORPORATE_ID_INVALID.
 */
export async function identifyPsu(reader: Reader, tppId: string, reference: PsuReference): Promise<IdentifiedPsu> {
  const customer = await namedPsu(reader, tppId, reference);
  return { customer, agreement: await identifyAgreement(reader, customer, reference.corporateId) };
}

async function namedPsu(reader: Reader, tppId: string, reference: PsuReference): Promise<Customer | null> {
  const known = reference.psuId === undefined ? null : await knownPsu(reader, tppId, reference.psuId);
  if (reference.psuIdentity === undefined) return known;
  const customer = await customerByNumber(reader, reference.psuIdentity);
  if (customer === undefined || customer.type !== 'private') {
    const text = `No PSU of this bank has the number ${reference.psuIdentity}. GET /sandbox/info lists the PSUs to try.`;
    throw new Refusal({ code: 'PSU_CREDENTIALS_INVALID', path: 'x-psu-identity', text });
  }
  if (known !== null && known.id !== customer.id) {
    const text = 'PSU-ID and X-PSU-IDENTITY name different PSUs. Send one of them, or both of the same PSU.';
    throw new Refusal({ code: 'PSU_CREDENTIALS_INVALID', path: 'psu-id', text });
  }
  return customer;
}

async function knownPsu(reader: Reader, tppId: string, psuId: string): Promise<Customer> {
  const psu = await findPsu(reader, tppId, psuId);
  if (psu !== undefined) return customerByKey(reader, psu.customer_id);
  const text =
    `The PSU-ID ${psuId} was not given to this TPP, or a reset has removed it. ` +
    'A PSU-ID comes back in the redirect after an SCA (parameter psu-id); X-PSU-IDENTITY works without one.';
  throw new Refusal({ code: 'PSU_CREDENTIALS_INVALID', path: 'psu-id', text });
}
