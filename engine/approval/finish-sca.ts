import { assert } from '../values/assert.ts';
import { type Fault, type FaultCode, NotAllowed, orRefusal, Refusal } from '../values/fault.ts';
import type { Instant } from '../values/instant.ts';
import type { Writer } from '../ledger/database.ts';
import type { Payment } from '../payments/rows/payments.ts';
import type { Psu } from '../parties/rows/psus.ts';
import { endSca, expireSca, countWrongNumber } from '../sca/sca.ts';
import { scaExpired } from '../sca/rules/sca.ts';
import { beginSession } from '../parties/session.ts';
import type { Sca } from '../sca/rows/scas.ts';
import { signablePayment } from '../payments/rows/signable-payments.ts';
import type { PsuContext } from '../parties/rows/customers.ts';
import { chooseContext, contextsOf, isOtherContext, chosenContext, type ChosenContext } from '../parties/acting.ts';
import { bankNow, type BankContext } from '../bank/bank-context.ts';
import { cancelPayments } from '../payments/cancel-payments.ts';
import { cancellationRefusal, closedSca, openSca, checkContexts } from './open-sca.ts';
import { chosenAccounts, grantConsent, isNothing } from '../consents/consents.ts';
import { rememberPsu } from '../parties/identify-psu.ts';
import { signBasket } from './signing-baskets.ts';
import {
  requireSignable,
  signPayment,
  type Signer,
  requireRightToPay,
  signerOf,
  findSigner,
  type WrongNumber,
  wrongNumberFault,
} from '../payments/sign-payment.ts';

/** How the PSU answers an SCA, on its page or over the control plane (rules.md A2, A3). */
export type ScaAnswer =
  | { readonly outcome: 'cancel' }
  /** One of several signers rejects the payment for all of them (rules.md A4c). */
  | { readonly outcome: 'reject' }
  /** The link runs out before the PSU comes (rules.md A4b). */
  | { readonly outcome: 'expire' }
  | { readonly outcome: 'fail'; readonly fault: Fault }
  | {
      readonly outcome: 'approve';
      readonly psu: string;
      readonly context: PsuContext;
      /** In CORPORATE: id, name or owner's number of the agreement. Left out: the PSU's only one. */
      readonly agreement?: string | null;
      /** For a consent: ids, BBANs or IBANs of the chosen accounts; null: all of them. */
      readonly accounts: readonly string[] | null;
      /** Throws {@link NothingChosen} for a consent to no account and no card. */
      readonly mustChoose?: boolean;
    };

/** The PSU chose no account and no card, and is to be asked once more (rules.md A7c). The SCA stays open. */
export class NothingChosen extends Error {}

/** The redirect to the TPP (interface: Redirect query parameters). */
export interface ScaResult {
  readonly redirectUri: string;
  readonly answer:
    | {
        readonly psuId: string;
        /** The chosen agreement's id; null in PRIVATE. */
        readonly corporateId: string | null;
        readonly sessionId: string | null;
        readonly context: PsuContext;
      }
    | { readonly fault: Fault };
}

/**
 * Ends an SCA, once (rules.md A2). An approval signs or cancels the payment or grants the consent, and begins the session (A7). A
 * refusal (A4) fails the SCA: the redirect has the fault, and the payment can be authorised again (A4b). Throws SCA_NOT_FOUND,
 * SCA_INVALID or SCA_EXPIRED for an SCA that cannot be used, and FORMAT_ERROR if the request bound it to another context: the SCA
 * then stays open (A7d).
 */
export function finishSca(bank: BankContext, scaId: string, given: ScaAnswer): Promise<ScaResult> {
  return bank.ledger.write(async (tx) => {
    const sca = await openSca(bank, tx, scaId);
    const now = await bankNow(bank, tx);
    if (given.outcome === 'expire') {
      await expireSca(bank, tx, sca, now);
      return { redirectUri: sca.tpp_redirect_uri, answer: { fault: scaExpired } };
    }
    if (given.outcome === 'cancel') return cancelSca(bank, tx, sca, now);
    if (given.outcome === 'fail') return failSca(bank, tx, sca, { fault: given.fault, now });
    if (given.outcome === 'reject') return rejectPayment(bank, tx, sca, now);
    if (isOtherContext(sca, given.context)) throw otherContext(sca);
    return orFailed(bank, tx, sca, { now, work: () => approve(bank, tx, { sca, given, now }) });
  });
}

/** Does the work; a refusal fails the SCA. Nothing is rolled back, because a refusal comes before the first change. */
async function orFailed(
  bank: BankContext,
  tx: Writer,
  sca: Sca,
  { now, work }: { readonly now: Instant; readonly work: () => Promise<ScaResult> },
): Promise<ScaResult> {
  const done = await orRefusal(work());
  return done instanceof Refusal ? failSca(bank, tx, sca, { fault: done.faults[0], now }) : done;
}

type Approval = Extract<ScaAnswer, { outcome: 'approve' }>;

/** Fails the SCA as cancelled, or with the reason when nothing was left to approve. */
async function cancelSca(bank: BankContext, tx: Writer, sca: Sca, now: Instant): Promise<ScaResult> {
  const closed = await closedSca(tx, sca, now);
  if (closed !== null) return failSca(bank, tx, sca, { fault: closed.fault, now });
  const fault: Fault = { code: 'SCA_INVALID', text: 'Cancelled by the PSU.' };
  return failSca(bank, tx, sca, { outcome: 'cancelled', fault, now });
}

/**
 * Cancels the payment for all of its signers (rules.md A4c), and fails the SCA as cancelled. Only a payment that needs several
 * signatures can be rejected so: any other SCA stays open, and FORMAT_ERROR is thrown.
 */
async function rejectPayment(bank: BankContext, tx: Writer, sca: Sca, now: Instant): Promise<ScaResult> {
  const payment =
    sca.purpose === 'payment' && sca.payment_id !== null
      ? await signablePayment(tx, sca.payment_id, { customerId: null, now })
      : null;
  if (payment === null || payment.signatures_required < 2) throw notOfSeveral();
  const fault: Fault = { code: 'SCA_INVALID', text: 'Rejected by the PSU: the payment is cancelled.' };
  const work = async (): Promise<ScaResult> => {
    requireSignable(payment, null);
    await cancelPayments(bank, tx, [payment], { at: now, cause: 'rejected by a signer' });
    return failSca(bank, tx, sca, { outcome: 'cancelled', fault, now });
  };
  return orFailed(bank, tx, sca, { now, work });
}

function notOfSeveral(): NotAllowed {
  const text =
    'Only a payment that needs several signatures is rejected for all of its signers. This SCA stays open: use the outcome ' +
    'cancel to end it alone.';
  return new NotAllowed({ code: 'FORMAT_ERROR', path: 'outcome', text }, ['approve', 'cancel', 'fail', 'expire']);
}

function otherContext({ context }: Sca): NotAllowed {
  const text =
    `The request bound this SCA to ${context}, by PSU-Context or PSU-Corporate-ID. It stays open for an approval in that ` +
    'context.';
  return new NotAllowed({ code: 'FORMAT_ERROR', path: 'context', text }, [context ?? '']);
}

interface FailedSca {
  /** Left out: failed. */
  readonly outcome?: 'cancelled' | 'failed';
  readonly fault: Fault;
  readonly now: Instant;
}

/** Ends an SCA without an approval, in the caller's transaction. */
async function failSca(
  bank: BankContext,
  tx: Writer,
  sca: Sca,
  { outcome = 'failed', fault, now }: FailedSca,
): Promise<ScaResult> {
  await endSca(bank, tx, sca, outcome, now);
  return { redirectUri: sca.tpp_redirect_uri, answer: { fault } };
}

async function approve(
  bank: BankContext,
  tx: Writer,
  { sca, given, now }: Omit<Approved, 'signer'>,
): Promise<ScaResult> {
  const actor = await signerOf(tx, sca, given.psu);
  const { context, agreement = null } = given;
  const acting = chooseContext(contextsOf(sca, actor), { context, agreement });
  const signer = { customer: actor.customer, acting };
  const psu = await carryOut(bank, tx, { sca, signer, given, now });
  const isForReading = sca.purpose === 'consent' || sca.purpose === 'identification';
  await beginSession(tx, psu, sca.tpp_session_id, { now, isForReading });
  await endSca(bank, tx, sca, 'approved', now);
  const corporateId = context === 'CORPORATE' ? acting.agreement.resource_id : null;
  const answer = { psuId: psu.psu_id, corporateId, sessionId: sca.tpp_session_id, context };
  return { redirectUri: sca.tpp_redirect_uri, answer };
}

interface Approved {
  readonly sca: Sca;
  readonly signer: Signer;
  readonly given: Approval;
  readonly now: Instant;
}

/** Does what the SCA is for, and gives the TPP a PSU-ID; an identification does only the latter. */
async function carryOut(bank: BankContext, tx: Writer, approved: Approved): Promise<Psu> {
  const { sca, signer, given, now } = approved;
  const remember = () => rememberPsu(bank, tx, { tppId: sca.tpp_id, customer: signer.customer, bySca: true, now });
  if (sca.purpose === 'consent') {
    const chosen = await chosenAccounts(tx, signer, given.accounts);
    if (given.mustChoose === true && isNothing(chosen)) throw new NothingChosen();
    const psu = await remember();
    await grantConsent(bank, tx, { psu, signer, chosen, now });
    return psu;
  }
  if (sca.purpose === 'basket') {
    await signBasket(tx, sca, now, async (payment) => {
      await signPayment(bank, tx, payment.id, signer, { now, basketId: sca.basket_id });
    });
  } else if (sca.purpose !== 'identification') await sign(bank, tx, approved);
  return remember();
}

async function sign(bank: BankContext, tx: Writer, { sca, signer, now }: Approved): Promise<void> {
  assert(sca.payment_id !== null, 'an SCA of a payment names it');
  if (sca.purpose === 'payment') {
    await signPayment(bank, tx, sca.payment_id, signer, { now, basketId: null });
    return;
  }
  const payment = await signablePayment(tx, sca.payment_id, { customerId: signer.customer.id, now });
  await requireRightToPay(tx, signer.customer, signer.acting, payment);
  await cancel(bank, tx, payment, now);
}

async function cancel(bank: BankContext, tx: Writer, payment: Payment, now: Instant): Promise<void> {
  const refusal = cancellationRefusal(payment.status);
  if (refusal !== null) throw refusal;
  const cause = 'cancellation signed by the PSU';
  await cancelPayments(bank, tx, [payment], { at: now, cause, situation: 'cancelled by SCA' });
}

/** The next step after a national identity number was entered on the SCA page. */
type Identification =
  /** `left` further attempts are allowed. */
  | { readonly next: 'ask-again'; readonly why: WrongNumber; readonly left: number }
  /** This PSU cannot approve; the SCA stays open (rules.md A4e). */
  | { readonly next: 'ask-another'; readonly code: FaultCode }
  | { readonly next: 'choose-context' }
  | { readonly next: 'approve'; readonly choice: ChosenContext }
  /** Nothing is left to approve. */
  | { readonly next: 'closed' }
  | { readonly next: 'redirect'; readonly result: ScaResult };

/**
 * Identifies the PSU by the number entered on the SCA page. The third wrong number fails the SCA (rules.md A2c); a PSU who
 * cannot approve anything fails it only if `insists` is true (A4e). Throws SCA_NOT_FOUND, SCA_INVALID or SCA_EXPIRED for an SCA that cannot
 * be used.
 */
export function identifyForSca(
  bank: BankContext,
  scaId: string,
  psuNumber: string,
  insists = false,
): Promise<Identification> {
  return bank.ledger.write(async (tx) => {
    const sca = await openSca(bank, tx, scaId);
    const now = await bankNow(bank, tx);
    if ((await closedSca(tx, sca, now)) !== null) return { next: 'closed' };
    const actor = await findSigner(tx, sca, psuNumber);
    if (typeof actor === 'string') return afterWrongNumber(bank, tx, sca, { why: actor, psuNumber, now });
    const contexts = await orRefusal(checkContexts(tx, { sca, actor, now }));
    if (contexts instanceof Refusal) {
      if (!insists) return { next: 'ask-another', code: contexts.faults[0].code };
      return { next: 'redirect', result: await failSca(bank, tx, sca, { fault: contexts.faults[0], now }) };
    }
    return afterIdentifying(
      sca,
      contexts.map(({ acting }) => chosenContext(acting)),
    );
  });
}

async function afterWrongNumber(
  bank: BankContext,
  tx: Writer,
  sca: Sca,
  { why, psuNumber, now }: { readonly why: WrongNumber; readonly psuNumber: string; readonly now: Instant },
): Promise<Identification> {
  const left = await countWrongNumber(tx, sca);
  if (left > 0) return { next: 'ask-again', why, left };
  const fault = wrongNumberFault(why, psuNumber);
  return { next: 'redirect', result: await failSca(bank, tx, sca, { fault, now }) };
}

/** No choice is needed when there is a single context, and the request names it or none. */
function afterIdentifying(sca: Sca, [only, ...others]: readonly ChosenContext[]): Identification {
  const suits = only !== undefined && (sca.context === null || sca.context === only.context);
  return suits && others.length === 0 ? { next: 'approve', choice: only } : { next: 'choose-context' };
}
