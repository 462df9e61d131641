import type { ContextChoice, ScaView, SigningView } from '../../engine/approval/read-sca.ts';
import type { AccountToShare } from '../../engine/approval/sca-subject.ts';
import { decisionForm, type PageView } from './sca-form.ts';
import { html, type Html } from '../pages/html.ts';
import { page } from '../pages/page.ts';
import { accountText } from '../pages/format.ts';

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
  const hasAccounts = accounts.length > 0;
  const content = html`${hasAccounts ? whatIsShared(view) : nothingToShare(view, signing, choice)}
    ${decisionForm({
      formToken: view.formToken,
      fields: hasAccounts && accountBoxes(accounts),
      approve: 'Approve',
      cancel: 'Cancel',
    })}
    <p class="note">
      You are ${signing.psu.name}, ${signing.psu.number}${choice.context === 'CORPORATE' && `, for ${choice.name}`}.
      ${accounts.some(({ granted }) => granted) && 'To take all access back, leave every box empty and approve.'}
    </p>`;
  return page({ heading: 'Which accounts do you share?', problem: null, today: view.today, content });
}

function whatIsShared({ tppName }: ScaView): Html {
  return html`<p class="lead">
    <strong>${tppName}</strong> will see the name, balance and transactions of the accounts you tick.
  </p>`;
}

function nothingToShare({ tppName }: ScaView, { psu }: SigningView, { context, name }: ContextChoice): Html {
  const why = context === 'PRIVATE' ? 'has no accounts of their own' : `may share no account of ${name}`;
  return html`<p class="lead">
    ${psu.name} ${why}. If you approve, <strong>${tppName}</strong> learns who you are, and sees no account.
  </p>`;
}

function accountBoxes(accounts: readonly AccountToShare[]): Html {
  const anyGranted = accounts.some(({ granted }) => granted);
  return html`<fieldset>
    <legend>Your accounts</legend>
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
            account.granted && html`<span class="tag">shared now</span>`
          }</label
        >
      </div>`;
    })}
  </fieldset>`;
}
