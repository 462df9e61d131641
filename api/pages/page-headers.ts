import { createHash } from 'node:crypto';
import type { RequestHandler } from 'express';
import helmet from 'helmet';
import { styles } from './styles.ts';

const styleHash = createHash('sha256').update(styles).digest('base64');

/**
 * Security headers of the pages: nothing is loaded, no script runs, nothing is cached, no address leaks to another site.
 * Frames and shared windows are allowed, as a TPP may embed the page (interface: PSU identification and SCA, 2). There is no
 * `form-action`, as browsers apply it to the redirect after the form and would block the way back to the TPP.
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
      // The sandbox speaks plain HTTP; a TLS proxy in front of it decides this.
      strictTransportSecurity: false,
      xFrameOptions: false,
    }),
    (_request, response, next) => {
      response.set('cache-control', 'no-store');
      next();
    },
  ];
}
