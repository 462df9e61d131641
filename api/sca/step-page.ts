import { assert } from '../../engine/values/assert.ts';
import { readSca, type SigningView, type AccountToShare } from '../../engine/approval/read-sca.ts';
import type { TransactionStatus } from '../../engine/values/transaction-status.ts';
import { html, type Html, type HtmlValue } from '../pages/html.ts';
import { part, type PageView, scaPage, type SignerView, tppName, viewOf, whoSigns } from './sca-page.ts';
import { contextValue, decisionForm, insistField, mainButton, scaForm, button, backButton } from './sca-forms.ts';
import { basketPage, needsSeveral, paymentPage, rejectPage } from './payment-page.ts';
import type { Step, StepCall, NumberProblem } from './sca-steps.ts';
import { accountText } from '../pages/format.ts';

/** The page of the payees of bulk payments, from 1, and the address of another one. */
interface PayeesShown {
  readonly payeesPage: number;
  readonly payeesAt: (page: number) => string;
}

/**
 * Renders the page of a step from the present state (rules.md A2, A2c); changes nothing. `redirectUri`: where the PSU
 * goes after the SCA. Throws what readSca throws, for example if the PSU may no longer approve.
 */
export async function stepPage(call: StepCall, { payeesPage, payeesAt }: PayeesShown) {
  const { bank, bankName, toConsole, steps, scaId, stepId, step, shown } = call;
  const identified = step === null || step.problem !== null ? null : step;
  const sca = await readSca(bank, scaId, identified?.psu ?? null, payeesPage);
  const view = viewOf(sca, { formToken: steps.formTokens.of(scaId, stepId), bankName, toConsole, shown, payeesAt });
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

/** Shown when nothing is left to approve: the outcome of the payment, and a button back to the TPP. */
function closedPage(view: PageView, status: TransactionStatus | null): string {
  const { closed } = view.texts;
  // `other`: it is signed, or due.
  const { other, ...known } = view.purpose === 'cancellation' ? closed.cancellation : closed.payment;
  const headings: Partial<Record<TransactionStatus, string>> = known;
  const content = html`<p class="lead">${closed.lead}</p>
    ${scaForm(view, null, mainButton('cancel', closed.back(view.tppName)))}`;
  return scaPage(view, { heading: status === null ? closed.basket : (headings[status] ?? other), content });
}

/** The PSU's earlier input, and what was wrong with it. */
interface IdentifyState {
  readonly typed: string | null;
  readonly problem: NumberProblem | null;
  /** The method that the TPP prefers (rules.md A10). In the sandbox every method takes a national identity number. */
  readonly method: string | null;
}

/** The first page: who the PSU is. Fills in the PSU that the TPP named (interface: PSU identification and SCA, 4). */
function identifyPage(view: PageView, { typed, problem, method }: IdentifyState): string {
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
    ${
      problem?.why === 'unable' &&
      scaForm(
        view,
        html`<input type="hidden" name="psu" value="${number}" />
          <input type="hidden" name="${insistField}" value="yes" />`,
        button('identify', identify.sendRefusal(view.tppName)),
      )
    }
    ${psuLists(view)}`;
  return scaPage(view, {
    heading: identify.heading,
    problem: fault === null ? null : { text: fault, field: 'psu' },
    content,
  });
}

function problemText({ texts: { identify } }: PageView, problem: NumberProblem): string {
  if ('left' in problem) return identify[problem.why](problem.left);
  return problem.why === 'unable' ? identify.unable(problem.code) : identify[problem.why];
}

/** Those who may sign, and the others in a fold, for testers (rules.md A4e). */
function psuLists(view: PageView): HtmlValue {
  const { psus } = view;
  const { people, signers, others } = view.texts.identify;
  const [able, rest] = [psus.filter(({ maySign }) => maySign), psus.filter(({ maySign }) => !maySign)];
  return [
    able.length > 0 && part('try', rest.length === 0 ? people : signers, psuList(view, able)),
    rest.length > 0 &&
      html`<details>
        <summary>${others}</summary>
        ${psuList(view, rest)}
      </details>`,
  ];
}

function psuList(view: PageView, psus: PageView['psus']): Html {
  const { texts, shown } = view;
  return html`${scaForm(
    view,
    html`<input type="hidden" name="action" value="identify" />
      <ul class="people">
        ${psus.map(
          ({ number, name, note, isAwaited }) =>
            html` <li>
              <button name="psu" value="${number}">
                <span class="name">${name}${isAwaited && html` <span class="tag">${texts.identify.named}</span>`}</span>
                <span class="number">${number.replace(/^(\d{6})(\d{5})$/, '$1\u00a0$2')}</span>
                ${note !== null && html`<span class="note">${note[shown.language]}</span>`}
              </button>
            </li>`,
        )}
      </ul>`,
  )}`;
}

/**
 * The second page: for whom the PSU acts, privately or under one of its agreements (rules.md A2). `isUnknown`: what was
 * chosen is none of them.
 */
function contextPage(view: PageView, { contexts }: SigningView, { isUnknown }: { readonly isUnknown: boolean }) {
  const { context: texts, ...common } = view.texts;
  const { wanted, tppName: name } = view;
  const at = contexts.findIndex(({ context }) => context === wanted);
  const content = html`${wanted !== null && at < 0 && html`<p class="lead">${texts.missing[wanted](name)}</p>`}
  ${scaForm(
    view,
    html`<fieldset>
      <legend>${texts.choose}</legend>
      ${isUnknown && html`<p class="fault" id="context-fault">${texts.problem}</p>`}
      ${contexts.map((choice, index) => {
        const id = `context-${index}`;
        const checked = index === Math.max(at, 0) && html` checked`;
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

/**
 * The page of a consent: which accounts to share. Ticks the accounts granted already, or all if there are none
 * (interface: Consent flow). {@link sharesNothingPage} follows where none is ticked.
 */
function consentPage(view: SignerView, accounts: readonly AccountToShare[]): string {
  const { consent } = view.texts;
  const hasAccounts = accounts.length > 0;
  const content = html`<p class="lead">${hasAccounts ? consent.shared(tppName(view)) : nothingToShare(view)}</p>
    ${decisionForm(view, hasAccounts && accountBoxes(view, accounts))}
    <p class="note">${whoShares(view)} ${accounts.some(({ granted }) => granted) && consent.takeBack}</p>`;
  return scaPage(view, { heading: consent.heading, content });
}

function whoShares({ texts: { consent }, signing: { psu }, choice: { context, name } }: SignerView): string {
  const you = `${psu.name}, ${psu.number}`;
  return context === 'CORPORATE' ? consent.youFor(you, name) : consent.you(you);
}

function nothingToShare(view: SignerView): Html {
  const { texts, signing, choice } = view;
  return html`${texts.consent.none[choice.context](signing.psu.name, choice.name)}
  ${texts.consent.nothingSeen(tppName(view))}`;
}

function accountBoxes({ texts: { consent } }: SignerView, accounts: readonly AccountToShare[]): Html {
  const anyGranted = accounts.some(({ granted }) => granted);
  return html`<fieldset>
    <legend>${consent.accounts}</legend>
    ${accounts.map((account, index) => {
      const id = `account-${index}`;
      const checked = (account.granted || !anyGranted) && html` checked`;
      return html`<div class="option">
        <input type="checkbox" id="${id}" name="account" value="${account.id}" ${checked} />
        <label for="${id}"
          >${account.name}
          <span class="number">${account.maskedPan ?? accountText(account)} · ${account.currency}</span>${
            account.granted && html`<span class="tag">${consent.sharedNow}</span>`
          }</label
        >
      </div>`;
    })}
  </fieldset>`;
}

/** Asks again before a consent without accounts: it removes the earlier access, or grants nothing (rules.md A7c). */
function sharesNothingPage(view: SignerView, accounts: readonly AccountToShare[]): string {
  const { cancel, sharesNothing: texts } = view.texts;
  const isGranted = accounts.some(({ granted }) => granted);
  const effect = isGranted ? texts.takesAway : texts.grantsNone;
  const content = html`<p class="lead">${effect(tppName(view))}</p>
    ${scaForm(
      view,
      null,
      mainButton('approve', texts.confirm),
      ...(accounts.length > 0 ? [backButton(view, texts.back)] : []),
      button('cancel', cancel),
    )}`;
  return scaPage(view, { heading: texts.heading, content });
}
