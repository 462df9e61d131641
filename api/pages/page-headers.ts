import { createHash } from 'node:crypto';
import type { RequestHandler } from 'express';
import helmet from 'helmet';
import { styles } from './styles.ts';

const styleHash = createHash('sha256').update(styles).digest('base64');

/**
 * Headers of the pages. Nothing is loaded, no script runs, nothing is kept and no address leaks to another site. Two are left out on
 * purpose: a TPP may embed the page (interface: PSU identification and SCA, 2), so nothing forbids frames or separates
 * windows; and browsers hold `form-action` against the redirect that follows the form, so it would block the way back.
 */
export function pageHeaders(): RequestHandler[] {
  return [
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: { 'default-src': ["'none'"], 'style-src': [`'sha256-${styleHash}'`], 'base-uri': ["'none'"] },
      },
      crossOriginOpenerPolicy: false,
      crossOriginResourcePolicy: { policy: 'cross-origin' },
      // Under no-referrer a browser sends `Origin: null` with the page's own form.
      referrerPolicy: { policy: 'same-origin' },
      // The sandbox speaks plain HTTP; whoever puts TLS before it decides this.
      strictTransportSecurity: false,
      xFrameOptions: false,
    }),
    (_request, response, next) => {
      response.set('cache-control', 'no-store');
      next();
    },
  ];
}
