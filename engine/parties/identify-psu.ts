import { flagFor } from '../ledger/queries.ts';
import { clip } from '../values/text.ts';
import { Refusal } from '../values/fault.ts';
import { corporateAgreementsOf, type OwnedAgreement, type Customer } from './rows/customers.ts';
import type { Reader, Writer } from '../ledger/database.ts';
import { type KnownPsu, type Psu, psuByNumber, psuByPsuId, savePsu } from './rows/psus.ts';
import type { BankContext } from '../bank/bank-context.ts';
import type { Instant } from '../values/instant.ts';

/** Headers that name a PSU (rules.md A6) and its corporate agreement (interface: What the service does, 9). */
export interface PsuReference {
  readonly psuId?: string | undefined;
  readonly psuIdentity?: string | undefined;
  /** PSU-Corporate-ID. */
  readonly corporateId?: string | undefined;
}

/** The PSU of a request; all null when it names nobody. */
export interface IdentifiedPsu {
  readonly customer: Customer | null;
  /** Null until the customer's first SCA with this TPP. */
  readonly psu: Psu | null;
  readonly agreement: OwnedAgreement | null;
}

/**
 * Finds the customer and the agreement that a request names. An unknown PSU, or two different ones:
 * PSU_CREDENTIALS_INVALID; an agreement the PSU cannot act under: CORPORATE_ID_INVALID.
 */
export async function identifyPsu(reader: Reader, tppId: string, reference: PsuReference): Promise<IdentifiedPsu> {
  const named = await namedPsu(reader, tppId, reference);
  const customer = named?.customer ?? null;
  return {
    customer,
    psu: named?.psu ?? null,
    agreement: await namedAgreement(reader, customer, reference.corporateId),
  };
}

async function namedPsu(reader: Reader, tppId: string, { psuId, psuIdentity }: PsuReference): Promise<KnownPsu | null> {
  const byId = psuId === undefined ? null : await requirePsuId(reader, tppId, psuId);
  if (psuIdentity === undefined) return byId;
  const byNumber = await psuByNumber(reader, tppId, psuIdentity);
  if (byNumber === undefined || byNumber.customer.type !== 'private') {
    const text = `No PSU of this bank has the number ${psuIdentity}. GET /sandbox/info lists the PSUs to try.`;
    throw new Refusal({ code: 'PSU_CREDENTIALS_INVALID', path: 'x-psu-identity', text });
  }
  if (byId !== null && byId.customer.id !== byNumber.customer.id) {
    const text = 'PSU-ID and X-PSU-IDENTITY name different PSUs. Send one of them, or both of the same PSU.';
    throw new Refusal({ code: 'PSU_CREDENTIALS_INVALID', path: 'psu-id', text });
  }
  return byNumber;
}

async function requirePsuId(reader: Reader, tppId: string, psuId: string): Promise<KnownPsu> {
  const known = await psuByPsuId(reader, tppId, psuId);
  if (known !== undefined) return known;
  const text =
    `The PSU-ID ${psuId} was not given to this TPP, or a reset has removed it. ` +
    'A PSU-ID comes back in the redirect after an SCA (parameter psu-id); X-PSU-IDENTITY works without one.';
  throw new Refusal({ code: 'PSU_CREDENTIALS_INVALID', path: 'psu-id', text });
}

/**
 * The agreement named in PSU-Corporate-ID; null without that header. Not one of this PSU's, or no PSU named:
 * CORPORATE_ID_INVALID (interface: Errors).
 */
async function namedAgreement(
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

/** The customer that a request names; null when it names nobody. Errors as {@link identifyPsu}. */
export function readPsu(bank: BankContext, tppId: string, psu: PsuReference): Promise<Customer | null> {
  return bank.ledger.read(async (reader) => (await identifyPsu(reader, tppId, psu)).customer);
}

/** A customer who was identified to a TPP: in an SCA, or by the bank as the PSU granted a consent directly. */
interface MetPsu {
  readonly tppId: string;
  readonly customer: Customer;
  readonly bySca: boolean;
  readonly now: Instant;
}

/** Stores that the customer's last SCA with this TPP was now (rules.md A5, A7). Its PSU-ID never changes. */
export function rememberPsu(bank: BankContext, tx: Writer, { tppId, customer, bySca, now }: MetPsu): Promise<Psu> {
  return savePsu(tx, {
    psu_id: bank.ids.uuid(),
    tpp_id: tppId,
    customer_id: customer.id,
    last_sca_at: now,
    known_by_sca: flagFor(bySca),
  });
}
