import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import helmet from 'helmet';
import { styles } from './styles.ts';
import { randomIds } from '../../engine/bank/ids.ts';

const styleHash = createHash('sha256').update(styles).digest('base64');

/** Content security policy of the pages with forms: nothing is loaded, no script runs. */
const inlineStyle: Policy = { 'style-src': [`'sha256-${styleHash}'`] };

const noFrames = "frame-ancestors 'none'";

/** Directives of a content security policy beside those of every page. */
export type Policy = Readonly<Record<string, readonly string[]>>;

/**
 * Security headers of the pages: nothing but what `policy` allows is loaded or run, no page frames them (but see {@link
 * allowFrames}), nothing is cached, no address leaks to another site. Shared windows are allowed, as a TPP may open the
 * page in one. There is no `form-action`, as browsers apply it to the redirect after the form and would block the way
 * back to the TPP.
 */
export function pageHeaders(policy = inlineStyle): RequestHandler[] {
  return [
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          'default-src': ["'none'"],
          'base-uri': ["'none'"],
          ...policy,
          'frame-ancestors': ["'none'"],
        },
      },
      crossOriginOpenerPolicy: false,
      crossOriginResourcePolicy: { policy: 'cross-origin' },
      // Under no-referrer a browser sends `Origin: null` with the page's own form.
      referrerPolicy: { policy: 'same-origin' },
      // The sandbox speaks plain HTTP; a TLS proxy in front of it decides this.
      strictTransportSecurity: false,
      xFrameOptions: { action: 'deny' },
    }),
    (_request, response, next) => {
      response.set('cache-control', 'no-store');
      next();
    },
  ];
}

/**
 * Has browsers give what is answered to pages of this origin only (docs/spec/control-plane.md C35). SCA pages may be
 * framed.
 */
export const ownResources: RequestHandler = (_request, response, next) => {
  response.set('cross-origin-resource-policy', 'same-origin');
  next();
};

/** Sets the headers of {@link pageHeaders} on one answer. */
export function setPageHeaders(headers: readonly RequestHandler[], request: Request, response: Response): void {
  for (const setHeaders of headers) void setHeaders(request, response, () => undefined);
}

/** Lets pages of these origins, as a content security policy names them, frame this one. Without any, nobody does. */
export function allowFrames(response: Response, origins: readonly string[]): void {
  if (origins.length === 0) return;
  const policy = response.get('content-security-policy') ?? '';
  response.set('content-security-policy', policy.replace(noFrames, `frame-ancestors ${origins.join(' ')}`));
  // It can name no origin.
  response.removeHeader('x-frame-options');
}

/**
 * The tokens that prove that a form comes from a page of this process (rules.md A2d). Each is bound to what its page
 * belongs to: an SCA and its step, the session of a console's browser. They are valid until the process ends.
 */
export class FormTokens {
  readonly #secret = randomIds.secret();

  /** The token of the forms of one page. */
  of(...bound: readonly (string | null)[]): string {
    return createHmac('sha256', this.#secret).update(JSON.stringify(bound)).digest('base64url');
  }

  /** Whether a form carried the token of that page. */
  isOf(given: string, ...bound: readonly (string | null)[]): boolean {
    const [expected, received] = [Buffer.from(this.of(...bound)), Buffer.from(given)];
    return received.length === expected.length && timingSafeEqual(received, expected);
  }
}
