import type { SigningView } from '../../engine/approval/read-sca.ts';
import type { ScaSubject } from '../../engine/approval/sca-subject.ts';
import { html, type Html } from '../pages/html.ts';
import { fact } from './payment-facts.ts';
import { scaForm } from './sca-form.ts';
import type { PageView } from './sca-page.ts';

type PaymentSubject = Extract<ScaSubject, { payment: unknown }>;

/** Whether the page shows signatures: a payment needs several of them. A cancellation always takes one. */
export function needsSeveral({ purpose, payment }: PaymentSubject): boolean {
  return purpose === 'payment' && payment.signatures.required > 1;
}

/** Who has signed and when, this PSU, and who can sign too (interface: Multiple signatures). */
export function signatureFact({ texts, format }: PageView, { psu }: SigningView, subject: PaymentSubject): Html {
  const { signatures: words } = texts;
  const { required, given } = subject.payment.signatures;
  const left = required - given.length - 1;
  const signers = html`<ol class="signers">
    ${given.map(({ name, at }) => signer('signed', name, words.signed(format.moment(at))))}
    ${signer('now', psu.name, words.you)}
    ${left > 0 && subject.otherSigners.map((name) => signer('missing', name, words.maySign))}
  </ol>`;
  const missing = left === 0 ? words.last : words.left(left);
  return fact(words.name, html`${words.required(required)} ${missing} ${signers}`);
}

function signer(state: 'signed' | 'now' | 'missing', name: string, note: string): Html {
  return html`<li class="${state}">${name} <span class="note">${note}</span></li>`;
}

/** The way to reject the payment for all of its signers (rules.md A4c). */
export function rejectSection({ formToken, texts: { signatures: words } }: PageView): Html {
  return html`<section aria-labelledby="reject">
    <h2 id="reject">${words.orReject}</h2>
    <p class="note">${words.rejectEnds}</p>
    ${scaForm(
      formToken,
      html`<div class="buttons"><button name="action" value="reject">${words.reject}</button></div>`,
    )}
  </section>`;
}
