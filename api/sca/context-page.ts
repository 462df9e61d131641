import type { SigningView } from '../../engine/approval/read-sca.ts';
import { contextValue, type PageView, scaForm } from './sca-form.ts';
import { html, type Html } from '../pages/html.ts';
import { page, type Problem } from '../pages/page.ts';

const words = { PRIVATE: 'Private', CORPORATE: 'Corporate' } as const;

/** The second page: for whom the PSU acts, privately or under one of its agreements (rules.md A2). */
export function contextPage(view: PageView, signing: SigningView, problem: Problem | null): string {
  const wanted = signing.contexts.findIndex(({ context }) => context === view.wanted);
  const content = html`${missingNote(view, wanted)}
  ${scaForm(
    view.formToken,
    html`<fieldset>
        <legend>Choose one</legend>
        ${problem !== null && html`<p class="fault" id="context-fault">${problem.text}</p>`}
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
              <label for="context-${index}">${choice.name} <span class="note">${words[choice.context]}</span></label>
            </div>`,
        )}
      </fieldset>
      <div class="buttons">
        <button class="main" name="action" value="choose">Continue</button>
        <button name="action" value="cancel">Cancel</button>
      </div>`,
  )}`;
  return page({ heading: 'Who do you act for?', problem, today: view.today, content });
}

function missingNote(view: PageView, wanted: number): Html | null {
  if (view.wanted === null || wanted >= 0) return null;
  const asked = words[view.wanted].toLowerCase();
  return html`<p class="lead">${view.tppName} asked for a ${asked} context, and you have none to choose here.</p>`;
}
