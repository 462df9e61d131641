import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { type NextFunction, type Request, type Response, Router } from 'express';
import type { Logger } from 'pino';
import { once } from '../../engine/values/once.ts';
import { catalogue } from '../catalogue/catalogue.ts';
import type { ControlEndpoint } from '../control/control-endpoint.ts';
import type { ApiDescription } from '../openapi/document.ts';
import { html, Html } from '../pages/html.ts';
import { pageHeaders, setPageHeaders } from '../pages/page-security.ts';
import { isForBrowser, ownPagesOnly, pageErrors } from '../pages/refusals.ts';
import type { SiteCheck } from '../pipeline/own-site.ts';
import { noteUse } from '../pipeline/use-of-program.ts';
import {
  anchorAt,
  type GuidePage,
  guidePages,
  guidePictures,
  leadsTo,
  pageText,
  pictureBytes,
  relativeTo,
  shownAt,
  writtenAddress,
} from './guide-files.ts';
import { guidePage, type GuidePageParts, missingGuidePage } from './guide-page.ts';
import { guideStyles, referenceStyles } from './guide-styles.ts';
import type { DocumentName } from './reference.ts';

/** Content security policy of the pages: stylesheets, scripts, pictures; the icon is a data: address. */
const policy = {
  'style-src': ["'self'"],
  'script-src': ["'self'"],
  'img-src': ["'self'", 'data:'],
  'connect-src': ["'self'"],
};

/** The scripts of the pages. The build has them at the same relative path. */
const scripts: readonly string[] = ['guide.js', 'send-call.js'];

interface GuideOptions {
  /** Absolute address of the server, as the client called it. */
  readonly serverOf: (request: Request) => string;
  /** Path of the bank: empty, or `/banks/{name}`. */
  readonly base: string;
  /** What the API documents of the bank say, with its values in the examples. */
  readonly documents: Readonly<Record<DocumentName, (request: Request) => Promise<ApiDescription>>>;
  /** The endpoints of its control plane. */
  readonly control: readonly ControlEndpoint[];
  readonly site: SiteCheck;
  /** Whether calls need the control token. */
  readonly asksToken: boolean;
  readonly log: Logger;
}

/**
 * The guide and the API reference, to mount at `/docs`: `/` and `/?of=control` list the calls, `/interface/{id}` and
 * `/control/{id}` show one call, `/search?q=` searches calls and guide. `/{page}` is a page as HTML, with the address
 * of this bank in its commands, and `/{page}.md` the same page as text. `/{page}/{anchor}`, such as `/spec/rules/q4`,
 * leads to the anchor. `/pictures/{name}`, a `.webp` or `.svg`, is a picture. Other paths are a page with the menu for
 * a browser, and passed on for programs. Nothing is loaded from another host.
 */
export function guide({ serverOf, base, documents, control, site, asksToken, log }: GuideOptions): Router {
  const lists = once(async () => (await import('./reference.ts')).callLists(control, base === ''));
  const router = Router({ caseSensitive: true });
  router.use(ownPagesOnly(site));
  addStylesAndScripts(router);
  const headers = pageHeaders(policy);
  router.get('/', headers, async (request: Request, response: Response, next: NextFunction) => {
    // The addresses of the page are relative to the one without a slash.
    if (request.originalUrl.replace(/\?.*/s, '').endsWith('/')) {
      response.redirect(308, `../docs${/\?.*/s.exec(request.originalUrl)?.[0] ?? ''}`);
      return;
    }
    const { callsPage, isDocument } = await import('./reference.ts');
    const of = request.query['of'] ?? 'interface';
    if (isDocument(of)) response.type('html').send(await callsPage(of, (await lists())[of]));
    else next();
  });
  router.get('/search', headers, async (request: Request, response: Response) => {
    const { searchPage } = await import('./reference.ts');
    const wanted = String(request.query['q'] ?? '').slice(0, 200);
    response.type('html').send(await searchPage(wanted, await lists()));
    noteUse('the guide was searched');
  });
  router.get('/:of/:id', async (request, response, next) => {
    const { of, id } = request.params;
    const { callPage, isDocument } = await import('./reference.ts');
    const page = isDocument(of) ? await callPage(of, id, await documents[of](request), asksToken) : null;
    if (page === null) {
      next();
      return;
    }
    setPageHeaders(headers, request, response);
    response.type('html').send(page);
  });
  router.get('/*page', async (request, response, next) => {
    const path = request.path.slice(1);
    const name = path.replace(/\.md$/, '');
    const [pages, pictures] = [await guidePages(), await guidePictures()];
    const shown = await shownAt(name);
    if (shown === null) {
      const anchor = await anchorAt(path);
      if (anchor !== null) response.redirect(302, anchor);
      else if (pictures.includes(path)) response.type(extname(path)).send(await pictureBytes(path));
      else next();
      return;
    }
    if (path !== name) {
      const text = withoutDeadLinks(await pageText(shown.page.path), shown.page.path, pages, pictures);
      response.type('text/markdown; charset=utf-8').send(text);
      return;
    }
    setPageHeaders(headers, request, response);
    const about = { page: shown.page, path: name, pages, pictures };
    response.type('html').send(await pageWithAddress(about, serverOf(request), base));
  });
  router.use(async (request, response, next) => {
    if (!isForBrowser(request, base)) {
      next();
      return;
    }
    const fileAt = (file: string): string => relativeTo(request.path.slice(1), file);
    setPageHeaders(headers, request, response);
    const page = missingGuidePage(await guidePages(), { fileAt, pageAt: fileAt, bank: `${fileAt('../')}/` });
    response.status(404).vary('accept').type('html').send(page);
  });
  return router.use(pageErrors(log));
}

function addStylesAndScripts(router: Router): void {
  for (const [name, styles] of Object.entries({ guide: guideStyles, reference: referenceStyles }))
    router.get(`/${name}.css`, (_request, response) => {
      response.set('cache-control', 'no-cache').type('css').send(styles);
    });
  for (const name of scripts)
    router.get(`/${name}`, async (_request, response) => {
      const script = await readFile(new URL(`../guide/${name}`, import.meta.url));
      response.set('cache-control', 'no-cache').type('js').send(script);
    });
}

/** A page of the guide with the address of a bank in its commands. `base` is the path of the bank on `server`. */
async function pageWithAddress(
  about: Pick<GuidePageParts, 'page' | 'path' | 'pages' | 'pictures'>,
  server: string,
  base: string,
): Promise<string> {
  // Loaded with the first page.
  const { renderPage } = await import('./render-page.ts');
  const { content, sections } = await renderPage(about.path, (other) => other);
  const fileAt = (file: string): string => relativeTo(about.path, file);
  const bank = `${fileAt('../')}/`;
  const addressed = withAddress(content, server, `${server}${base}`);
  const told = about.page.path === 'spec/interface' ? withStories(addressed, fileAt('scenarios')) : addressed;
  return guidePage({ ...about, rendered: { content: told, sections }, fileAt, pageAt: fileAt, bank });
}

/** The sections of the interface document with links to the scenarios that tell of them. */
function withStories({ text }: Html, scenarios: string): Html {
  const linksOf = (id: string): string => {
    const told = catalogue().filter(({ tells = [] }) => tells.includes(id));
    const links = told.map(({ name, title }) => html` <a href="${scenarios}/${name}">${title}</a>.`);
    return links.length === 0 ? '' : html`<p>Story:${links}</p>`.text;
  };
  let section = '';
  return new Html(
    text.replaceAll(/<h[1-6] id="([^"<]{1,300})">|<\/h[1-6]>/g, (tag, id?: string) => {
      section = id ?? section;
      return id === undefined ? tag + linksOf(section) : tag;
    }),
  );
}

/**
 * The content with the address of this bank. Addresses of `/banks` get the address of the server: a named bank has no
 * banks.
 */
function withAddress({ text }: Html, server: string, bank: string): Html {
  return new Html(
    text
      .replaceAll(/http:\/\/127\.0\.0\.1:7263(?=\/(?:sandbox\/)?banks\b)/g, html`${server}`.text)
      .replaceAll(writtenAddress, html`${bank}`.text),
  );
}

/** The Markdown of a page. A link to a file that is not served, such as `../compose.yaml`, becomes plain words. */
function withoutDeadLinks(text: string, path: string, pages: readonly GuidePage[], pictures: readonly string[]) {
  return text.replaceAll(/!?\[([^\][]{1,400})\]\(([^)\s]{1,300})\)/g, (link, words: string, target: string) => {
    if (/^(?:https?:|#)/.test(target)) return link;
    const place = leadsTo(path, target);
    if (place === null) return words;
    if ('picture' in place)
      return pictures.includes(place.picture) ? `![${words}](${relativeTo(path, place.picture)})` : words;
    if (!pages.some((each) => each.path === place.page)) return words;
    return `[${words}](${relativeTo(path, `${place.page}.md`)}${place.anchor})`;
  });
}
