import type { ContextChoice } from '../../engine/approval/read-sca.ts';
import type { AccountToShare } from '../../engine/approval/sca-subject.ts';
import { html } from '../pages/html.ts';
import { backButton, scaForm } from './sca-form.ts';
import { type PageView, scaPage, tppName } from './sca-page.ts';

/** Asks once more before a consent to no account: it takes away what was granted, or grants nothing (rules.md A7c). */
export function sharesNothingPage(view: PageView, accounts: readonly AccountToShare[], choice: ContextChoice): string {
  const { cancel, sharesNothing: texts } = view.texts;
  const isGranted = accounts.some(({ granted }) => granted);
  const effect = isGranted ? texts.takesAway : texts.grantsNone;
  const content = html`<p class="lead">${effect(tppName(view))}</p>
    ${scaForm(
      view.formToken,
      html`<div class="buttons">
        <button class="main" name="action" value="approve">${texts.confirm}</button>
        ${accounts.length > 0 && backButton(choice, texts.back)}
        <button name="action" value="cancel">${cancel}</button>
      </div>`,
    )}`;
  return scaPage(view, { heading: texts.heading, content });
}
