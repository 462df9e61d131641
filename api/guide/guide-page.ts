import { html, Html } from '../pages/html.ts';
import { icon } from '../pages/styles.ts';
import { type GuidePage, sectionHeadings } from './guide-files.ts';

/** A page around its content, and how its addresses are made. */
interface GuidePageParts {
  readonly page: GuidePage;
  /** All pages, in their order. */
  readonly pages: readonly GuidePage[];
  /** As `renderPage` made it. */
  readonly content: string;
  /** Pictures that are there; the page goes without the others. */
  readonly pictures: readonly string[];
  /** The address of a file of the guide, relative to this page. */
  readonly fileAt: (name: string) => string;
  /** The address of another page, relative to this page. */
  readonly pageAt: (path: string) => string;
  /** Relative address of the bank that shows the page; null: a site without a bank. */
  readonly bank: string | null;
}

const iconLink = new Html(`<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(icon)}" />`);

/** A whole page of the guide. It works without its script, which adds a button to each block of code. */
export function guidePage({ page, pages, content, pictures, fileAt, pageAt, bank }: GuidePageParts): string {
  const shown = new Html(withoutMissing(content, pictures));
  const document = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${page.path === 'README' ? 'Guide' : page.title} – Sandbank</title>
        ${iconLink}
        <link rel="stylesheet" href="${fileAt('guide.css')}" />
        <script src="${fileAt('guide.js')}" type="module"></script>
      </head>
      <body>
        <header class="site">
          <p class="bank"><a href="${bank === null ? pageAt('README') : `${bank}console`}">Sandbank</a></p>
          <nav aria-label="Sandbank">
            ${bank !== null && html`<a href="${bank}console">Console</a> <a href="${bank}docs">API</a>`}
            <a href="${pageAt('README')}" ${page.path === 'README' && html`aria-current="page"`}>Guide</a>
            <a class="to-pages" href="#pages">All pages</a>
          </nav>
        </header>
        <div class="guide">
          <main>${shown} ${wayOn(page, pages, pageAt)} ${bank !== null && asText(page, fileAt)}</main>
          <nav id="pages" aria-label="Pages of the guide">
            ${sectionHeadings.toReversed().map((heading) => sectionOf(heading, page, pages, pageAt))}
          </nav>
        </div>
        <p role="status" class="unseen" id="told"></p>
      </body>
    </html> `;
  return document.text;
}

function withoutMissing(content: string, pictures: readonly string[]): string {
  const picture = /<img src="[^"]*" alt="[^"]*" data-picture="([^"]*)" \/>/g;
  return content
    .replaceAll(picture, (whole, name: string) => (pictures.includes(name) ? whole : ''))
    .replaceAll('<p></p>', '');
}

/** A section of the list of pages, open where the page is. */
function sectionOf(
  heading: string,
  here: GuidePage,
  pages: readonly GuidePage[],
  pageAt: GuidePageParts['pageAt'],
): Html {
  const isOpen = heading === 'Guide' || heading === here.section;
  const links = pages
    .filter(({ section }) => section === heading)
    .map(
      ({ path, title }) =>
        html`<li>
          <a href="${pageAt(path)}" ${path === here.path && html`aria-current="page"`}>${shortTitle(path, title)}</a>
        </li>`,
    );
  return html`<details ${isOpen && html`open`}>
    <summary>${heading}</summary>
    <ul>
      ${links}
    </ul>
  </details>`;
}

function shortTitle(path: string, title: string): string {
  return path === 'README' ? 'Start' : title;
}

/** The page that comes next in its section; after the last one the first page of all. */
function wayOn(here: GuidePage, pages: readonly GuidePage[], pageAt: GuidePageParts['pageAt']): Html | null {
  const beside = pages.filter(({ section }) => section === here.section);
  const next = beside[beside.indexOf(here) + 1] ?? pages[0];
  if (next === undefined) return null;
  return html`<p class="next">Next: <a href="${pageAt(next.path)}">${shortTitle(next.path, next.title)}</a></p>`;
}

function asText({ path }: GuidePage, fileAt: GuidePageParts['fileAt']): Html {
  return html`<p class="as-text"><a href="${fileAt(`${path}.md`)}">This page as Markdown</a></p>`;
}
