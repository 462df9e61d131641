import { assert } from '../values/assert.ts';
import { Refusal, type Fault } from '../values/fault.ts';
import type { Instant } from '../values/instant.ts';
import type { Writer } from '../ledger/database.ts';
import type { Payment } from '../payments/rows/payments.ts';
import type { Psu } from '../parties/rows/psus.ts';
import type { ScaOutcome } from '../sca/rules/sca.ts';
import { replaceSession } from '../parties/rows/sca-sessions.ts';
import { saveScaOutcome, type Sca } from '../sca/rows/scas.ts';
import { signablePayment } from '../payments/rows/signable-payments.ts';
import type { PsuContext } from '../parties/rows/tables.ts';
import { chooseContext, contextsOf } from '../parties/acting.ts';
import { bankNow, type BankContext } from '../bank/bank-context.ts';
import { cancelPayments } from '../payments/cancel-payments.ts';
import { cancellationRefusal, closedSca, openSca } from './open-sca.ts';
import { chosenAccounts, grantConsent } from '../consents/grant-consent.ts';
import { rememberPsu } from '../parties/identify-psu.ts';
import { accountsToShare } from './sca-subject.ts';
import { signBasket } from './sign-basket.ts';
import { signPayment, type Signer } from '../payments/sign-payment.ts';
import { requireRightToPay, signerOf } from '../payments/signer.ts';

/** How the PSU answers an SCA, on its page or over the control plane (rules.md A2, A3). */
export type ScaAnswer =
  | { readonly outcome: 'cancel' }
  | { readonly outcome: 'fail'; readonly fault: Fault }
  | {
      readonly outcome: 'approve';
      readonly psu: string;
      readonly context: PsuContext;
      /** In CORPORATE: id, name or owner's number of the agreement. Left out: the PSU's only one. */
      readonly agreement?: string | null;
      /** For a consent: ids, BBANs or IBANs of the chosen accounts; null: all of them. */
      readonly accounts: readonly string[] | null;
      /** Throws {@link NothingChosen} for a consent to no account, unless it takes back granted ones. */
      readonly mustChoose?: boolean;
    };

/** The PSU chose no account and has none granted to take back. The SCA stays open. */
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
 * Ends an SCA, once (rules.md A2). An approval signs or cancels the payment or grants the consent, and begins the session
 * (A7). A refusal (A4) fails the SCA: the redirect has the fault, and the payment can be authorised again (A4b). Throws
 * SCA_NOT_FOUND, SCA_INVALID or SCA_EXPIRED for an SCA that cannot be used.
 */
export function finishSca(bank: BankContext, scaId: string, given: ScaAnswer): Promise<ScaResult> {
  return bank.ledger.write(async (tx) => {
    const sca = await openSca(bank, tx, scaId);
    const now = await bankNow(bank, tx);
    if (given.outcome === 'cancel') return cancelSca(bank, tx, sca, now);
    if (given.outcome === 'fail') return failSca(bank, tx, sca, { fault: given.fault, now });
    try {
      return await approve(bank, tx, { sca, given, now });
    } catch (error) {
      // A refusal comes before the first change, so that nothing has to be rolled back.
      if (error instanceof Refusal) return failSca(bank, tx, sca, { fault: error.faults[0], now });
      throw error;
    }
  });
}

type Approval = Extract<ScaAnswer, { outcome: 'approve' }>;

/** Fails the SCA as cancelled, or with the reason when nothing was left to approve. */
async function cancelSca(bank: BankContext, tx: Writer, sca: Sca, now: Instant): Promise<ScaResult> {
  const closed = await closedSca(tx, sca, now);
  if (closed !== null) return failSca(bank, tx, sca, { fault: closed.fault, now });
  const fault: Fault = { code: 'SCA_INVALID', text: 'Cancelled by the PSU.' };
  return failSca(bank, tx, sca, { outcome: 'cancelled', fault, now });
}

interface FailedSca {
  /** Left out: failed. */
  readonly outcome?: 'cancelled' | 'failed';
  readonly fault: Fault;
  readonly now: Instant;
}

/** Ends an SCA without an approval, in the caller's transaction. */
export async function failSca(
  bank: BankContext,
  tx: Writer,
  sca: Sca,
  { outcome = 'failed', fault, now }: FailedSca,
): Promise<ScaResult> {
  await endSca(bank, tx, sca, outcome, now);
  return { redirectUri: sca.tpp_redirect_uri, answer: { fault } };
}

async function endSca(bank: BankContext, tx: Writer, sca: Sca, outcome: ScaOutcome, now: Instant): Promise<void> {
  await saveScaOutcome(tx, sca.id, outcome);
  const { purpose, payment_resource_id: paymentId } = sca;
  bank.tell({ kind: 'sca', at: now, purpose, outcome, paymentId });
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
  if (sca.tpp_session_id !== null) await replaceSession(tx, psu.id, sca.tpp_session_id, now);
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
  const remember = () => rememberPsu(bank, tx, sca.tpp_id, signer.customer, now);
  if (sca.purpose === 'consent') {
    if (given.mustChoose === true && given.accounts?.length === 0) await requireGranted(tx, sca, signer);
    const accounts = await chosenAccounts(tx, signer, given.accounts);
    const psu = await remember();
    await grantConsent(bank, tx, { psu, signer, chosen: accounts, now });
    return psu;
  }
  if (sca.purpose === 'basket') {
    await signBasket(tx, sca, now, async (payment) => {
      await signPayment(bank, tx, payment.id, signer, { now, basketId: sca.basket_id });
    });
  } else if (sca.purpose !== 'identification') await sign(bank, tx, approved);
  return remember();
}

/** Throws NothingChosen when the PSU has accounts to choose from and none is granted. */
async function requireGranted(tx: Writer, sca: Sca, signer: Signer): Promise<void> {
  const accounts = await accountsToShare(tx, sca, signer);
  if (accounts.length > 0 && !accounts.some(({ granted }) => granted)) throw new NothingChosen();
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
  await cancelPayments(bank, tx, [payment], { at: now, cause: 'cancellation signed by the PSU' });
}
