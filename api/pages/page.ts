import type { LocalDate } from '../../engine/values/local-date.ts';
import { formatsIn } from './format.ts';
import { Html, html, type HtmlValue } from './html.ts';
import { inEnglish, languageNames, type PageLanguage, pageTexts } from './language.ts';
import { styles } from './styles.ts';

interface PageParts {
  /** The page's h1 and the start of its title. */
  readonly heading: string;
  /** What was wrong with the last submission, if anything. */
  readonly problem?: Problem | null;
  /** The date of the bank, for the footer. */
  readonly today?: LocalDate | null;
  readonly content: HtmlValue;
  /** Stylesheets and scripts of the page, in place of the stylesheet of forms. */
  readonly head?: Html;
  /** If it is left out, the page exists in English only. */
  readonly shown?: PageLanguage;
  /**
   * The page of the console about the same, relative to this one. Null, and left out, for a browser that was not there.
   */
  readonly toConsole?: string | null;
  /** Whose page it is, by default the sandbox's. */
  readonly bankName?: string | null;
}

interface Problem {
  readonly text: string;
  /** Id of the field to correct. */
  readonly field: string;
}

const stylesheet = new Html(`<style>${styles}</style>`);

/** A whole page around its content. */
export function page({
  heading,
  problem = null,
  today = null,
  content,
  head = stylesheet,
  shown = inEnglish,
  bankName = null,
  toConsole = null,
}: PageParts): string {
  const texts = pageTexts[shown.language];
  const owner = bankName ?? 'Sandbank';
  const document = html`<!doctype html>
    <html lang="${shown.language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${problem !== null && `${texts.error} `}${heading} &ndash; ${owner}</title>
        ${head}
      </head>
      <body>
        <header class="band">
          <p>
            <strong>${texts.sandbox}</strong> ${texts.notReal}
            ${toConsole !== null && html`<a href="${toConsole}" target="_top">${texts.toConsole}</a>`}
          </p>
        </header>
        <main>
          <div class="top">
            <p class="bank">${owner}</p>
            ${shown.other !== null && languageSwitch(shown.other)}
          </div>
          ${problem !== null && problemSummary(problem, texts.problem)}
          <h1>${heading}</h1>
          ${content}
        </main>
        ${today !== null && html`<footer><p>${texts.today(formatsIn(shown.language).date(today))}</p></footer>`}
      </body>
    </html> `;
  return document.text;
}

/** Link to the same page in the other language, in that language. */
function languageSwitch({ language, href }: NonNullable<PageLanguage['other']>): Html {
  return html`<a class="language" href="${href}" lang="${language}" hreflang="${language}"
    >${languageNames[language]}</a
  >`;
}

function problemSummary({ text, field }: Problem, problem: string): Html {
  return html`<div class="problem" role="alert" tabindex="-1" autofocus>
    <p><strong>${problem}</strong></p>
    <p><a href="#${field}">${text}</a></p>
  </div>`;
}
