import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Router, type Request, type Response } from 'express';
import type { Logger } from 'pino';
import type { Bank } from '../../engine/bank.ts';
import { readClock } from '../../engine/bank/read-clock.ts';
import { Refusal } from '../../engine/values/fault.ts';
import { quote } from '../../engine/values/text.ts';
import type { SiteCheck } from '../pipeline/own-site.ts';
import { pageHeaders } from '../pages/page-security.ts';
import { ownPagesOnly, pageErrors } from '../pages/refusals.ts';
import { docsMissingPage, docsPage, isDocumentName } from './docs-page.ts';
import { docsStyles } from './docs-styles.ts';

interface DocsOptions {
  readonly bank: Bank;
  readonly site: SiteCheck;
  /** Whether calls need the control token. */
  readonly asksToken: boolean;
  readonly log: Logger;
}

const policy = {
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  // The arrows of Swagger UI are data: addresses in its stylesheet.
  'img-src': ["'self'", 'data:'],
  'connect-src': ["'self'"],
};

/** The page `/docs` and its files, to mount at `/docs`. It loads nothing from another host. */
export function docs({ bank, site, asksToken, log }: DocsOptions): Router {
  const router = Router({ caseSensitive: true });
  router.use(ownPagesOnly(site));
  router.get('/', pageHeaders(policy), async (request: Request, response: Response) => {
    // The addresses of the page are relative to the one without a slash.
    if (request.originalUrl.replace(/\?.*/s, '').endsWith('/')) {
      response.redirect(308, `../docs${/\?.*/s.exec(request.originalUrl)?.[0] ?? ''}`);
      return;
    }
    const of = request.query['of'] ?? 'interface';
    if (typeof of !== 'string' || !isDocumentName(of)) {
      throw new Refusal({
        code: 'NOT_FOUND',
        text: `There is no document ${quote(String(of))}: there are interface and control.`,
      });
    }
    response.type('html');
    if (swaggerFolder() === null) response.status(503).send(docsMissingPage());
    else response.send(docsPage({ of, today: (await readClock(bank)).date, asksToken }));
  });
  router.get('/:name', async (request, response, next) => {
    const { name } = request.params;
    const file = await docsFile(name);
    if (file === null) {
      next();
      return;
    }
    // Asked for again at each use: it may be that of another version, and is not sent again if it is not.
    response.set({ 'cache-control': 'no-cache', etag: file.etag, 'x-content-type-options': 'nosniff' });
    if (request.headers['if-none-match'] === file.etag) response.status(304).end();
    else response.type(file.type).send(file.content);
  });
  router.use(pageErrors(log));
  return router;
}

/* The bundle keeps the addresses of the sources, so the relative addresses work in both. */

/** Where Swagger UI is: copied beside the built program, or in a clone the development dependency. */
const swaggerFolders = ['../../swagger-ui/', '../../node_modules/swagger-ui-dist/'].map(here);

/** A file of the page /docs. */
interface DocsFile {
  /** With the character set. */
  readonly type: string;
  readonly content: Buffer;
  /** Changes with the content. */
  readonly etag: string;
}

const script = 'text/javascript; charset=utf-8';
const stylesheet = 'text/css; charset=utf-8';

/** Types of the files of Swagger UI that the page loads. */
const ofSwagger: ReadonlyMap<string, string> = new Map([
  ['swagger-ui-bundle.js', script],
  ['swagger-ui.css', stylesheet],
]);

/** The file of this name; null: there is none. */
async function docsFile(name: string): Promise<DocsFile | null> {
  if (name === 'docs.css') return fileOf(stylesheet, Buffer.from(docsStyles));
  if (name === 'docs.js') return fileOf(script, await readFile(here('../openapi/docs-script.js')));
  const type = ofSwagger.get(name);
  const folder = swaggerFolder();
  return type === undefined || folder === null ? null : fileOf(type, await readFile(new URL(name, folder)));
}

/** The folder with the files of Swagger UI; null: they are not installed. */
function swaggerFolder(): URL | null {
  return swaggerFolders.find((folder) => existsSync(new URL('swagger-ui-bundle.js', folder))) ?? null;
}

function fileOf(type: string, content: Buffer): DocsFile {
  return { type, content, etag: `"${createHash('sha256').update(content).digest('base64url')}"` };
}

function here(path: string): URL {
  return new URL(path, import.meta.url);
}
