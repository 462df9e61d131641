import { Marked } from 'marked';
import { breakable, html, Html } from '../pages/html.ts';
import {
  freeAnchor,
  guidePages,
  leadsTo,
  placeOfAnchor,
  relativeTo,
  shownAt,
  withoutUsers,
  writtenAddress,
} from './guide-files.ts';

/** The name of a page's file beside the others: `signing`, or `signing.html`. */
type PageName = (path: string) => string;

/** A text as HTML. */
export interface Rendered {
  readonly content: Html;
  /** Its sections of the second level, or its rules, for a list beside it. */
  readonly sections: readonly Heading[];
}

interface Heading {
  readonly id: string;
  readonly words: Html;
}

/** The place of a text in the guide. */
interface Place {
  /** The path of its file. */
  readonly file: string;
  /** The path of the page that shows it. */
  readonly shown: string;
  /** The address of another page, or null if the guide has no such page. */
  readonly hrefOf: (page: string, anchor: string) => string | null;
  /** The anchors of its headings, in order. By default they are made from the headings. */
  readonly ids?: readonly string[];
}

/**
 * Renders the page at a path, with an anchor on each heading. HTML in the Markdown is shown as text. A link to a file
 * that is no page of the guide becomes plain words. The first page of a long one lists its parts, with the anchors of
 * their sections. Throws if there is no such page.
 */
export async function renderPage(path: string, nameOf: PageName): Promise<Rendered> {
  const [pages, shown] = [await guidePages(), await shownAt(path)];
  if (shown === null) throw new Error(`There is no page ${path}`);
  const { page, markdown, ids } = shown;
  const addressOf = (place: string): string => relativeTo(path, nameOf(place));
  const hrefOf = (to: string, anchor: string): string | null => {
    const found = pages.find((each) => each.path === to);
    const place = found === undefined ? null : placeOfAnchor(found, decodeURIComponent(anchor.slice(1)));
    if (place === path && anchor !== '') return anchor;
    return place === null ? null : addressOf(place) + anchor;
  };
  const rendered = renderText(markdown, { file: page.path, shown: path, hrefOf, ids });
  if (path !== page.path || page.parts.length === 0) return rendered;
  const list = page.parts.map(
    ({ path: part, title, ids: [id = '', ...inner] }) =>
      html`<li id="${id}">
        ${inner.map((each) => html`<a id="${each}"></a>`)}<a href="${addressOf(part)}">${title}</a>
      </li>`,
  );
  const content = html`${rendered.content}
    <h2 id="parts">Parts of this page</h2>
    <ul class="parts">
      ${list}
    </ul>`;
  return { content, sections: [] };
}

/** Renders Markdown. */
export function renderText(markdown: string, { file, shown, hrefOf, ids = [] }: Place): Rendered {
  const headings: (Heading & { readonly depth: number })[] = [];
  const rules: Heading[] = [];
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth, text }) {
        const words = /^[A-Z_]+$/.test(text) ? breakable(text) : new Html(this.parser.parseInline(tokens));
        const id = ids[headings.length] ?? freeAnchor(text, headings);
        headings.push({ id, words, depth });
        const link = html`<a class="anchor" href="#${id}" aria-label="Link to this section">#</a>`;
        return html`<h${depth} id="${id}">${words}${depth > 1 && html` ${link}`}</h${depth}>`.text;
      },
      strong({ tokens, text }) {
        const words = new Html(this.parser.parseInline(tokens));
        const [rule = ''] = file.startsWith('spec/') ? (/^[A-Z]{1,2}\d+[a-z]?\b/.exec(text) ?? []) : [];
        const id = rule.toLowerCase();
        if (id === '' || rules.some((each) => each.id === id)) return html`<strong>${words}</strong>`.text;
        rules.push({ id, words: new Html(withoutUsers(words.text)) });
        return html`<strong id="${id}">${words}</strong>`.text;
      },
      codespan({ text }) {
        // A browser breaks a line after the dashes of a flag.
        const parts = text.split(/(--[a-z-]+)/).map((part, at) => (at % 2 === 0 ? part : html`<span>${part}</span>`));
        return html`<code>${parts}</code>`.text;
      },
      code: ({ text, lang = '' }) =>
        html`<div class="${lang === 'text' ? 'output' : 'code'}">
          <pre tabindex="0"><code>${inCommands(text, lang)}</code></pre>
        </div>`.text,
      html: ({ text }) => (text.trimStart().startsWith('<!--') ? '' : html`${text}`.text),
      link({ href, tokens }) {
        const words = new Html(this.parser.parseInline(tokens));
        const address = addressOf(href, file, hrefOf);
        return address === null ? words.text : html`<a href="${address}">${words}</a>`.text;
      },
      image: ({ href, text }) => pictureOf(href, text, file, shown).text,
    },
  });
  const content = marked.parse(withoutHead(markdown), { async: false });
  // A part of the specification has rules instead of sections.
  const own = headings.filter(({ depth }) => depth === 2);
  const sections = own.length > 0 ? own : rules;
  return {
    content: new Html(withScrolls(content)),
    sections: sections.map(({ id, words }) => ({ id, words: withoutLinks(words) })),
  };
}

/** The text of a block. Its commands have the address instead of `$BANK`: each can be copied alone. */
function inCommands(text: string, language: string): string {
  if (language !== 'sh' && language !== 'console') return text;
  return text.replaceAll(/\$BANK\b|\$\{BANK\}|http:\/\/localhost:7263\b/g, writtenAddress);
}

function addressOf(href: string, file: string, hrefOf: Place['hrefOf']): string | null {
  // The named banks of examples do not exist.
  if (href.startsWith(`${writtenAddress}/banks/`)) return null;
  if (/^https?:/.test(href)) return href;
  const place = leadsTo(file, href);
  return place === null || !('page' in place) ? null : hrefOf(place.page, place.anchor);
}

/** A picture. Its mark lets a server without the file leave it out. */
function pictureOf(href: string, words: string, file: string, shown: string): Html {
  const place = leadsTo(file, href);
  if (place === null || !('picture' in place)) return html`${words}`;
  return html`<img src="${relativeTo(shown, place.picture)}" alt="${words}" data-picture="${place.picture}" />`;
}

/** The Markdown without its front matter. */
function withoutHead(markdown: string): string {
  return markdown.replace(/^---\n.*?\n---\n/s, '');
}

/** Wide tables scroll by themselves, by keyboard too. */
function withScrolls(content: string): string {
  return content
    .replaceAll('<table>', '<div class="scrolls" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>');
}

function withoutLinks({ text }: Html): Html {
  return new Html(text.replaceAll(/<\/?a\b[^<>]*>/g, ''));
}
