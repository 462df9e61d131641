import { html, type Html } from '../pages/html.ts';
import { scaForm } from './sca-form.ts';
import { type PageView, scaPage, tppName } from './sca-page.ts';
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
  const content = html`<p class="lead">${identify.asks[view.purpose](tppName(view))}</p>
    ${method !== null && html`<p class="method">${identify.method} <strong>${method}</strong></p>`}
    ${scaForm(
      view.formToken,
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
          ${fault !== null && html` aria-invalid="true"`}${focusOn(number === '' && fault === null)}
        />
        <div class="buttons">
          <button class="main" name="action" value="identify" ${focusOn(number !== '' && fault === null)}>
            ${common.continue}
          </button>
          <button name="action" value="cancel">${common.cancel}</button>
        </div>`,
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

function focusOn(isFirst: boolean): Html | false {
  return isFirst && html` autofocus`;
}

function psuList({ psus, formToken, texts: { identify }, shown: { language } }: PageView): Html {
  return html`<section aria-labelledby="try">
    <h2 id="try">${identify.people}</h2>
    ${scaForm(
      formToken,
      html`<input type="hidden" name="action" value="identify" />
        <ul class="people">
          ${psus.map(
            ({ number, name, note, isAwaited }) =>
              html` <li>
                <button name="psu" value="${number}">
                  <span class="name">${name}${isAwaited && html` <span class="tag">${identify.named}</span>`}</span>
                  <span class="number">${number.replace(/^(\d{6})(\d{5})$/, '$1\u00a0$2')}</span>
                  ${note !== null && html`<span class="note">${note[language]}</span>`}
                </button>
              </li>`,
          )}
        </ul>`,
    )}
  </section>`;
}
