import type { ContextChoice } from '../../engine/approval/read-sca.ts';
import type { AccountToShare } from '../../engine/approval/sca-subject.ts';
import { html } from '../pages/html.ts';
import { page } from '../pages/page.ts';
import { contextValue, type PageView, scaForm } from './sca-form.ts';

/** Asks once more before a consent to no account: it takes away what was granted, or grants nothing (rules.md A7c). */
export function sharesNothingPage(view: PageView, accounts: readonly AccountToShare[], choice: ContextChoice): string {
  const isGranted = accounts.some(({ granted }) => granted);
  const effect = isGranted ? 'loses the access that it has now.' : 'learns who you are, and nothing else.';
  const content = html`<p class="lead">If you share no account, <strong>${view.tppName}</strong> ${effect}</p>
    ${scaForm(
      view.formToken,
      html`<input type="hidden" name="context" value="${contextValue(choice)}" />
        <div class="buttons">
          <button class="main" name="action" value="approve">Share no account</button>
          ${accounts.length > 0 && html`<button name="action" value="choose">Choose accounts</button>`}
          <button name="action" value="cancel">Cancel</button>
        </div>`,
    )}`;
  return page({ heading: 'Share no account?', problem: null, today: view.today, content });
}
