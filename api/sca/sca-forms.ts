import type { ChosenContext } from '../../engine/parties/acting.ts';
import { html, type Html, type HtmlValue } from '../pages/html.ts';
import type { PageView, SignerView } from './sca-page.ts';
import type { ScaTexts } from './texts/en.ts';

/* The forms of the SCA pages, and of access. */

/** What a PSU can do on a page. */
type ScaAction = 'cancel' | 'reject' | 'identify' | 'choose' | 'approve' | 'withdraw' | 'again';

/** The field with the token of the form. */
export const tokenField = 'token';

/** The field with which a PSU who cannot approve ends the SCA all the same (rules.md A4e). */
export const insistField = 'insist';

/** A form that posts to its own page, with the token that proves its origin. Enter presses the first button. */
export function scaForm(
  { formToken }: Pick<PageView, 'formToken'>,
  fields: HtmlValue,
  ...buttons: readonly Html[]
): Html {
  return html`<form method="post">
    <input type="hidden" name="${tokenField}" value="${formToken}" />
    ${fields} ${buttons.length > 0 && html`<div class="buttons">${buttons}</div>`}
  </form>`;
}

/** A button of a form. */
export function button(action: ScaAction, label: string, attributes: Html | null = null): Html {
  return html` <button name="action" value="${action}" ${attributes}>${label}</button>`;
}

/** The button for what a page is for. */
export function mainButton(action: ScaAction, label: string, attributes: Html | null = null): Html {
  return button(action, label, html`class="main" ${attributes}`);
}

/** The form that ends every SCA. Approve comes first, so that Enter approves. */
export function decisionForm(
  view: PageView,
  fields: HtmlValue = null,
  { approve, cancel }: Pick<ScaTexts, 'approve' | 'cancel'> = view.texts,
): Html {
  return scaForm(view, fields, mainButton('approve', approve), button('cancel', cancel));
}

/** The value of a form field for a context: `PRIVATE`, or `CORPORATE` with the id of an agreement. */
export function contextValue({ context, agreement }: ChosenContext): string {
  return agreement === null ? context : `${context} ${agreement}`;
}

/** Parses a value of contextValue; null for any other text. */
export function contextNamed(value: string): ChosenContext | null {
  if (value === 'PRIVATE') return { context: 'PRIVATE', agreement: null };
  const [, agreement] = /^CORPORATE (\S+)$/.exec(value) ?? [];
  return agreement === undefined ? null : { context: 'CORPORATE', agreement };
}

/**
 * A button that leads from a question asked once more back to the page in its context, by choosing the context again.
 */
export function backButton({ choice }: SignerView, label: string): Html {
  return html`<input type="hidden" name="context" value="${contextValue(choice)}" /> ${button('choose', label)}`;
}
