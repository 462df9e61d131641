import type { ScaView } from '../../engine/approval/read-sca.ts';
import { formatsIn, type Formats } from '../pages/format.ts';
import { html, type Html, type HtmlValue } from '../pages/html.ts';
import type { Language, PageLanguage } from '../pages/language.ts';
import { page, type Problem } from '../pages/page.ts';
import { en, type ScaTexts } from './texts/en.ts';
import { nb } from './texts/nb.ts';

const textsIn: Readonly<Record<Language, ScaTexts>> = { en, nb };

/** What an SCA page shows, the token for its forms, and its language. */
export type PageView = ScaView & {
  readonly formToken: string;
  readonly shown: PageLanguage;
  /** The address of this page with another page of the payees of bulk payments. */
  readonly payeesAt: (page: number) => string;
  readonly texts: ScaTexts;
  readonly format: Formats;
};

/** The view of a page in a language. */
export function viewOf(view: ScaView, about: Pick<PageView, 'formToken' | 'shown' | 'payeesAt'>): PageView {
  const { language } = about.shown;
  return { ...view, ...about, texts: textsIn[language], format: formatsIn(language) };
}

interface ScaPageParts {
  readonly heading: string;
  readonly problem?: Problem | null;
  readonly content: HtmlValue;
}

/** An SCA page around its content. */
export function scaPage({ today, shown }: PageView, { heading, problem = null, content }: ScaPageParts): string {
  return page({ heading, problem, today, content, shown });
}

/** The name of the TPP, as it stands in a sentence. */
export function tppName({ tppName: name }: ScaView): Html {
  return html`<strong>${name}</strong>`;
}
