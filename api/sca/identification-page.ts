import type { ContextChoice, SigningView } from '../../engine/approval/read-sca.ts';
import { decisionForm, type PageView } from './sca-form.ts';
import { html } from '../pages/html.ts';
import { page } from '../pages/page.ts';
import { whoSigns } from './payment-facts.ts';

/** The last page of an SCA that only gives the TPP a PSU-ID (interface: GET /v1/users). */
export function identificationPage(view: PageView, signing: SigningView, choice: ContextChoice): string {
  const content = html`<p class="lead">
      <strong>${view.tppName}</strong> will know you by an id of its own. It sees no account, and nothing is paid.
    </p>
    <dl>${whoSigns(signing, choice)}</dl>
    ${decisionForm({ formToken: view.formToken, fields: null, approve: 'Approve', cancel: 'Cancel' })}`;
  return page({ heading: 'Do you want to be known?', problem: null, today: view.today, content });
}
