import { readFile } from 'node:fs/promises';
import { Router, type Request } from 'express';
import { html } from '../pages/html.ts';
import { pageHeaders, setPageHeaders } from '../pages/page-security.ts';
import {
  type GuidePage,
  guidePages,
  guidePictures,
  leadsTo,
  pageText,
  pictureBytes,
  relativeTo,
  writtenAddress,
} from './guide-files.ts';
import { guidePage } from './guide-page.ts';
import { guideStyles } from './guide-styles.ts';

/** Relative to this file, which is as deep in the sources as in the bundle of the harness. */
const script = new URL('../guide/copy-code.js', import.meta.url);

/** Content security policy of the pages: one stylesheet, one script, pictures; the icon is a data: address. */
const policy = { 'style-src': ["'self'"], 'script-src': ["'self'"], 'img-src': ["'self'", 'data:'] };

interface GuideOptions {
  /** Absolute address of the server, as the client called it. */
  readonly serverOf: (request: Request) => string;
  /** Path of the bank: empty, or `/banks/{name}`. */
  readonly base: string;
}

/**
 * The guide, to mount at `/docs`: `/{page}` is a page as HTML, with the address of this bank in its commands, and `/{page}.md` the same
 * page as text. `/pictures/{name}.webp` is a picture. Other paths are passed on.
 */
export function guide({ serverOf, base }: GuideOptions): Router {
  const router = Router({ caseSensitive: true });
  router.get('/guide.css', (_request, response) => {
    response.set('cache-control', 'no-cache').type('css').send(guideStyles);
  });
  router.get('/guide.js', async (_request, response) => {
    response
      .set('cache-control', 'no-cache')
      .type('js')
      .send(await readFile(script));
  });
  const headers = pageHeaders(policy);
  router.get('/*page', async (request, response, next) => {
    const path = request.path.slice(1);
    const name = path.replace(/\.md$/, '');
    const pages = await guidePages();
    const page = pages.find((each) => each.path === name);
    if (page === undefined) {
      if (!path.endsWith('.webp') || !(await guidePictures()).includes(path)) next();
      else response.type('webp').send(await pictureBytes(path));
      return;
    }
    const pictures = await guidePictures();
    if (path !== name) {
      const text = withoutDeadLinks(await pageText(name), name, pages, pictures);
      response.type('text/markdown; charset=utf-8').send(text);
      return;
    }
    setPageHeaders(headers, request, response);
    const server = serverOf(request);
    // Loaded with the first page.
    const { renderPage } = await import('./render-page.ts');
    const content = withAddress(await renderPage(name, (other) => other), server, `${server}${base}`);
    const fileAt = (file: string): string => relativeTo(name, file);
    const bank = `${fileAt('../')}/`;
    response.type('html').send(guidePage({ page, pages, content, pictures, fileAt, pageAt: fileAt, bank }));
  });
  return router;
}

/** The content with the address of this bank. Banks below another are the server's: no named bank has any. */
function withAddress(content: string, server: string, bank: string): string {
  return content
    .replaceAll(/http:\/\/127\.0\.0\.1:8080(?=\/(?:sandbox\/)?banks\b)/g, html`${server}`.text)
    .replaceAll(writtenAddress, html`${bank}`.text);
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
