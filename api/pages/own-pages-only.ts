import type { Request, RequestHandler } from 'express';
import type { SiteCheck } from '../pipeline/own-site.ts';
import { refusedPage } from './fault-page.ts';
import { inEnglish, type PageLanguage } from './language.ts';

/** Answers what `site` refuses with a page, 403. `languageOf` left out: the page is in English. */
export function ownPagesOnly(
  site: SiteCheck,
  languageOf: (request: Request) => PageLanguage = () => inEnglish,
): RequestHandler {
  return (request, response, next) => {
    const fault = site(request);
    if (fault === null) {
      next();
      return;
    }
    const page = refusedPage(fault, languageOf(request));
    response.status(403).set('cache-control', 'no-store').type('html').send(page);
  };
}
