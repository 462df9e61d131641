import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { type Request, type Response, Router } from 'express';
import type { Logger } from 'pino';
import type { Bank } from '../../engine/bank.ts';
import { readClock } from '../../engine/bank/read-clock.ts';
import { Refusal } from '../../engine/values/fault.ts';
import { quote } from '../../engine/values/text.ts';
import type { SiteCheck } from '../pipeline/own-site.ts';
import { pageHeaders } from '../pages/page-security.ts';
import { ownPagesOnly, pageErrors } from '../pages/refusals.ts';
import type { LocalDate } from '../../engine/values/local-date.ts';
import { html, Html } from '../pages/html.ts';
import { page } from '../pages/page.ts';
import { shellStyles } from '../pages/styles.ts';

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
    else response.send(docsPage(of, (await readClock(bank)).date, asksToken));
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

/** The documents that the page shows, by the value of its parameter `of`, with their addresses beside the page. */
const documents = {
  interface: { name: 'Interface', path: 'openapi.json', address: 'docs', door: 'sandbox/as/docs/v1' },
  control: { name: 'Control plane', path: 'sandbox/openapi.json', address: 'docs?of=control', door: null },
} as const;

type DocumentName = keyof typeof documents;

function isDocumentName(name: string): name is DocumentName {
  return Object.hasOwn(documents, name);
}

const head = new Html(
  `<link rel="stylesheet" href="docs/swagger-ui.css" /><link rel="stylesheet" href="docs/docs.css" />
    <link rel="icon" href="data:," />
    <script src="docs/swagger-ui-bundle.js" defer></script><script src="docs/docs.js" type="module"></script>`,
);

/** The page `/docs`: every call of a document, to read and to send. All addresses are relative to the bank's. `asksToken`: calls need the control token. */
function docsPage(of: DocumentName, today: LocalDate, asksToken: boolean): string {
  const { name, path, door } = documents[of];
  const content = html`<a id="skip" class="skip" href="#calls">Skip to the calls</a>
    <p class="lead">
      ${
        door === null
          ? 'What the sandbox adds to the bank. Execute sends a call to this bank: it moves its clock, and changes its data.'
          : 'The interface of the bank. Execute sends a call to this bank, which signs it as a TPP with the name docs.'
      }
    </p>
    <nav aria-label="Documents">
      <ul class="documents">
        ${Object.values(documents).map((one) => documentLink(one.name, one.address, one.name === name))}
        <li><a href="${path}">The document as JSON</a></li>
        <li><a href="docs/first-payment">Guide</a></li>
        <li><a href="console">Console</a></li>
      </ul>
    </nav>
    ${asksToken && tokenField}
    <noscript><p class="lead">This page needs JavaScript. The document does not: ${path}</p></noscript>
    <div id="calls" tabindex="-1" data-document="${path}" ${door !== null && html`data-door="${door}"`}></div>`;
  return page({ heading: `API: ${name.toLowerCase()}`, problem: null, today, content, head });
}

/** The page when the files of Swagger UI are missing. */
function docsMissingPage(): string {
  const content = html`<p class="lead">
      This page is made by Swagger UI, whose files are not here. In a clone, npm ci brings them; npm run build copies
      them to dist.
    </p>
    <p><a href="openapi.json">The document of the interface</a></p>
    <p><a href="sandbox/openapi.json">The document of the control plane</a></p>`;
  return page({ heading: 'The documents are here, the page is not', content });
}

function documentLink(name: string, address: string, isShown: boolean): Html {
  return html`<li><a href="${address}" ${isShown && html`aria-current="page"`}>${name}</a></li>`;
}

const tokenField = html`<div class="token">
  <label for="token">Control token</label>
  <p id="token-hint">
    The value of SANDBANK_CONTROL_TOKEN, or the token of a named bank. It is kept until the tab is closed.
  </p>
  <input id="token" type="password" autocomplete="off" aria-describedby="token-hint" />
</div>`;

/**
 * The stylesheet of `/docs`, which comes after that of Swagger UI: the shell of all pages, and room for the calls. Swagger UI is light only, so the
 * calls stay on white paper in dark mode.
 */
const docsStyles = `${shellStyles}
main,footer{max-width:min(80rem,100% - 2rem)}
.skip{position:absolute;left:-100vw}
.skip:focus{position:static}
.documents{display:flex;flex-wrap:wrap;gap:.25rem 1.5rem;margin-top:1.25rem;padding:0;list-style:none}
.documents [aria-current]{color:var(--ink);font-weight:650;text-decoration:none}
.token{margin-top:1.25rem}
.token label{display:block;font-weight:600}
.token input{width:100%;max-width:25rem;font:inherit;padding:.4rem .75rem;border:1.5px solid var(--field);
border-radius:.5rem;background:var(--paper);color:inherit}
.token p{color:var(--soft);font-size:.9375rem}
#calls{margin-top:1.5rem;overflow-wrap:break-word}
#calls main{max-width:none;margin:0;padding:0;border:0}
#calls .wrapper{padding:0}
#calls .info{margin:1rem 0}
#calls .info hgroup,#calls .scheme-container,#calls .response-col_links{display:none}
@media (prefers-color-scheme:dark){
#calls{color-scheme:light;--ink:#1c2521;--soft:#56625c;--paper:#fff;--deep:#14503c;background:#fff;color:var(--ink);padding:1rem;
border-radius:.5rem}
}
@media (max-width:40rem){
main,footer{max-width:none}
#calls .opblock-tag,#calls .opblock-section-header,#calls .opblock-summary{flex-wrap:wrap}
#calls .opblock-tag small{padding-left:0}
#calls table.responses-table,#calls table.responses-table tbody,#calls table.responses-table tr,
#calls table.responses-table td{display:block;width:auto}
#calls table.responses-table thead{display:none}
#calls .opblock-summary-path{max-width:none}
#calls .parameters-col_description input,#calls .parameters-col_description select{width:100%}
#calls table.parameters,#calls table.parameters tbody,#calls table.parameters tr,#calls table.parameters td{display:block}
#calls table.parameters thead{display:none}
}
`;
