import { assert } from '../../engine/values/assert.ts';
import { readSca } from '../../engine/approval/read-sca.ts';
import type { TransactionStatus } from '../../engine/settlement/rules/transaction-status.ts';
import { consentPage, sharesNothingPage } from './consent-page.ts';
import { html } from '../pages/html.ts';
import {
  contextValue,
  decisionForm,
  mainButton,
  type PageView,
  scaForm,
  scaPage,
  type SignerView,
  tppName,
  viewOf,
  whoSigns,
} from './sca-page.ts';
import { basketPage, needsSeveral, paymentPage, rejectPage } from './payment-page.ts';
import { contextPage, identifyPage } from './person-pages.ts';
import type { Step, StepCall } from './sca-steps.ts';

/** The page of the payees of bulk payments, from 1, and the address of another one. */
interface PayeesShown {
  readonly payeesPage: number;
  readonly payeesAt: (page: number) => string;
}

interface RenderedPage {
  readonly page: string;
  /** Where the PSU goes after the SCA. */
  readonly redirectUri: string;
}

/**
 * Renders the page of a step from the present state (rules.md A2, A2c); changes nothing. Throws what readSca throws, for
 * example if the PSU may no longer approve.
 */
export async function stepPage(call: StepCall, { payeesPage, payeesAt }: PayeesShown): Promise<RenderedPage> {
  const { bank, bankName, steps, scaId, stepId, step, shown } = call;
  const identified = step === null || step.problem !== null ? null : step;
  const sca = await readSca(bank, scaId, identified?.psu ?? null, payeesPage);
  const view = viewOf(sca, { formToken: steps.formTokens.of(scaId, stepId), bankName, shown, payeesAt });
  return { page: pageOf(view, identified, call), redirectUri: view.redirectUri };
}

/** `identified`: the step of a PSU who is identified. */
function pageOf(view: PageView, identified: Step | null, { step, method }: StepCall): string {
  const { closed, signing } = view;
  if (closed !== null) return closedPage(view, closed.status);
  if (identified === null) {
    return identifyPage(view, { typed: step?.psu ?? null, problem: step?.problem ?? null, method });
  }
  assert(signing !== null, 'a view for a PSU has what the PSU signs');
  const { context } = identified;
  if (context === null) return contextPage(view, signing, { isUnknown: false });
  const choice = signing.contexts.find((one) => contextValue(one) === context);
  if (choice !== undefined) return subjectPage({ ...view, signing, choice }, identified);
  return contextPage(view, signing, { isUnknown: true });
}

function subjectPage(view: SignerView, step: Step): string {
  const { subject } = view.choice;
  switch (subject.purpose) {
    case 'identification':
      return identificationPage(view);
    case 'consent':
      return step.askedAgain === 'shares nothing'
        ? sharesNothingPage(view, subject.accounts)
        : consentPage(view, subject.accounts);
    case 'basket':
      return basketPage(view, subject);
    case 'payment':
    case 'cancellation':
      return step.askedAgain === 'reject' && needsSeveral(subject)
        ? rejectPage(view, subject.payment)
        : paymentPage(view, subject);
  }
}

/** The last page of an SCA that only gives the TPP a PSU-ID (interface: GET /v1/users). */
function identificationPage(view: SignerView): string {
  const { identification } = view.texts;
  const content = html`<p class="lead">${identification.lead(tppName(view))}</p>
    <dl>${whoSigns(view)}</dl>
    ${decisionForm(view)}`;
  return scaPage(view, { heading: identification.heading, content });
}

/** Shown if there is nothing left to approve: what became of the payment, and a button back to the TPP. */
function closedPage(view: PageView, status: TransactionStatus | null): string {
  const { closed } = view.texts;
  // `other`: it is signed, or due.
  const { other, ...known } = view.purpose === 'cancellation' ? closed.cancellation : closed.payment;
  const headings: Partial<Record<TransactionStatus, string>> = known;
  const content = html`<p class="lead">${closed.lead}</p>
    ${scaForm(view, null, mainButton('cancel', closed.back(view.tppName)))}`;
  return scaPage(view, { heading: status === null ? closed.basket : (headings[status] ?? other), content });
}
