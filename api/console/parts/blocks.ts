import { ownProgramLine } from '../../start/program-line.ts';
import { html, type Html, type HtmlValue } from '../../pages/html.ts';
import type { ProblemFacts } from '../../pipeline/problem.ts';
import type { PageCall } from '../page-call.ts';
import type { Next } from './links.ts';

/** A part of a page that a click on its summary opens. By its id the script leaves it open when the page changes. */
export function folded(id: string, summary: HtmlValue, content: HtmlValue, isOpen = false): Html {
  return html`<details id="${id}" ${isOpen && html`open`}>
    <summary>${summary}</summary>
    ${content}
  </details>`;
}

/** A part of a page below its heading; nothing without content. */
export function headed(heading: HtmlValue, content: HtmlValue): Html | null {
  if (content === null || content === false) return null;
  return html`<h2>${heading}</h2>
    ${content}`;
}

/** Terms with what they are, or false if the term is left out. */
export function facts(terms: Readonly<Record<string, HtmlValue>>): Html {
  return html`<dl class="facts">
    ${Object.entries(terms).map(
      ([term, what]) =>
        what !== false &&
        html`<div>
          <dt>${term}</dt>
          <dd>${what}</dd>
        </div>`,
    )}
  </dl>`;
}

/** An unordered list. */
export function list(items: readonly HtmlValue[], name = ''): Html {
  return html`<ul class="${name}">
    ${items.map((item) => html`<li>${item}</li>`)}
  </ul>`;
}

/** Texts with a comma between them, or what `between` says, or false if the text is left out. */
export function listed(texts: readonly HtmlValue[], between: HtmlValue = ', '): readonly Html[] {
  return texts.filter((text) => text !== false).map((text, index) => html`${index > 0 && between}${text}`);
}

/** In place of a list without rows: what would be here, and the one thing to do next, as a button. */
export function empty(text: HtmlValue, next: Next): Html {
  return html`<div class="empty">
    <p>${text}</p>
    <a class="button main" href="${next.href}">${next.text}</a>
  </div>`;
}

/** In place of a part of a page that has nothing to show. */
export function nothing(text: HtmlValue): Html {
  return html`<p class="soft">${text}</p>`;
}

/** Why something was not done or is not shown, with each fault, what is allowed, and links to what it concerns. */
export function problemBox(problem: ProblemFacts | null, ways: readonly Next[] = []): Html | null {
  if (problem === null) return null;
  const { detail, errors = [], allowed } = problem;
  const others = errors.filter((each) => !detail.includes(each.detail));
  const texts = Array.isArray(allowed) ? allowed.filter((each) => typeof each === 'string') : [];
  return html`<div class="problem" id="note" role="alert">
    <p>${detail}</p>
    ${
      others.length > 0 &&
      html`<ul>
        ${others.map((each) => html`<li>${each.path}: ${each.detail}</li>`)}
      </ul>`
    }
    ${texts.length > 0 && html`<p>Allowed: ${texts.slice(0, 20).join(', ')}</p>`}
    ${ways.length > 0 && html`<p class="ways">${ways.map(({ href, text }) => html`<a class="button" href="${href}">${text}</a> `)}</p>`}
  </div>`;
}

/** A command for this bank, such as `pay --amount 100`, as it can be pasted where the server was started. */
export function commandLine({ address }: PageCall, command: string): string {
  return `BANK=${address} ${ownProgramLine()} ${command}`;
}

/** A line to copy, in a box that can be scrolled by keyboard. */
export function code(line: string, label = 'Command'): Html {
  return html`<pre tabindex="0" role="group" aria-label="${label}"><code>${line}</code></pre>`;
}

/** Lines that may be marked, in a box that can be scrolled by keyboard. */
export function region(name: string, lines: HtmlValue): Html {
  return html`<pre tabindex="0" role="region" aria-label="${name}"><code>${lines}</code></pre>`;
}

/** Parts beside each other, each below its heading. */
export function panes(...all: readonly (readonly [heading: string, content: Html])[]): Html {
  return html`<div class="compare">
    ${all.map(
      ([heading, content]) =>
        html`<div>
          <h3>${heading}</h3>
          ${content}
        </div>`,
    )}
  </div>`;
}
