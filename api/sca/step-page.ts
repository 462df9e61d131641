import type { Bank } from '../../engine/bank.ts';
import { assert } from '../../engine/values/assert.ts';
import { readSca, type ContextChoice, type SigningView } from '../../engine/approval/read-sca.ts';
import { basketPage } from './basket-page.ts';
import { closedPage } from './closed-page.ts';
import { consentPage } from './consent-page.ts';
import { contextPage } from './context-page.ts';
import { contextValue } from './sca-form.ts';
import type { PageLanguage } from '../pages/language.ts';
import { type PageView, viewOf } from './sca-page.ts';
import { rejectPage } from './reject-page.ts';
import { needsSeveral } from './signatures.ts';
import { identificationPage } from './identification-page.ts';
import { identifyPage } from './identify-page.ts';
import { paymentPage } from './payment-page.ts';
import type { Step } from './sca-steps.ts';
import { sharesNothingPage } from './shares-nothing-page.ts';

interface StepShown {
  readonly scaId: string;
  /** Null on the first page. */
  readonly step: Step | null;
  readonly method: string | null;
  readonly formToken: string;
  readonly shown: PageLanguage;
  /** The page of the payees of bulk payments, from 1, and the address of another one. */
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
export async function stepPage(bank: Bank, shown: StepShown): Promise<RenderedPage> {
  const { scaId, step, payeesPage } = shown;
  const identified = step === null || step.problem !== null ? null : step;
  const view = viewOf(await readSca(bank, scaId, identified?.psu ?? null, payeesPage), shown);
  return { page: pageOf(view, identified, shown), redirectUri: view.redirectUri };
}

/** `identified`: the step of a PSU who is identified. */
function pageOf(view: PageView, identified: Step | null, { step, method }: StepShown): string {
  const { closed, signing } = view;
  if (closed !== null) return closedPage(view, closed.status);
  if (identified === null) {
    return identifyPage(view, { typed: step?.psu ?? null, problem: step?.problem ?? null, method });
  }
  assert(signing !== null, 'a view for a PSU has what the PSU signs');
  const { context } = identified;
  if (context === null) return contextPage(view, signing, { isUnknown: false });
  const choice = signing.contexts.find((one) => contextValue(one) === context);
  if (choice !== undefined) return subjectPage(view, signing, choice, identified);
  return contextPage(view, signing, { isUnknown: true });
}

function subjectPage(view: PageView, signing: SigningView, choice: ContextChoice, step: Step): string {
  const { subject } = choice;
  switch (subject.purpose) {
    case 'identification':
      return identificationPage(view, signing, choice);
    case 'consent':
      return step.askedAgain === 'shares nothing'
        ? sharesNothingPage(view, subject.accounts, choice)
        : consentPage(view, signing, subject.accounts, choice);
    case 'basket':
      return basketPage(view, signing, subject, choice);
    case 'payment':
    case 'cancellation':
      return step.askedAgain === 'reject' && needsSeveral(subject)
        ? rejectPage(view, subject.payment, choice)
        : paymentPage(view, signing, subject, choice);
  }
}
