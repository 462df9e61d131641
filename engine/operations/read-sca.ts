import { Refusal } from '../core/fault.ts';
import type { Instant } from '../core/instant.ts';
import { osloDate } from '../core/instant.ts';
import type { LocalDate } from '../core/local-date.ts';
import { customerByKey } from '../ledger/customers.ts';
import type { Reader } from '../ledger/database.ts';
import { firstPsus } from '../ledger/psu-roles.ts';
import type { Sca } from '../ledger/scas.ts';
import type { PsuContext, ScaPurpose } from '../ledger/tables.ts';
import { contextsOf } from './shared/acting.ts';
import { bankNow, type BankContext } from './shared/bank-context.ts';
import { closedSca, type ClosedSca } from './shared/closed-sca.ts';
import { openSca } from './shared/open-sca.ts';
import { subjectOf, type ScaSubject } from './shared/sca-subject.ts';
import { signerOf } from './shared/signer.ts';

/** How many PSUs the page offers; more only come about by creating them. */
const offeredPsus = 20;

/** One PSU of the sandbox that a person can try. */
export interface PsuToTry {
  readonly number: string;
  readonly name: string;
  readonly note: string | null;
  /** The one whom the TPP named (rules.md A6): any other fails. */
  readonly isAwaited: boolean;
}

/** On whose behalf a PSU can act, and what it then approves. */
export interface ContextChoice {
  readonly context: PsuContext;
  /** The agreement's id; null in PRIVATE. */
  readonly agreement: string | null;
  /** The PSU's own name, or the agreement's. */
  readonly name: string;
  readonly subject: ScaSubject;
}

/** What the SCA page may show before it knows who looks at it. */
export interface ScaView {
  readonly purpose: ScaPurpose;
  readonly tppName: string;
  /** The bank's date. */
  readonly today: LocalDate;
  /** As the request named them; null where it did not. */
  readonly wanted: { readonly psuNumber: string | null; readonly context: PsuContext | null };
  readonly psus: readonly PsuToTry[];
  /** Why there is nothing to approve any more; null: there is. */
  readonly closed: ClosedSca | null;
  /** Null until the PSU is known. */
  readonly signing: SigningView | null;
}

/** What the PSU of the SCA sees. */
export interface SigningView {
  readonly psu: Pick<PsuToTry, 'number' | 'name'>;
  /** Those in which there is something to approve: one at least. */
  readonly contexts: readonly [ContextChoice, ...ContextChoice[]];
}

/**
 * What the SCA page shows (rules.md A2); changes nothing. With a number: to that PSU, who must be the one the SCA waits
 * for and have the right to pay (A4), else PSU_CREDENTIALS_INVALID or FORBIDDEN. Throws SCA_NOT_FOUND, SCA_INVALID or
 * SCA_EXPIRED for an SCA that cannot be used.
 */
export function readSca(bank: BankContext, scaId: string, psuNumber: string | null): Promise<ScaView> {
  return bank.ledger.read(async (reader) => {
    const sca = await openSca(bank, reader, scaId);
    const now = await bankNow(bank, reader);
    const psus = await psusToTry(bank, reader, sca);
    return {
      purpose: sca.purpose,
      tppName: sca.tpp_name,
      today: osloDate(now),
      wanted: { psuNumber: psus.find(({ isAwaited }) => isAwaited)?.number ?? null, context: sca.context },
      psus,
      closed: await closedSca(reader, sca, now),
      signing: psuNumber === null ? null : await signingView(bank, reader, { sca, psuNumber, now }),
    };
  });
}

/** The one whom the TPP named comes first, the others as they were created. */
async function psusToTry(bank: BankContext, reader: Reader, sca: Sca): Promise<PsuToTry[]> {
  const notes = new Map(bank.knownState.customers.map(({ customerNumber, note }) => [customerNumber, note ?? null]));
  const awaited = sca.customer_id === null ? [] : [await customerByKey(reader, sca.customer_id)];
  const others = (await firstPsus(reader, offeredPsus)).filter(({ id }) => id !== sca.customer_id);
  return [...awaited, ...others].map(({ id, customer_number: number, name }) => ({
    number,
    name,
    note: notes.get(number) ?? null,
    isAwaited: id === sca.customer_id,
  }));
}

/** A context in which the PSU is refused is not offered; when there is no other, the refusal is thrown. */
async function signingView(
  bank: BankContext,
  reader: Reader,
  { sca, psuNumber, now }: { readonly sca: Sca; readonly psuNumber: string; readonly now: Instant },
): Promise<SigningView> {
  const customer = await signerOf(reader, sca, psuNumber);
  const contexts: ContextChoice[] = [];
  const refusals: Refusal[] = [];
  for (const acting of await contextsOf(reader, sca, customer)) {
    const { context, agreement } = acting;
    try {
      const subject = await subjectOf(bank, reader, { sca, signer: { customer, acting }, now });
      const id = context === 'PRIVATE' ? null : agreement.resource_id;
      contexts.push({ context, agreement: id, name: agreement.name, subject });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refusals.push(error);
    }
  }
  const [first, ...others] = contexts;
  if (first === undefined) throw tellingRefusal(refusals) ?? noContext();
  return { psu: { number: customer.customer_number, name: customer.name }, contexts: [first, ...others] };
}

/** That a PSU reaches an account in one context says why the other, where it does not, is of no interest. */
function tellingRefusal(refusals: readonly Refusal[]): Refusal | undefined {
  return refusals.find(({ faults: [fault] }) => fault.code !== 'FORBIDDEN') ?? refusals[0];
}

/** The agreement that the request named has ended since, or is not this PSU's. */
function noContext(): Refusal {
  const text = 'The PSU cannot act under the agreement that the request named in PSU-Corporate-ID.';
  return new Refusal({ code: 'CORPORATE_ID_INVALID', text });
}
