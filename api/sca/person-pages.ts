import type { SigningView } from '../../engine/approval/read-sca.ts';
import { html, type Html } from '../pages/html.ts';
import { button, contextValue, mainButton, type PageView, scaForm, scaPage, tppName } from './sca-page.ts';
import type { NumberProblem } from './sca-steps.ts';

/** What the PSU typed before, and what was wrong with it. */
interface IdentifyState {
  readonly typed: string | null;
  readonly problem: NumberProblem | null;
  /** The method that the TPP prefers (rules.md A10). In the sandbox every method takes a national identity number. */
  readonly method: string | null;
}

/** The first page: who the PSU is. Fills in the PSU that the TPP named (interface: PSU identification and SCA, 4). */
export function identifyPage(view: PageView, { typed, problem, method }: IdentifyState): string {
  const { identify, ...common } = view.texts;
  const number = typed ?? view.psus.find(({ isAwaited }) => isAwaited)?.number ?? '';
  const fault = problem === null ? null : problemText(view, problem);
  const isFirst = (is: boolean): Html | null => (is && fault === null ? html`autofocus` : null);
  const content = html`<p class="lead">${identify.asks[view.purpose](tppName(view))}</p>
    ${method !== null && html`<p>${identify.method} <strong>${method}</strong></p>`}
    ${scaForm(
      view,
      html`<label for="psu">${identify.number}</label>
        <p class="hint" id="psu-hint">${identify.hint}</p>
        ${fault !== null && html`<p class="fault" id="psu-fault">${fault}</p>`}
        <input
          id="psu"
          name="psu"
          value="${number}"
          inputmode="numeric"
          autocomplete="off"
          spellcheck="false"
          maxlength="20"
          aria-describedby="psu-hint${fault !== null && ' psu-fault'}"
          ${fault !== null && html` aria-invalid="true"`}${isFirst(number === '')}
        />`,
      mainButton('identify', common.continue, isFirst(number !== '')),
      button('cancel', common.cancel),
    )}
    ${view.psus.length > 0 && psuList(view)}`;
  return scaPage(view, {
    heading: identify.heading,
    problem: fault === null ? null : { text: fault, field: 'psu' },
    content,
  });
}

function problemText({ texts: { identify } }: PageView, problem: NumberProblem): string {
  return 'left' in problem ? identify[problem.why](problem.left) : identify[problem.why];
}

function psuList(view: PageView): Html {
  const { psus, texts, shown } = view;
  return html`<section aria-labelledby="try">
    <h2 id="try">${texts.identify.people}</h2>
    ${scaForm(
      view,
      html`<input type="hidden" name="action" value="identify" />
        <ul class="people">
          ${psus.map(
            ({ number, name, note, isAwaited }) =>
              html` <li>
                <button name="psu" value="${number}">
                  <span class="name"
                    >${name}${isAwaited && html` <span class="tag">${texts.identify.named}</span>`}</span
                  >
                  <span class="number">${number.replace(/^(\d{6})(\d{5})$/, '$1\u00a0$2')}</span>
                  ${note !== null && html`<span class="note">${note[shown.language]}</span>`}
                </button>
              </li>`,
          )}
        </ul>`,
    )}
  </section>`;
}

/**
 * The second page: for whom the PSU acts, privately or under one of its agreements (rules.md A2). `isUnknown`: what was
 * chosen is none of them.
 */
export function contextPage(view: PageView, { contexts }: SigningView, { isUnknown }: { readonly isUnknown: boolean }) {
  const { context: texts, ...common } = view.texts;
  const wanted = contexts.findIndex(({ context }) => context === view.wanted);
  const isMissing = view.wanted !== null && wanted < 0;
  const content = html`${isMissing && html`<p class="lead">${texts.missing[view.wanted](view.tppName)}</p>`}
  ${scaForm(
    view,
    html`<fieldset>
      <legend>${texts.choose}</legend>
      ${isUnknown && html`<p class="fault" id="context-fault">${texts.problem}</p>`}
      ${contexts.map((choice, index) => {
        const id = `context-${index}`;
        const checked = index === Math.max(wanted, 0) && html` checked`;
        return html`<div class="option">
          <input type="radio" id="${id}" name="context" value="${contextValue(choice)}" ${checked} />
          <label for="${id}">${choice.name} <span class="note">${texts.name[choice.context]}</span></label>
        </div>`;
      })}
    </fieldset>`,
    mainButton('choose', common.continue),
    button('cancel', common.cancel),
  )}`;
  const problem = isUnknown ? { text: texts.problem, field: 'context-0' } : null;
  return scaPage(view, { heading: texts.heading, problem, content });
}
