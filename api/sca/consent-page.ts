import type { AccountToShare } from '../../engine/approval/sca-subject.ts';
import { accountText } from '../pages/format.ts';
import { html, type Html } from '../pages/html.ts';
import {
  backButton,
  button,
  decisionForm,
  mainButton,
  scaForm,
  scaPage,
  type SignerView,
  tppName,
} from './sca-page.ts';

/**
 * The page of a consent: which accounts to share. Ticks the accounts granted already, or all if there are none (interface:
 * Consent flow). {@link sharesNothingPage} follows where none is ticked.
 */
export function consentPage(view: SignerView, accounts: readonly AccountToShare[]): string {
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

/** Asks once more before a consent to no account: it takes away what was granted, or grants nothing (rules.md A7c). */
export function sharesNothingPage(view: SignerView, accounts: readonly AccountToShare[]): string {
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
