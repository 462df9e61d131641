import type { SigningView } from '../../engine/approval/read-sca.ts';
import { html } from '../pages/html.ts';
import { contextValue, scaForm } from './sca-form.ts';
import { type PageView, scaPage } from './sca-page.ts';

/**
 * The second page: for whom the PSU acts, privately or under one of its agreements (rules.md A2). `isUnknown`: what was
 * chosen is none of them.
 */
export function contextPage(view: PageView, signing: SigningView, { isUnknown }: { readonly isUnknown: boolean }) {
  const { context: texts, ...common } = view.texts;
  const wanted = signing.contexts.findIndex(({ context }) => context === view.wanted);
  const isMissing = view.wanted !== null && wanted < 0;
  const content = html`${isMissing && html`<p class="lead">${texts.missing[view.wanted](view.tppName)}</p>`}
  ${scaForm(
    view.formToken,
    html`<fieldset>
        <legend>${texts.choose}</legend>
        ${isUnknown && html`<p class="fault" id="context-fault">${texts.problem}</p>`}
        ${signing.contexts.map(
          (choice, index) =>
            html`<div class="option">
              <input
                type="radio"
                id="context-${index}"
                name="context"
                value="${contextValue(choice)}"
                ${index === Math.max(wanted, 0) && html` checked`}
              />
              <label for="context-${index}"
                >${choice.name} <span class="note">${texts.name[choice.context]}</span></label
              >
            </div>`,
        )}
      </fieldset>
      <div class="buttons">
        <button class="main" name="action" value="choose">${common.continue}</button>
        <button name="action" value="cancel">${common.cancel}</button>
      </div>`,
  )}`;
  const problem = isUnknown ? { text: texts.problem, field: 'context-0' } : null;
  return scaPage(view, { heading: texts.heading, problem, content });
}
