import type { ContextChoice, SigningView } from '../../engine/approval/read-sca.ts';
import { html } from '../pages/html.ts';
import { whoSigns } from './payment-facts.ts';
import { decisionForm } from './sca-form.ts';
import { type PageView, scaPage, tppName } from './sca-page.ts';

/** The last page of an SCA that only gives the TPP a PSU-ID (interface: GET /v1/users). */
export function identificationPage(view: PageView, signing: SigningView, choice: ContextChoice): string {
  const { approve, cancel, identification } = view.texts;
  const content = html`<p class="lead">${identification.lead(tppName(view))}</p>
    <dl>${whoSigns(view, signing, choice)}</dl>
    ${decisionForm({ formToken: view.formToken, fields: null, approve, cancel })}`;
  return scaPage(view, { heading: identification.heading, content });
}
