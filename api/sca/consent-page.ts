import type { ContextChoice, SigningView } from '../../engine/approval/read-sca.ts';
import type { AccountToShare } from '../../engine/approval/sca-subject.ts';
import { accountText } from '../pages/format.ts';
import { html, type Html } from '../pages/html.ts';
import { decisionForm } from './sca-form.ts';
import { type PageView, scaPage, tppName } from './sca-page.ts';

/**
 * The page of a consent: which accounts to share. Ticks the accounts granted already, or all if there are none (interface:
 * Consent flow). {@link sharesNothingPage} follows where none is ticked.
 */
export function consentPage(
  view: PageView,
  signing: SigningView,
  accounts: readonly AccountToShare[],
  choice: ContextChoice,
): string {
  const { approve, cancel, consent } = view.texts;
  const hasAccounts = accounts.length > 0;
  const lead = hasAccounts ? consent.shared(tppName(view)) : nothingToShare(view, signing, choice);
  const content = html`<p class="lead">${lead}</p>
    ${decisionForm({
      formToken: view.formToken,
      fields: hasAccounts && accountBoxes(view, accounts),
      approve,
      cancel,
    })}
    <p class="note">
      ${whoShares(view, signing, choice)} ${accounts.some(({ granted }) => granted) && consent.takeBack}
    </p>`;
  return scaPage(view, { heading: consent.heading, content });
}

function whoShares({ texts: { consent } }: PageView, { psu }: SigningView, { context, name }: ContextChoice): string {
  const you = `${psu.name}, ${psu.number}`;
  return context === 'CORPORATE' ? consent.youFor(you, name) : consent.you(you);
}

function nothingToShare(view: PageView, { psu }: SigningView, { context, name }: ContextChoice): Html {
  const { consent } = view.texts;
  return html`${consent.none[context](psu.name, name)} ${consent.nothingSeen(tppName(view))}`;
}

function accountBoxes({ texts: { consent } }: PageView, accounts: readonly AccountToShare[]): Html {
  const anyGranted = accounts.some(({ granted }) => granted);
  return html`<fieldset>
    <legend>${consent.accounts}</legend>
    ${accounts.map((account, index) => {
      const isTicked = account.granted || !anyGranted;
      return html`<div class="option">
        <input
          type="checkbox"
          id="account-${index}"
          name="account"
          value="${account.id}"
          ${isTicked && html` checked`}
        />
        <label for="account-${index}"
          >${account.name}
          <span class="number">${account.maskedPan ?? accountText(account)} · ${account.currency}</span>${
            account.granted && html`<span class="tag">${consent.sharedNow}</span>`
          }</label
        >
      </div>`;
    })}
  </fieldset>`;
}
