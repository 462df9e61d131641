import type { Bank } from '../../engine/bank.ts';
import { Refusal } from '../../engine/core/fault.ts';
import { finishSca, type ScaAnswer } from '../../engine/operations/finish-sca.ts';
import { readSca, type ContextChoice, type ScaView, type SigningView } from '../../engine/operations/read-sca.ts';
import type { ClosedSca } from '../../engine/operations/shared/closed-sca.ts';
import { redirectAddress } from '../representations/redirect-address.ts';
import { basketPage } from './basket-page.ts';
import { closedPage } from './closed-page.ts';
import { consentPage, firstAccountField } from './consent-page.ts';
import { contextPage } from './context-page.ts';
import { isContextValue } from './context-value.ts';
import { identificationPage } from './identification-page.ts';
import { identifyPage } from './identify-page.ts';
import type { Problem } from './page.ts';
import { paymentPage } from './payment-page.ts';
import type { ScaForm } from './sca-form.ts';

/** The next page, or the way back to the TPP. */
export type ScaStep = { readonly status: 200 | 400; readonly page: string } | { readonly location: string };

const nationalNumber = /^\d{11}$/;

/**
 * Takes one step of an SCA (rules.md A2). What a person can put right comes back as the same page with a problem; what
 * the bank refuses (A4) ends the SCA. The method is that of the page's address (A10). Throws what readSca and finishSca throw for an SCA that cannot be used.
 */
export async function takeStep(bank: Bank, scaId: string, form: ScaForm, method: string | null): Promise<ScaStep> {
  const view = await readSca(bank, scaId, null);
  if (view.closed !== null) return leave(bank, scaId, form, view, view.closed);
  if (form.action === 'cancel') return end(bank, scaId, { outcome: 'cancel' });
  if (!nationalNumber.test(form.psu)) {
    const text = form.psu === '' ? 'Enter a national identity number' : 'A national identity number has 11 digits';
    return { status: 400, page: identifyPage(view, { typed: form.psu, problem: { text, field: 'psu' }, method }) };
  }
  const known = await viewFor(bank, scaId, form.psu);
  if (known instanceof Refusal) return end(bank, scaId, { outcome: 'fail', fault: known.faults[0] });
  if (form.action === 'identify') return afterIdentifying(view, known);
  const chosen = known.contexts.find((choice) => isContextValue(form.context, choice));
  if (chosen === undefined) {
    const problem = { text: 'Choose who you act for', field: 'context-0' };
    return { status: 400, page: contextPage(view, known, problem) };
  }
  if (form.action === 'choose') return shown(subjectPage(view, known, chosen, null));
  return approve(bank, scaId, form, { view, signing: known, choice: chosen });
}

/** Nothing is left to approve: a page on the way says so; who answers goes back to the TPP, which is told why. */
function leave(bank: Bank, scaId: string, form: ScaForm, view: ScaView, closed: ClosedSca): Promise<ScaStep> | ScaStep {
  if (form.action === 'cancel' || form.action === 'approve') {
    return end(bank, scaId, { outcome: 'fail', fault: closed.fault });
  }
  return shown(closedPage(view, closed.status));
}

/** What this PSU sees, or why it is not for them. */
async function viewFor(bank: Bank, scaId: string, psu: string): Promise<SigningView | Refusal> {
  try {
    const { signing } = await readSca(bank, scaId, psu);
    if (signing !== null) return signing;
    throw new Error('a view for a PSU shows what the PSU signs');
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

/** A single context that suits the request needs no choice. */
function afterIdentifying(view: ScaView, signing: SigningView): ScaStep {
  const [first, ...others] = signing.contexts;
  const suits = view.wanted.context === null || view.wanted.context === first.context;
  if (others.length > 0 || !suits) return shown(contextPage(view, signing, null));
  return shown(subjectPage(view, signing, first, null));
}

interface Approving {
  readonly view: ScaView;
  readonly signing: SigningView;
  readonly choice: ContextChoice;
}

/** To tick nothing is to take a consent back; where nothing was granted it is an oversight. */
function approve(
  bank: Bank,
  scaId: string,
  form: Extract<ScaForm, { action: 'approve' }>,
  { view, signing, choice }: Approving,
): Promise<ScaStep> | ScaStep {
  const { context, agreement, subject } = choice;
  const approval = { outcome: 'approve', psu: signing.psu.number, context, agreement } as const;
  if (subject.purpose !== 'consent') return end(bank, scaId, { ...approval, accounts: null });
  const nothingToTakeBack = subject.accounts.length > 0 && !subject.accounts.some(({ granted }) => granted);
  if (form.accounts.length === 0 && nothingToTakeBack) {
    const problem = { text: 'Tick at least one account, or cancel', field: firstAccountField };
    return { status: 400, page: subjectPage(view, signing, choice, problem) };
  }
  return end(bank, scaId, { ...approval, accounts: form.accounts });
}

function subjectPage(view: ScaView, signing: SigningView, choice: ContextChoice, problem: Problem | null): string {
  const { subject } = choice;
  switch (subject.purpose) {
    case 'identification':
      return identificationPage(view, signing, choice);
    case 'consent':
      return consentPage(view, signing, subject.accounts, choice, problem);
    case 'basket':
      return basketPage(view, signing, subject.payments, choice);
    case 'payment':
    case 'cancellation':
      return paymentPage(view, signing, subject, choice);
  }
}

function shown(page: string): ScaStep {
  return { status: 200, page };
}

async function end(bank: Bank, scaId: string, answer: ScaAnswer): Promise<ScaStep> {
  return { location: redirectAddress(await finishSca(bank, scaId, answer)) };
}
