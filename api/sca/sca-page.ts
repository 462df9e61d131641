import type { ContextChoice, ScaView, SigningView } from '../../engine/approval/read-sca.ts';
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
  /** Null means that of the sandbox. */
  readonly bankName: string | null;
  readonly toConsole: string | null;
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
  { today, shown, bankName, toConsole }: PageView,
  parts: Pick<Parameters<typeof page>[0], 'heading' | 'problem' | 'content'>,
): string {
  return page({ ...parts, today, shown, bankName, toConsole });
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
