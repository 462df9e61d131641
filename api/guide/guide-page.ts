import { html, Html, type HtmlValue } from '../pages/html.ts';
import { icon } from '../pages/styles.ts';
import { type GuidePage, sectionHeadings } from './guide-files.ts';
import type { Rendered } from './render-page.ts';

/** How the addresses of a page are made. */
export interface Addresses {
  /** The address of a file below `docs`, relative to this page: `guide.css`. */
  readonly fileAt: (name: string) => string;
  /** The address of another page, relative to this page. */
  readonly pageAt: (path: string) => string;
  /** Relative address of the bank that shows the page. */
  readonly bank: string;
}

/** A page of the guide or of the API reference. */
interface ShellParts extends Addresses {
  /** The beginning of its title. */
  readonly title: string;
  /** The link of the head that is marked as the current one. */
  readonly here: 'api' | 'guide' | 'start';
  readonly content: HtmlValue;
  /** Sections of the page, listed beside it. */
  readonly sections: Rendered['sections'];
  /** The list of pages, at the left. */
  readonly list: HtmlValue;
  /** A script that this page loads besides `guide.js`. */
  readonly script?: string;
  /** The words in the search field. */
  readonly wanted?: string;
}

const iconLink = new Html(`<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(icon)}" />`);

/**
 * A whole page: a head with a search, a list of pages, the content, and a list of its sections. It works without its
 * scripts.
 */
export function shellPage({ title, here, content, sections, list, script, wanted = '', ...at }: ShellParts): string {
  const { fileAt, pageAt, bank } = at;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} – Sandbank</title>
        ${iconLink}
        <link rel="stylesheet" href="${fileAt('guide.css')}" />
        ${here === 'api' && html`<link rel="stylesheet" href="${fileAt('reference.css')}" />`}
        <script src="${fileAt('guide.js')}" defer></script>
        ${script !== undefined && html`<script src="${fileAt(script)}" type="module"></script>`}
      </head>
      <body>
        <a class="skip" href="#content">Skip to the content</a>
        <header class="site">
          <p class="bank"><a href="${bank}console">Sandbank</a></p>
          <nav aria-label="Sandbank">
            <a href="${bank}console">Console</a>
            <a href="${bank}docs" ${here === 'api' && html`aria-current="true"`}>API</a>
            <a
              href="${pageAt('README')}"
              ${here !== 'api' && html`aria-current="${here === 'start' ? 'page' : 'true'}"`}
              >Guide</a
            >
          </nav>
          ${searchForm(at, wanted)}
        </header>
        <details class="to-pages">
          <summary>All pages</summary>
          <nav class="pages" aria-label="Pages">${list}</nav>
        </details>
        <div class="guide">
          <main id="content">${content}</main>
          <nav class="pages" aria-label="All pages">${list}</nav>
          ${
            sections.length > 2 &&
            html`<nav class="beside" aria-labelledby="beside">
              <p id="beside">On this page</p>
              <ul>
                ${sections.map(({ id, words }) => html`<li><a href="#${id}">${words}</a></li>`)}
              </ul>
            </nav>`
          }
        </div>
        <p role="status" class="unseen" id="told"></p>
      </body>
    </html> `.text;
}

/** The search field. The key `/` focuses it. */
function searchForm({ fileAt }: Addresses, wanted: string): Html {
  return html`<form class="search" role="search" action="${fileAt('search')}">
    <label class="unseen" for="q">Search the guide and the API</label>
    <input
      id="q"
      name="q"
      type="search"
      value="${wanted}"
      placeholder="Search: press /"
      maxlength="200"
      autocomplete="off"
      spellcheck="false"
      aria-keyshortcuts="/"
    />
  </form>`;
}

export interface GuidePageParts extends Addresses {
  readonly page: GuidePage;
  /** The path that is shown: that of the page, or of a part. */
  readonly path: string;
  /** All pages, in their order. */
  readonly pages: readonly GuidePage[];
  readonly rendered: Rendered;
  /** Pictures that exist. The page leaves out all others. */
  readonly pictures: readonly string[];
}

/** A page of the guide, or a part of one. */
export function guidePage({ page, path, pages, rendered, pictures, ...at }: GuidePageParts): string {
  const part = page.parts.find((each) => each.path === path);
  const title = path === 'README' ? 'Guide' : part === undefined ? page.title : `${part.title} – ${page.title}`;
  const { fileAt, pageAt } = at;
  const content = html`${part !== undefined && html`<p class="above"><a href="${pageAt(page.path)}">${page.title}</a></p>`}
    ${withoutMissing(rendered.content, pictures)} ${wayOn(path, page, pages, pageAt)}
    <p class="as-text"><a href="${fileAt(`${page.path}.md`)}">This page as Markdown</a></p>`;
  return shellPage({
    ...at,
    title,
    here: path === 'README' ? 'start' : 'guide',
    content,
    sections: rendered.sections,
    list: guideList(path, pages, pageAt),
  });
}

/** In place of a page that is not there: the menu and the search stay. */
export function missingGuidePage(pages: readonly GuidePage[], at: Addresses): string {
  const title = 'There is no such page';
  const content = html`<h1>${title}</h1>
    <p>Search for it above, or choose a page of the list.</p>`;
  return shellPage({ ...at, title, here: 'guide', content, sections: [], list: guideList(null, pages, at.pageAt) });
}

/**
 * The list of pages in groups: that of the current page is open, and shows what belongs to this page. The specification
 * and other long groups show their first page alone until one of theirs is read.
 */
export function guideList(
  path: string | null,
  pages: readonly GuidePage[],
  pageAt: Addresses['pageAt'],
): readonly Html[] {
  const here = pages.find((page) => page.path === path || page.parts.some((part) => part.path === path));
  const link = (to: string, words: string): Html =>
    html`<a href="${pageAt(to)}" ${to === path && html`aria-current="page"`}>${words}</a>`;
  return sectionHeadings.toReversed().map((heading) => {
    const own = pages.filter(({ section }) => section === heading);
    const [first] = own;
    if (first === undefined) return html``;
    const isHere = heading === (here?.section ?? 'Begin');
    if (!isHere && own.every((page) => page.path.includes('/'))) return html`<p>${link(first.path, heading)}</p>`;
    const row = (page: GuidePage): Html => {
      const isOpen = `${here?.path}/`.startsWith(`${page.path}/`);
      const below = own.filter((other) => other.path.startsWith(`${page.path}/`));
      const inside = [
        ...(page === here ? page.parts.map((part) => html`<li>${link(part.path, part.title)}</li>`) : []),
        ...(isOpen ? below.map(row) : []),
      ];
      return html`<li>
        ${link(page.path, shortTitle(page))}
        ${
          inside.length > 0 &&
          html`<ul>
            ${inside}
          </ul>`
        }
      </li>`;
    };
    const isTop = ({ path: of }: GuidePage) => !own.some((other) => of.startsWith(`${other.path}/`));
    return html`<details ${isHere && html`open`}>
      <summary>${heading}</summary>
      <ul>
        ${own.filter(isTop).map(row)}
      </ul>
    </details>`;
  });
}

function withoutMissing({ text }: Html, pictures: readonly string[]): Html {
  const picture = /<img src="[^"]*" alt="[^"]*" data-picture="([^"]*)" \/>/g;
  return new Html(
    text.replaceAll(picture, (whole, name: string) => (pictures.includes(name) ? whole : '')).replaceAll('<p></p>', ''),
  );
}

function shortTitle({ path, title }: Pick<GuidePage, 'path' | 'title'>): string {
  return path === 'README' ? 'Start' : title;
}

/** A link to the next page or part of the section. The last one links to the first page of the guide. */
function wayOn(path: string, here: GuidePage, pages: readonly GuidePage[], pageAt: Addresses['pageAt']): Html | null {
  const beside = pages.filter(({ section }) => section === here.section);
  const places = beside.flatMap((page) => [page, ...(page === here ? page.parts : [])]);
  const next = places[places.findIndex((place) => place.path === path) + 1] ?? pages[0];
  if (next === undefined) return null;
  return html`<p class="next">Next: <a href="${pageAt(next.path)}">${shortTitle(next)}</a></p>`;
}
