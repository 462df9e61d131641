import { Marked, type Tokens } from 'marked';
import { html, Html } from '../pages/html.ts';
import { freeAnchor, guidePages, leadsTo, pageText, relativeTo, writtenAddress } from './guide-files.ts';

/** The name of a page's file beside the others: `signing`, or `signing.html`. */
type PageName = (path: string) => string;

/**
 * Renders a page as HTML: its content, with an anchor on each heading and a list of its sections. HTML in the Markdown is shown as
 * text. A link to a file that is no page of the guide becomes plain words. Throws for a page that there is not.
 */
export async function renderPage(path: string, nameOf: PageName): Promise<string> {
  const known = new Set((await guidePages()).map((page) => page.path));
  return renderText(await pageText(path), path, (to) => (known.has(to) ? relativeTo(path, nameOf(to)) : null));
}

/** Renders the Markdown of a page. `hrefOf`: the address of another page; null: it is none of the guide. */
export function renderText(markdown: string, path: string, hrefOf: (page: string) => string | null): string {
  const sections: Section[] = [];
  const rules = new Set<string>();
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth, text }) {
        const words = new Html(this.parser.parseInline(tokens));
        const id = freeAnchor(text, sections);
        sections.push({ id, words, depth });
        const link = html`<a class="anchor" href="#${id}" aria-label="Link to this section">#</a>`;
        return html`<h${depth} id="${id}">${words}${depth > 1 && html` ${link}`}</h${depth}>`.text;
      },
      // A rule begins with its number: `**Q4 Pending.**`. Links lead to the first of this number.
      strong({ tokens, text }) {
        const words = new Html(this.parser.parseInline(tokens));
        const id = /^[A-Z]{1,2}\d+[a-z]?(?![\w-])/.exec(text)?.[0].toLowerCase();
        const isRule = id !== undefined && !rules.has(id) && !sections.some((section) => section.id === id);
        if (isRule) rules.add(id);
        return html`<strong ${isRule && html`id="${id}"`}>${words}</strong>`.text;
      },
      code: ({ text, lang = '' }) =>
        html`<div class="${lang === 'text' ? 'output' : 'code'}">
          <pre tabindex="0"><code>${inCommands(text, lang)}</code></pre>
        </div>`.text,
      html: ({ text }) => (text.trimStart().startsWith('<!--') ? '' : html`${text}`.text),
      link({ href, tokens }) {
        const words = new Html(this.parser.parseInline(tokens));
        const address = addressOf(href, path, hrefOf);
        return address === null ? words.text : html`<a href="${address}">${words}</a>`.text;
      },
      image: ({ href, text }) => pictureOf(href, text, path).text,
    },
  });
  const content = marked.parse(withoutHead(markdown), { async: false });
  return withSections(withScrolls(content), sections);
}

interface Section {
  readonly id: string;
  readonly words: Html;
  readonly depth: Tokens.Heading['depth'];
}

/** A block as it is shown: a command names the address, so that it can be copied alone. */
function inCommands(text: string, language: string): string {
  if (language !== 'sh' && language !== 'console') return text;
  return text.replaceAll(/\$BANK\b|\$\{BANK\}|http:\/\/localhost:8080\b/g, writtenAddress);
}

function addressOf(href: string, path: string, hrefOf: (page: string) => string | null): string | null {
  // A named bank in an example is none that there is.
  if (href.startsWith(`${writtenAddress}/banks/`)) return null;
  if (/^(?:https?:|#)/.test(href)) return href;
  const place = leadsTo(path, href);
  if (place === null || !('page' in place)) return null;
  const page = hrefOf(place.page);
  return page === null ? null : `${page}${place.anchor}`;
}

/** A picture, marked so that a server without it leaves it out. */
function pictureOf(href: string, words: string, path: string): Html {
  const place = leadsTo(path, href);
  if (place === null || !('picture' in place)) return html`${words}`;
  return html`<img src="${relativeTo(path, place.picture)}" alt="${words}" data-picture="${place.picture}" />`;
}

/** The Markdown without the lines at its head that programs read. */
function withoutHead(markdown: string): string {
  return markdown.replace(/^---\n.*?\n---\n/s, '');
}

/** Wide tables scroll by themselves, by keyboard too. */
function withScrolls(content: string): string {
  return content
    .replaceAll('<table>', '<div class="scrolls" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>');
}

/** The content with a list of its sections below its first heading; a page with fewer than three has none. */
function withSections(content: string, sections: readonly Section[]): string {
  const listed = sections.filter(({ depth }) => depth === 2);
  if (listed.length < 3) return content;
  const links = listed.map(({ id, words }) => html`<li><a href="#${id}">${withoutLinks(words)}</a></li>`);
  const list = html`<details class="sections">
    <summary>On this page</summary>
    <ul>
      ${links}
    </ul>
  </details>`;
  return content.replace('</h1>', () => `</h1>\n${list.text}\n`);
}

function withoutLinks({ text }: Html): Html {
  return new Html(text.replaceAll(/<\/?a\b[^<>]*>/g, ''));
}
