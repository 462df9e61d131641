import type { ContextChoice, ScaView, SigningView } from '../../engine/approval/read-sca.ts';
import type { ChosenContext } from '../../engine/parties/acting.ts';
import { formatsIn } from '../pages/format.ts';
import { html, type Html, type HtmlValue } from '../pages/html.ts';
import type { Language, PageLanguage } from '../pages/language.ts';
import { page } from '../pages/page.ts';
import { en, type ScaTexts } from './texts/en.ts';
import { nb } from './texts/nb.ts';

/** The texts of the pages in each language. */
export const textsIn: Readonly<Record<Language, ScaTexts>> = { en, nb };

/** What an SCA page shows, the token for its forms, and its language. */
export type PageView = ReturnType<typeof viewOf>;

interface AboutPage {
  readonly formToken: string;
  /** Null: that of the sandbox. */
  readonly bankName: string | null;
  readonly shown: PageLanguage;
  /** The address of this page with another page of the payees of bulk payments. */
  readonly payeesAt: (page: number) => string;
}

/** The view of a last page: its PSU, and the context that was chosen. */
export type SignerView = PageView & { readonly signing: SigningView; readonly choice: ContextChoice };

/** The view of a page in a language. */
export function viewOf(view: ScaView, about: AboutPage) {
  const { language } = about.shown;
  return { ...view, ...about, texts: textsIn[language], format: formatsIn(language) };
}

/** An SCA page around its content. */
export function scaPage(
  { today, shown, bankName }: PageView,
  parts: Pick<Parameters<typeof page>[0], 'heading' | 'problem' | 'content'>,
): string {
  return page({ ...parts, today, shown, bankName });
}

/** The name of the TPP, as it stands in a sentence. */
export function tppName({ tppName: name }: ScaView): Html {
  return html`<strong>${name}</strong>`;
}

/** One line of a list of facts. */
export function fact(name: string, value: HtmlValue): Html {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;
}

/** A part of a page below its heading, by which screen readers name it. */
export function part(id: string, heading: HtmlValue, content: HtmlValue): Html {
  return html`<section aria-labelledby="${id}">
    <h2 id="${id}">${heading}</h2>
    ${content}
  </section>`;
}

/** The PSU who approves and, in corporate context, the corporation. */
export function whoSigns({ texts: { facts }, signing: { psu }, choice }: SignerView): readonly Html[] {
  const you = fact(facts.you, `${psu.name}, ${psu.number}`);
  return choice.context === 'CORPORATE' ? [fact(facts.forCompany, choice.name), you] : [you];
}

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

/** A button that leads from a question asked once more back to the page in its context, by choosing the context again. */
export function backButton({ choice }: SignerView, label: string): Html {
  return html`<input type="hidden" name="context" value="${contextValue(choice)}" /> ${button('choose', label)}`;
}
