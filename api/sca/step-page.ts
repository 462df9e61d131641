import type { Bank } from '../../engine/bank.ts';
import { assert } from '../../engine/values/assert.ts';
import { readSca, type ContextChoice, type SigningView } from '../../engine/approval/read-sca.ts';
import { basketPage } from './basket-page.ts';
import { closedPage } from './closed-page.ts';
import { consentPage } from './consent-page.ts';
import { contextPage } from './context-page.ts';
import { contextValue, type PageView } from './sca-form.ts';
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
}

/**
 * Renders the page of a step from the present state (rules.md A2, A2c); changes nothing. Throws what readSca throws, for
 * example if the PSU may no longer approve.
 */
export async function stepPage(bank: Bank, { scaId, step, method, formToken }: StepShown): Promise<string> {
  const identified = step === null || step.problem?.field === 'psu' ? null : step;
  const view = { ...(await readSca(bank, scaId, identified?.psu ?? null)), formToken };
  const { closed, signing } = view;
  if (closed !== null) return closedPage(view, closed.status);
  if (identified === null) {
    return identifyPage(view, { typed: step?.psu ?? null, problem: step?.problem ?? null, method });
  }
  assert(signing !== null, 'a view for a PSU has what the PSU signs');
  const { context } = identified;
  if (context === null) return contextPage(view, signing, null);
  const choice = signing.contexts.find((one) => contextValue(one) === context);
  if (choice !== undefined) return subjectPage(view, signing, choice, identified);
  return contextPage(view, signing, { text: 'Choose who you act for', field: 'context-0' });
}

function subjectPage(view: PageView, signing: SigningView, choice: ContextChoice, step: Step): string {
  const { subject } = choice;
  switch (subject.purpose) {
    case 'identification':
      return identificationPage(view, signing, choice);
    case 'consent':
      return step.sharesNothing
        ? sharesNothingPage(view, subject.accounts, choice)
        : consentPage(view, signing, subject.accounts, choice);
    case 'basket':
      return basketPage(view, signing, subject.payments, choice);
    case 'payment':
    case 'cancellation':
      return paymentPage(view, signing, subject, choice);
  }
}
