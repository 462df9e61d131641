import { assert } from '../values/assert.ts';
import { type Fault, type FaultCode, orRefusal, Refusal } from '../values/fault.ts';
import type { Psu } from '../parties/rows/psus.ts';
import { endSca, expireSca, countWrongNumber } from '../sca/sca.ts';
import { scaExpired } from '../sca/rules/sca.ts';
import { beginSession } from '../parties/session.ts';
import type { Sca } from '../sca/rows/scas.ts';
import { signablePayment } from '../payments/rows/signable-payments.ts';
import type { PsuContext } from '../parties/rows/customers.ts';
import { chooseContext, contextsOf, isOtherContext, chosenContext, type ChosenContext } from '../parties/acting.ts';
import { type BankContext, writeBank, type Writing } from '../bank/bank-context.ts';
import { cancelPayments } from '../payments/change-status.ts';
import { cancellationRefusal, closedSca, usableSca, checkContexts } from './start-sca.ts';
import { chosenAccounts, grantConsent, isNothing, nothingGranted } from '../consents/consents.ts';
import { rememberPsu } from '../parties/identify-psu.ts';
import { signBasket } from './signing-baskets.ts';
import { requireSignable, signPayment, type Signer, requireRightToPay } from '../payments/sign-payment.ts';
import { signerOf, findSigner, type WrongNumber, wrongNumberFault } from './find-signer.ts';

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
      /** In CORPORATE: id, name or owner's number of the agreement. The default is the PSU's only one. */
      readonly agreement?: string | null;
      /** For a consent: ids, BBANs or IBANs of the chosen accounts. Null chooses all. */
      readonly accounts: readonly string[] | null;
      /** A consent to no account and no card is refused, see {@link sharesNothing}. */
      readonly mustChoose?: boolean;
    };

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
 * Ends an SCA, once (rules.md A2). An approval signs or cancels the payment or grants the consent, and begins the
 * session (A7). A refusal (A4) fails the SCA: the redirect has the fault, and the payment can be authorised again
 * (A4b). Throws SCA_NOT_FOUND, SCA_INVALID or SCA_EXPIRED for an SCA that cannot be used, and FORMAT_ERROR if the
 * request bound it to another context: the SCA then stays open (A7d).
 */
export function finishSca(bank: BankContext, scaId: string, given: ScaAnswer): Promise<ScaResult> {
  return writeBank(bank, async (writing) => {
    const sca = await usableSca(writing, scaId);
    if (given.outcome === 'expire') {
      await expireSca(writing, sca);
      return { redirectUri: sca.tpp_redirect_uri, answer: { fault: scaExpired } };
    }
    if (given.outcome === 'cancel') return cancelSca(writing, sca);
    if (given.outcome === 'fail') return failSca(writing, sca, given.fault);
    if (given.outcome === 'reject') return cancelForAll(writing, sca);
    if (isOtherContext(sca, given.context)) throw otherContext(sca);
    return orFailed(writing, sca, () => approve(writing, sca, given));
  });
}

/**
 * Whether an approval was refused as it shares nothing, and the PSU is to be asked once more (rules.md A7c). The SCA
 * stays open.
 */
export function sharesNothing(error: unknown): error is Refusal {
  return error instanceof Refusal && error.faults[0].path === 'accounts';
}

/** Does the work; a refusal fails the SCA. Nothing is rolled back, because a refusal comes before the first change. */
async function orFailed(writing: Writing, sca: Sca, work: () => Promise<ScaResult>): Promise<ScaResult> {
  const done = await orRefusal(work());
  if (sharesNothing(done)) throw done;
  return done instanceof Refusal ? failSca(writing, sca, done.faults[0]) : done;
}

type Approval = Extract<ScaAnswer, { outcome: 'approve' }>;

/** Fails the SCA as cancelled, or with the reason when nothing was left to approve. */
async function cancelSca(writing: Writing, sca: Sca): Promise<ScaResult> {
  const closed = await closedSca(writing, sca);
  if (closed !== null) return failSca(writing, sca, closed.fault);
  return failSca(writing, sca, { code: 'SCA_INVALID', text: 'Cancelled by the PSU.' }, 'cancelled');
}

/**
 * Cancels the payment for all of its signers (rules.md A4c), and fails the SCA as cancelled. Only a payment that needs
 * several signatures can be rejected so: any other SCA stays open, and FORMAT_ERROR is thrown.
 */
async function cancelForAll(writing: Writing, sca: Sca): Promise<ScaResult> {
  const payment =
    sca.purpose === 'payment' && sca.payment_id !== null ? await signablePayment(writing, sca.payment_id, null) : null;
  if (payment === null || payment.signatures_required < 2) throw notOfSeveral();
  const fault: Fault = { code: 'SCA_INVALID', text: 'Rejected by the PSU: the payment is cancelled.' };
  return orFailed(writing, sca, async () => {
    requireSignable(payment, null);
    await cancelPayments(writing, [payment], { cause: 'rejected by a signer' });
    return failSca(writing, sca, fault, 'cancelled');
  });
}

function notOfSeveral(): Refusal {
  const text =
    'Only a payment that needs several signatures is rejected for all of its signers. This SCA stays open: use the outcome ' +
    'cancel to end it alone.';
  return new Refusal({ code: 'FORMAT_ERROR', path: 'outcome', text, allowed: ['approve', 'cancel', 'fail', 'expire'] });
}

function otherContext({ context }: Sca): Refusal {
  const text =
    `The request bound this SCA to ${context}, by PSU-Context or PSU-Corporate-ID. It stays open for an approval in that ` +
    'context.';
  return new Refusal({ code: 'FORMAT_ERROR', path: 'context', text, allowed: [context ?? ''] });
}

/** Ends an SCA without an approval, in the caller's transaction. */
async function failSca(
  writing: Writing,
  sca: Sca,
  fault: Fault,
  outcome: 'cancelled' | 'failed' = 'failed',
): Promise<ScaResult> {
  await endSca(writing, sca, outcome);
  return { redirectUri: sca.tpp_redirect_uri, answer: { fault } };
}

async function approve(writing: Writing, sca: Sca, given: Approval): Promise<ScaResult> {
  const { tx, now } = writing;
  const actor = await signerOf(tx, sca, given.psu);
  const { context, agreement = null } = given;
  const acting = chooseContext(contextsOf(sca, actor), { context, agreement });
  const signer = { customer: actor.customer, acting };
  const psu = await carryOut(writing, sca, signer, given);
  const isForReading = sca.purpose === 'consent' || sca.purpose === 'identification';
  await beginSession(tx, psu, sca.tpp_session_id, { now, isForReading });
  await endSca(writing, sca, 'approved');
  const corporateId = context === 'CORPORATE' ? acting.agreement.resource_id : null;
  const answer = { psuId: psu.psu_id, corporateId, sessionId: sca.tpp_session_id, context };
  return { redirectUri: sca.tpp_redirect_uri, answer };
}

/** Does what the SCA is for, and gives the TPP a PSU-ID; an identification does only the latter. */
async function carryOut(writing: Writing, sca: Sca, signer: Signer, given: Approval): Promise<Psu> {
  const { bank, tx, now } = writing;
  const remember = () => rememberPsu(bank, tx, { tppId: sca.tpp_id, customer: signer.customer, bySca: true, now });
  if (sca.purpose === 'consent') {
    const chosen = await chosenAccounts(tx, signer, given.accounts);
    if (given.mustChoose === true && isNothing(chosen)) throw nothingGranted();
    const psu = await remember();
    await grantConsent(writing, psu, signer, chosen);
    return psu;
  }
  if (sca.purpose === 'basket') {
    await signBasket(writing, sca, async (payment) => {
      await signPayment(writing, payment.id, signer, sca.basket_id);
    });
  } else if (sca.purpose !== 'identification') await sign(writing, sca, signer);
  return remember();
}

async function sign(writing: Writing, sca: Sca, signer: Signer): Promise<void> {
  assert(sca.payment_id !== null, 'an SCA of a payment names it');
  if (sca.purpose === 'payment') {
    await signPayment(writing, sca.payment_id, signer, null);
    return;
  }
  const payment = await signablePayment(writing, sca.payment_id, signer.customer.id);
  await requireRightToPay(writing.tx, signer, payment);
  const refusal = cancellationRefusal(payment.status);
  if (refusal !== null) throw refusal;
  await cancelPayments(writing, [payment], { cause: 'cancellation signed by the PSU' });
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
 * Identifies the PSU by the number entered on the SCA page. The third wrong number fails the SCA (rules.md A2c); a PSU
 * who cannot approve anything fails it only if `insists` is true (A4e). Throws SCA_NOT_FOUND, SCA_INVALID or
 * SCA_EXPIRED for an SCA that cannot be used.
 */
export function identifyForSca(
  bank: BankContext,
  scaId: string,
  psuNumber: string,
  insists = false,
): Promise<Identification> {
  return writeBank(bank, async (writing) => {
    const sca = await usableSca(writing, scaId);
    if ((await closedSca(writing, sca)) !== null) return { next: 'closed' };
    const actor = await findSigner(writing.tx, sca, psuNumber);
    if (typeof actor === 'string') return afterWrongNumber(writing, sca, actor, psuNumber);
    const contexts = await orRefusal(checkContexts(writing, sca, actor));
    if (contexts instanceof Refusal) {
      if (!insists) return { next: 'ask-another', code: contexts.faults[0].code };
      return { next: 'redirect', result: await failSca(writing, sca, contexts.faults[0]) };
    }
    return afterIdentifying(
      sca,
      contexts.map(({ acting }) => chosenContext(acting)),
    );
  });
}

async function afterWrongNumber(
  writing: Writing,
  sca: Sca,
  why: WrongNumber,
  psuNumber: string,
): Promise<Identification> {
  const left = await countWrongNumber(writing.tx, sca);
  if (left > 0) return { next: 'ask-again', why, left };
  return { next: 'redirect', result: await failSca(writing, sca, wrongNumberFault(why, psuNumber)) };
}

/** No choice is needed when there is a single context, and the request names it or none. */
function afterIdentifying(sca: Sca, [only, ...others]: readonly ChosenContext[]): Identification {
  const suits = only !== undefined && (sca.context === null || sca.context === only.context);
  return suits && others.length === 0 ? { next: 'approve', choice: only } : { next: 'choose-context' };
}
