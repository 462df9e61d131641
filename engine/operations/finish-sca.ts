import { assert } from '../core/assert.ts';
import { Refusal, type Fault } from '../core/fault.ts';
import type { Instant } from '../core/instant.ts';
import { awaitsSignature } from '../core/transaction-status.ts';
import { accountsOfCustomer } from '../ledger/accounts.ts';
import { privateAgreementOf } from '../ledger/agreements.ts';
import { replaceConsent } from '../ledger/consents.ts';
import type { Customer } from '../ledger/customers.ts';
import type { Transaction } from '../ledger/database.ts';
import { cancelOpenExecutions } from '../ledger/executions.ts';
import { paymentByKey, type Payment } from '../ledger/payments.ts';
import { insertPsu, psuOfCustomer, saveLastSca, type Psu } from '../ledger/psus.ts';
import { replaceSession } from '../ledger/sca-sessions.ts';
import { saveScaOutcome, type Sca } from '../ledger/scas.ts';
import type { PsuContext } from '../ledger/tables.ts';
import { bankNow, type BankContext } from './shared/bank-context.ts';
import { changeStatus } from './shared/change-status.ts';
import { openSca } from './shared/open-sca.ts';
import { registerPayment } from './shared/register-payment.ts';
import { requireRightToPay, signerOf } from './shared/signer.ts';

/** What the PSU did on the SCA page, or a test in one call (rules.md A2, A3). */
export type ScaAnswer =
  | { readonly outcome: 'cancel' }
  | { readonly outcome: 'fail'; readonly fault: Fault }
  | {
      readonly outcome: 'approve';
      readonly psu: string;
      readonly context: PsuContext;
      /** For a consent: ids, BBANs or IBANs of the accounts chosen. Null: all of them. */
      readonly accounts: readonly string[] | null;
    };

/** What the redirect back to the TPP says (interface: Redirect query parameters). */
export interface ScaResult {
  readonly redirectUri: string;
  readonly answer:
    | { readonly psuId: string; readonly sessionId: string | null; readonly context: PsuContext }
    | { readonly fault: Fault };
}

/**
 * Ends an SCA, once (rules.md A2). Approved: the payment is signed, its cancellation carried out, or the consent
 * granted; the session begins (A7). Anything against it (A4) is a failure redirect, and the payment can be authorised
 * again (A4b). Throws SCA_NOT_FOUND, SCA_INVALID or SCA_EXPIRED when there is nothing to end.
 */
export function finishSca(bank: BankContext, scaId: string, given: ScaAnswer): Promise<ScaResult> {
  return bank.ledger.write(async (tx) => {
    const sca = await openSca(bank, tx, scaId);
    if (given.outcome === 'cancel')
      return fail(tx, sca, 'cancelled', { code: 'SCA_INVALID', text: 'Cancelled by the PSU.' });
    if (given.outcome === 'fail') return fail(tx, sca, 'failed', given.fault);
    try {
      return await approve(bank, tx, sca, given);
    } catch (error) {
      // Every refusal comes before the first change of its step, so that there is nothing to undo but the SCA itself.
      if (error instanceof Refusal) return fail(tx, sca, 'failed', error.faults[0]);
      throw error;
    }
  });
}

type Approval = Extract<ScaAnswer, { outcome: 'approve' }>;

async function fail(tx: Transaction, sca: Sca, outcome: 'cancelled' | 'failed', fault: Fault): Promise<ScaResult> {
  await saveScaOutcome(tx, sca.id, outcome);
  return { redirectUri: sca.tpp_redirect_uri, answer: { fault } };
}

async function approve(bank: BankContext, tx: Transaction, sca: Sca, given: Approval): Promise<ScaResult> {
  const now = await bankNow(bank, tx);
  const customer = await signerOf(tx, sca, given.psu);
  if (given.context === 'CORPORATE') {
    throw new Refusal({
      code: 'CORPORATE_ID_INVALID',
      text: 'This PSU has no corporate agreement to choose. Use PRIVATE.',
    });
  }
  if (sca.purpose === 'consent') await grantConsent(bank, tx, { sca, customer, accounts: given.accounts, now });
  else await sign(bank, tx, { sca, customer, now });
  const psu = await rememberPsu(bank, tx, sca.tpp_id, customer, now);
  if (sca.tpp_session_id !== null) await replaceSession(tx, psu.id, sca.tpp_session_id, now);
  await saveScaOutcome(tx, sca.id, 'approved');
  const answer = { psuId: psu.psu_id, sessionId: sca.tpp_session_id, context: given.context };
  return { redirectUri: sca.tpp_redirect_uri, answer };
}

async function sign(
  bank: BankContext,
  tx: Transaction,
  { sca, customer, now }: { sca: Sca; customer: Customer; now: Instant },
): Promise<void> {
  assert(sca.payment_id !== null, 'an SCA of a payment names it');
  const payment = await paymentByKey(tx, sca.payment_id);
  await requireRightToPay(tx, customer, payment);
  if (sca.purpose === 'cancellation') await cancel(bank, tx, payment, now);
  else if (awaitsSignature(payment.status)) await registerPayment(bank, tx, payment, now, 'signed by the PSU');
  else throw new Refusal({ code: 'STATUS_INVALID', text: `The payment is ${payment.status}: it takes no signature.` });
}

async function cancel(bank: BankContext, tx: Transaction, payment: Payment, now: Instant): Promise<void> {
  if (payment.status !== 'ACSP') {
    const text = `The payment is ${payment.status} by now and can no longer be cancelled.`;
    throw new Refusal({ code: 'CANCELLATION_INVALID', text });
  }
  await cancelOpenExecutions(tx, payment.id);
  await changeStatus(bank, tx, payment, 'CANC', { at: now, cause: 'cancellation signed by the PSU' });
}

async function grantConsent(
  bank: BankContext,
  tx: Transaction,
  { sca, customer, accounts, now }: { sca: Sca; customer: Customer; accounts: readonly string[] | null; now: Instant },
): Promise<void> {
  const agreement = await privateAgreementOf(tx, customer.id);
  assert(agreement !== undefined, 'a private customer has an agreement');
  const own = await accountsOfCustomer(tx, customer.id);
  const names = (account: (typeof own)[number]) => [account.resource_id, account.bban, account.iban];
  const stranger = accounts?.find((wanted) => !own.some((account) => names(account).includes(wanted)));
  if (stranger !== undefined) {
    throw new Refusal({
      code: 'RESOURCE_UNKNOWN',
      place: 'payload',
      text: `The PSU has no account ${stranger.slice(0, 60)}.`,
    });
  }
  const chosen = own.filter(
    (account) => accounts === null || names(account).some((name) => name !== null && accounts.includes(name)),
  );
  const psu = await rememberPsu(bank, tx, sca.tpp_id, customer, now);
  await replaceConsent(tx, { psuKey: psu.id, agreementId: agreement.id, accountIds: chosen.map(({ id }) => id) }, now);
}

/** The PSU-ID is stable for one TPP and PSU; the last SCA is what the age of access counts from (rules.md A7). */
async function rememberPsu(
  bank: BankContext,
  tx: Transaction,
  tppId: string,
  customer: Customer,
  now: Instant,
): Promise<Psu> {
  const known = await psuOfCustomer(tx, tppId, customer.id);
  if (known === undefined) {
    return insertPsu(tx, { psu_id: bank.ids.uuid(), tpp_id: tppId, customer_id: customer.id, last_sca_at: now });
  }
  await saveLastSca(tx, known.id, now);
  return known;
}
