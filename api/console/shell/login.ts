import { html } from '../../pages/html.ts';
import type { PageAddresses } from '../page-addresses.ts';
import { layout } from './layout.ts';

/** Where the form is sent, below `/console`. */
export const loginPath = '/session';

/** Names of the fields of the form. */
export const loginFields = { token: 'control-token', to: 'to' };

/** The page that asks for the control token. `to`: the page to show then, below `/console`; `fault`: why the token before was not taken. */
export function loginPage(
  call: PageAddresses,
  { to, fault }: { readonly to: string; readonly fault: string | null },
): string {
  const isWrong = fault !== null;
  const { token } = loginFields;
  const content = html`<p class="lead">
      ${
        call.bankName === 'default'
          ? 'This server has a control token, the value of SANDBANK_CONTROL_TOKEN. It asks for the token once: this browser'
          : `The bank ${call.bankName} asks for its token, which begins with sbt_, once: this browser`
      }
      then has a session until the server stops.
    </p>
    <form class="filter" method="post" action="${call.to(loginPath)}">
      <input type="hidden" name="${loginFields.to}" value="${to}" />
      <div class="field">
        <label for="${token}">Control token</label>
        <input
          id="${token}"
          name="${token}"
          type="password"
          autocomplete="off"
          required
          autofocus
          ${isWrong && html`aria-invalid="true" aria-describedby="wrong"`}
        />
        ${isWrong && html`<p class="fault" id="wrong">${fault}</p>`}
      </div>
      <button class="main">Open the console</button>
    </form>`;
  return layout(call, { title: isWrong ? 'Another control token' : 'The control token', content });
}
