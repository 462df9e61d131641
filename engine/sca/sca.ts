import { flagFor } from '../ledger/queries.ts';
import { secretFrom } from '../bank/ids.ts';
import { insertSca, openScas, type Sca, saveSca, saveScaOutcome, type ScaPurpose } from './rows/scas.ts';
import type { Writer } from '../ledger/database.ts';
import type { PsuContext } from '../parties/rows/customers.ts';
import { type BankContext, type Reading, type Writing, writeBank } from '../bank/bank-context.ts';
import { identifyPsu, type PsuReference } from '../parties/identify-psu.ts';
import { expiredStart, type ScaOutcome, wrongNumbersAllowed } from './rules/sca.ts';

/** A third-party provider as its certificate names it (rules.md G8). */
export interface TppIdentity {
  readonly id: string;
  /** The name that the PSU reads. */
  readonly name: string;
}

/** The TPP's address and session for the redirect after the SCA (rules.md A4b). */
export interface ReturnAddress {
  readonly redirectUri: string;
  readonly sessionId: string | null;
}

export interface ScaWanted {
  readonly purpose: ScaPurpose;
  readonly payment: { readonly id: number; readonly resource_id: string } | null;
  /** Set for an SCA that signs a basket. */
  readonly basketId?: number;
  readonly tpp: TppIdentity;
  readonly returnTo: ReturnAddress;
  /** The customer who is to sign, if known. */
  readonly customerId: number | null;
  readonly context: PsuContext | null;
  /** Whether the PSU can approve in that context only (rules.md A7d). */
  readonly contextBinds?: boolean;
  /** The agreement named in PSU-Corporate-ID. */
  readonly agreementId?: number | null;
}

/**
 * Gives every open SCA another id, which follows from its old one and from a text. Returns the new ids by the old ones.
 */
export async function renewOpenScas(tx: Writer, secret: string): Promise<ReadonlyMap<string, string>> {
  const renewed = new Map<string, string>();
  for (const { id, resource_id: old } of await openScas(tx)) {
    const resource_id = secretFrom(`${secret} ${old}`, id);
    await saveSca(tx, id, { resource_id });
    renewed.set(old, resource_id);
  }
  return renewed;
}

/** Opens an SCA and returns its unguessable id, the last part of `scaRedirect` (rules.md A1, A2). */
export async function beginSca({ bank, tx, now: at }: Writing, wanted: ScaWanted): Promise<string> {
  const id = bank.ids.secret();
  await insertSca(tx, {
    resource_id: id,
    purpose: wanted.purpose,
    payment_id: wanted.payment?.id ?? null,
    basket_id: wanted.basketId ?? null,
    tpp_id: wanted.tpp.id,
    tpp_name: wanted.tpp.name,
    tpp_redirect_uri: wanted.returnTo.redirectUri,
    tpp_session_id: wanted.returnTo.sessionId,
    customer_id: wanted.customerId,
    context: wanted.context,
    context_binds: flagFor(wanted.contextBinds === true && wanted.context !== null),
    agreement_id: wanted.agreementId ?? null,
    created_at_wall: bank.security.now(),
    outcome: null,
  });
  const { purpose, payment } = wanted;
  bank.tell({ kind: 'sca', at, purpose, outcome: 'begun', paymentId: payment?.resource_id ?? null });
  return id;
}

/** Purposes of an SCA without a payment. */
export type OfferedPurpose = Extract<ScaPurpose, 'consent' | 'identification'>;

interface OfferSca {
  readonly tpp: TppIdentity;
  /** May name nobody: then the PSU identifies itself on the SCA page. */
  readonly psu: PsuReference;
  readonly context: PsuContext | null;
  readonly returnTo: ReturnAddress;
}

/**
 * Opens an SCA without a payment and returns its id. PSU-Context fixes the context (rules.md A7d), PSU-Corporate-ID the
 * agreement (interface: PSU identification and SCA, 10). Unknown PSU: PSU_CREDENTIALS_INVALID; unknown agreement:
 * CORPORATE_ID_INVALID.
 */
export function offerSca(bank: BankContext, purpose: OfferedPurpose, command: OfferSca): Promise<string> {
  return writeBank(bank, (writing) => offerScaIn(writing, purpose, command));
}

/** {@link offerSca} inside the caller's transaction. */
export async function offerScaIn(
  writing: Writing,
  purpose: OfferedPurpose,
  { tpp, psu, context, returnTo }: OfferSca,
): Promise<string> {
  const { customer, agreement } = await identifyPsu(writing.tx, tpp.id, psu);
  return beginSca(writing, {
    purpose,
    payment: null,
    tpp,
    returnTo,
    customerId: customer?.id ?? null,
    context: agreement === null ? context : 'CORPORATE',
    contextBinds: true,
    agreementId: agreement?.id ?? null,
  });
}

/** Ends an SCA, and announces it. An ended SCA keeps its outcome (rules.md A2). */
export async function endSca(writing: Writing, sca: Sca, outcome: ScaOutcome): Promise<void> {
  await saveScaOutcome(writing.tx, { id: sca.id, outcome });
  tellEnd(writing, sca, outcome);
}

/** Makes the link as old as one that has run out (rules.md A4b): whoever opens it afterwards gets SCA_EXPIRED. */
export async function expireSca(writing: Writing, sca: Sca): Promise<void> {
  await saveSca(writing.tx, sca.id, { created_at_wall: expiredStart(writing.bank.security.now()) });
  tellEnd(writing, sca, 'expired');
}

/** Counts a wrong national identity number, and returns how many further ones are allowed (rules.md A2c). */
export async function countWrongNumber(tx: Writer, sca: Sca): Promise<number> {
  const count = sca.wrong_numbers + 1;
  await saveSca(tx, sca.id, { wrong_numbers: count });
  return wrongNumbersAllowed - count;
}

function tellEnd({ bank, now: at }: Reading, sca: Sca, outcome: ScaOutcome | 'expired'): void {
  bank.tell({ kind: 'sca', at, purpose: sca.purpose, outcome, paymentId: sca.payment_resource_id });
}
