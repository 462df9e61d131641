import { Router, type Request, type Response } from 'express';
import type { Logger } from 'pino';
import type { Bank } from '../../engine/bank.ts';
import { readClock } from '../../engine/bank/read-clock.ts';
import { Refusal } from '../../engine/values/fault.ts';
import { quote } from '../../engine/values/text.ts';
import type { SiteCheck } from '../pipeline/own-site.ts';
import { pageHeaders } from '../pages/page-headers.ts';
import { ownPagesOnly, pageErrors } from '../pages/refusals.ts';
import { docsFile, swaggerFolder } from './docs-files.ts';
import { docsMissingPage, docsPage, isDocumentName } from './docs-page.ts';

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
