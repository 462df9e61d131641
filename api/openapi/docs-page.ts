import type { LocalDate } from '../../engine/values/local-date.ts';
import { html, Html } from '../pages/html.ts';
import { page } from '../pages/page.ts';

/** The documents that the page shows, by the value of its parameter `of`, with their addresses beside the page. */
const documents = {
  interface: { name: 'Interface', path: 'openapi.json', address: 'docs', door: 'sandbox/as/docs/v1' },
  control: { name: 'Control plane', path: 'sandbox/openapi.json', address: 'docs?of=control', door: null },
} as const;

type DocumentName = keyof typeof documents;

export function isDocumentName(name: string): name is DocumentName {
  return Object.hasOwn(documents, name);
}

const head = new Html(
  `<link rel="stylesheet" href="docs/swagger-ui.css" /><link rel="stylesheet" href="docs/docs.css" />
    <link rel="icon" href="data:," />
    <script src="docs/swagger-ui-bundle.js" defer></script><script src="docs/docs.js" type="module"></script>`,
);

/** The page `/docs`: every call of a document, to read and to send. All addresses are relative to the bank's. */
export function docsPage({
  of,
  today,
  asksToken,
}: {
  readonly of: DocumentName;
  readonly today: LocalDate;
  /** Whether calls need the control token. */
  readonly asksToken: boolean;
}): string {
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
export function docsMissingPage(): string {
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
