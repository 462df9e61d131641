import type { Request, RequestHandler } from 'express';
import { clip } from '../../engine/values/text.ts';
import { Refusal } from '../../engine/values/fault.ts';
import { icon } from '../pages/styles.ts';
import { llmsTextOf } from '../guide/llms-text.ts';

/** The addresses of a bank and their purposes. */
const addresses: readonly (readonly [path: string, what: string])[] = [
  ['/v1 and /api-sandbox/v1', 'the bank, for signed requests of TPPs'],
  ['/sandbox/info', 'the PSUs to sign as, settings, quirks'],
  ['/sandbox/clock', 'the time of the bank'],
  ['/sandbox/as/{tpp}/v1', 'the bank, for plain requests: it signs them as a throw-away TPP of that name'],
  ['/console', 'what the bank does and why, in a browser; its clock, to move'],
  ['/docs', 'every call, to read and to try in a browser'],
  ['/docs/README', 'the guide, in a browser'],
  ['/openapi.json', 'the API document of /v1; that of /sandbox is /sandbox/openapi.json'],
  ['/health, /ready', 'probes'],
  ['/llms.txt', 'the pages of the guide, for a program that reads'],
];

/**
 * The addresses of the bank at `base`: empty, or `/banks/NAME`, below the path of the server. The probes belong to the
 * server.
 */
function addressesOf(base: string): readonly (readonly [path: string, what: string])[] {
  const server = base.replace(/\/banks\/[^/]+$/, '');
  return addresses.map(([path, what]) => {
    const at = path.includes('/health') ? server : base;
    return [path.replaceAll(/(^| )\//g, `$1${at}/`), what.replaceAll(' /', ` ${at}/`)];
  });
}

/** The path of the server for those who reach it by `--public-url`, without a slash at the end. */
function publicPath(publicUrl: string | null): string {
  return publicUrl === null ? '' : new URL(publicUrl).pathname.replace(/\/$/, '');
}

/** Answers at the bank's address: a browser is sent to the console, a program gets a text. */
export const landing =
  (publicUrl: string | null): RequestHandler =>
  (request, response) => {
    response.vary('accept');
    if (request.accepts(['text/plain', 'text/html']) === 'text/html') {
      response.status(303).setHeader('location', consoleBeside(request)).end();
      return;
    }
    const base = publicPath(publicUrl) + request.baseUrl;
    const rows = addressesOf(base);
    const width = Math.max(...rows.map(([path]) => path.length));
    const lines = [
      'Sandbank: a sandbox of the open banking API. No real money, no real people.',
      '',
      ...rows.map(([path, what]) => `${path.padEnd(width)}  ${what}`),
      '',
      'A first payment: sandbank demo shows each request (in a clone: npm run demo),',
      `${base}/docs/first-payment.md explains them.`,
    ];
    response.type('text/plain').send(`${lines.join('\n')}\n`);
  };

/** `GET /favicon.ico`: browsers ask for it if a page names no icon, such as a text. */
export const favicon: RequestHandler = (_request, response) => {
  response.set('cache-control', 'public, max-age=86400').type('svg').send(icon);
};

/** Address of the console, relative to that of the bank, which ends with a slash or not. */
function consoleBeside({ originalUrl }: Request): string {
  const [path = ''] = originalUrl.split('?');
  return path.endsWith('/') ? 'console' : `${path.slice(path.lastIndexOf('/') + 1)}/console`;
}

/** Refuses any path outside the bank's (rules.md E2). */
export const nothingHere: RequestHandler = (request) => {
  const places = 'The interface is at /v1 and /api-sandbox/v1, the control plane at /sandbox.';
  const text = `There is nothing at ${clip(request.path, 200)}. ${places}`;
  throw new Refusal({ code: 'NOT_FOUND', text });
};

export const llmsText = (publicUrl: string | null): RequestHandler => llmsTextOf(addressesOf, publicPath(publicUrl));
