import type { ScaView } from '../../engine/approval/read-sca.ts';
import { html, type Html } from '../pages/html.ts';
import { page, type Problem } from '../pages/page.ts';
import { type PageView, scaForm } from './sca-form.ts';

/** What the TPP asks for, by purpose of the SCA. */
const requests: Readonly<Record<ScaView['purpose'], string>> = {
  payment: 'asks you to approve a payment.',
  cancellation: 'asks you to approve the cancellation of a payment.',
  basket: 'asks you to approve several payments at once.',
  consent: 'asks to read your accounts.',
  identification: 'asks who you are.',
};

/** What the PSU typed before, and what was wrong with it. */
interface IdentifyState {
  readonly typed: string | null;
  readonly problem: Problem | null;
  /** The method that the TPP prefers (rules.md A10). In the sandbox every method takes a national identity number. */
  readonly method?: string | null;
}

/** The first page: who the PSU is. Fills in the PSU that the TPP named (interface: PSU identification and SCA, 4). */
export function identifyPage(view: PageView, { typed, problem, method = null }: IdentifyState): string {
  const number = typed ?? view.psus.find(({ isAwaited }) => isAwaited)?.number ?? '';
  const content = html`<p class="lead"><strong>${view.tppName}</strong> ${requests[view.purpose]}</p>
    ${method !== null && html`<p class="method">Method: <strong>${method}</strong></p>`}
    ${scaForm(
      view.formToken,
      html`<label for="psu">National identity number</label>
        <p class="hint" id="psu-hint">11 digits. Any person of this sandbox; there is no password.</p>
        ${problem !== null && html`<p class="fault" id="psu-fault">${problem.text}</p>`}
        <input
          id="psu"
          name="psu"
          value="${number}"
          inputmode="numeric"
          autocomplete="off"
          spellcheck="false"
          maxlength="20"
          aria-describedby="psu-hint${problem !== null && ' psu-fault'}"
          ${problem !== null && html` aria-invalid="true"`}${focusOn(number === '' && problem === null)}
        />
        <div class="buttons">
          <button class="main" name="action" value="identify" ${focusOn(number !== '' && problem === null)}>
            Continue
          </button>
          <button name="action" value="cancel">Cancel</button>
        </div>`,
    )}
    ${view.psus.length > 0 && psuList(view)}`;
  return page({ heading: 'Who are you?', problem, today: view.today, content });
}

function focusOn(isFirst: boolean): Html | false {
  return isFirst && html` autofocus`;
}

function psuList({ psus, formToken }: PageView): Html {
  return html`<section aria-labelledby="try">
    <h2 id="try">People to try</h2>
    ${scaForm(
      formToken,
      html`<input type="hidden" name="action" value="identify" />
        <ul class="people">
          ${psus.map(
            ({ number, name, note, isAwaited }) =>
              html` <li>
                <button name="psu" value="${number}">
                  <span class="name">${name}${isAwaited && html` <span class="tag">named by the TPP</span>`}</span>
                  <span class="number">${number.replace(/^(\d{6})(\d{5})$/, '$1\u00a0$2')}</span>
                  ${note !== null && html`<span class="note">${note}</span>`}
                </button>
              </li>`,
          )}
        </ul>`,
    )}
  </section>`;
}
