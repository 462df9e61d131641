import { formatDate, type LocalDate } from '../../engine/values/local-date.ts';
import { Html, html, type HtmlValue } from './html.ts';
import { styles } from './styles.ts';

interface PageParts {
  /** The page's h1 and the start of its title. */
  readonly heading: string;
  /** What was wrong with the last submission; null if nothing. */
  readonly problem: Problem | null;
  /** The bank's date; null leaves out the footer. */
  readonly today: LocalDate | null;
  readonly content: HtmlValue;
  /** Stylesheets and scripts of the page, in place of the stylesheet of forms. */
  readonly head?: Html;
}

export interface Problem {
  readonly text: string;
  /** Id of the field to correct. */
  readonly field: string;
}

const stylesheet = new Html(`<style>${styles}</style>`);

/** A whole page around its content. */
export function page({ heading, problem, today, content, head = stylesheet }: PageParts): string {
  const document = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${problem !== null && 'Error: '}${heading} &ndash; Sandbank</title>
        ${head}
      </head>
      <body>
        <header class="band">
          <p><strong>Sandbox</strong> No real money, no real people.</p>
        </header>
        <main>
          <p class="bank">Sandbank</p>
          ${problem !== null && problemSummary(problem)}
          <h1>${heading}</h1>
          ${content}
        </main>
        ${today !== null && html`<footer><p>At this bank it is ${formatDate(today)}.</p></footer>`}
      </body>
    </html> `;
  return document.text;
}

function problemSummary({ text, field }: Problem): Html {
  return html`<div class="problem" role="alert" tabindex="-1" autofocus>
    <p><strong>There is a problem</strong></p>
    <p><a href="#${field}">${text}</a></p>
  </div>`;
}
