import type { ApiDocument } from '../openapi/document.ts';
import { html, type Html } from '../pages/html.ts';
import { type Call, callContent, callsIn } from './call-page.ts';
import { findSections } from './find-sections.ts';
import { guidePages, placeOfAnchor, relativeTo } from './guide-files.ts';
import { type Addresses, guideList, shellPage } from './guide-page.ts';
import { renderText } from './render-page.ts';

/** The documents, with the way from `docs` to where their calls are sent. */
const documents = {
  interface: { name: 'Interface', json: '../openapi.json', address: '../docs', from: '../sandbox/as/docs/v1' },
  control: { name: 'Control plane', json: '../sandbox/openapi.json', address: '../docs?of=control', from: '..' },
} as const;

type DocumentName = keyof typeof documents;

/** Headers that the unsigned door makes, or refuses. */
const ofSigning = new Set([
  ...['signature', 'tpp-signature-certificate', 'digest', 'date', 'authorization'],
  ...['sandbank-control-token', 'x-request-id'],
]);

/** Maximum numbers of calls and of sections that a search lists. */
const [maxCalls, maxSections] = [6, 30] as const;

/** The addresses of a page that is at this path below `docs`; empty: `docs` itself. */
function addressesAt(path: string): Addresses {
  // `docs` without a slash stands beside the folder.
  const fileAt = (file: string): string =>
    path === '' ? `docs/${file}`.replace('docs/../', '') : relativeTo(path, file);
  return { fileAt, pageAt: fileAt, bank: path === '' ? './' : `${fileAt('../')}/` };
}

/** Markdown of a document as HTML. Pages of the guide and codes of refusals are links. */
async function wordsOf(fileAt: Addresses['fileAt']): Promise<(text: string) => Html> {
  const pages = await guidePages();
  const hrefOf = (to: string, anchor: string): string | null => {
    const page = pages.find(({ path }) => path === to);
    return page === undefined ? null : fileAt(placeOfAnchor(page, anchor.slice(1))) + anchor;
  };
  return (text) => {
    const linked = text
      .replaceAll(/\bdocs\/(\w+)\.md\b/g, '[docs/$1.md]($1.md)')
      .replaceAll(/^`([A-Z_]+)`/gm, (code, name: string) => `[${code}](errors.md#${name.toLowerCase()})`);
    return renderText(linked, { file: 'signing', shown: 'signing', hrefOf }).content;
  };
}

/** The lists of calls of both documents, that of `here` with its groups open. */
function callList(here: DocumentName, calls: readonly Call[], shown: string | null, { fileAt }: Addresses): Html {
  const groups = [...Map.groupBy(calls, ({ tag }) => tag)].map(([tag, own]) => {
    const links = own.map(
      ({ id, method, summary }) =>
        html`<li>
          <a href="${fileAt(`${here}/${id}`)}" ${id === shown && html`aria-current="page"`}
            >${methodMark(method)} ${summary}</a
          >
        </li>`,
    );
    const isOpen = shown === null || own.some(({ id }) => id === shown);
    return html`<details ${isOpen && html`open`}>
      <summary>${tag}</summary>
      <ul>
        ${links}
      </ul>
    </details>`;
  });
  return html`${documentLinks(here, shown === null, fileAt)} ${groups}`;
}

function documentLinks(here: DocumentName, isWhole: boolean, fileAt: Addresses['fileAt']): Html {
  const links = Object.entries(documents).map(
    ([key, { name, address }]) =>
      html`<li>
        <a
          href="${fileAt(address)}"
          ${key === here && (isWhole ? html`aria-current="page"` : html`aria-current="true"`)}
          >${name}</a
        >
      </li>`,
  );
  return html`<ul class="documents">
    ${links}
  </ul>`;
}

function methodMark(method: string): Html {
  return html`<span class="method ${method.toLowerCase()}">${method}</span>`;
}

/** The page `/docs`: all calls of a document in their groups. */
export async function callsPage(of: DocumentName, document: ApiDocument, asksToken: boolean): Promise<string> {
  const at = addressesAt('');
  const calls = callsIn(document);
  const words = await wordsOf(at.fileAt);
  const { name, json } = documents[of];
  const groups = document.tags.map(({ name: tag, description }, index) => {
    const rows = calls
      .filter((call) => call.tag === tag)
      .map(
        ({ id, method, path, summary }) =>
          html`<li>
            <a href="${at.fileAt(`${of}/${id}`)}">${methodMark(method)} <span>${summary}</span> <code>${path}</code></a>
          </li>`,
      );
    return html`<h2 id="group-${index}">${tag}</h2>
      <p>${description}</p>
      <ul class="calls">
        ${rows}
      </ul>`;
  });
  const token =
    asksToken &&
    html`<p>Every call of the control plane needs the control token. The page of a call has a field for it.</p>`;
  const content = html`<h1>API: ${name.toLowerCase()}</h1>
    ${words(String(document.info['description']))} ${token}
    <p><a href="${at.fileAt(json)}">The document as JSON</a>, OpenAPI 3.1</p>
    ${groups}`;
  const sections = document.tags.map(({ name: tag }, index) => ({ id: `group-${index}`, words: html`${tag}` }));
  return shellPage({
    ...at,
    title: `API: ${name.toLowerCase()}`,
    here: 'api',
    content,
    sections,
    list: callList(of, calls, null, at),
  });
}

/** The page of a call; null: the document has no call of this id. */
export async function callPage(
  of: DocumentName,
  id: string,
  document: ApiDocument,
  asksToken: boolean,
): Promise<string | null> {
  const at = addressesAt(`${of}/${id}`);
  const calls = callsIn(document);
  const call = calls.find((each) => each.id === id);
  if (call === undefined) return null;
  const server = String(document.servers.at(-1)?.url).replace('{tpp}', 'docs');
  const from = at.fileAt(documents[of].from);
  const sent = { server, from, added: of === 'interface' ? ofSigning : new Set<string>(), asksToken };
  const { content } = callContent(call, document, sent, await wordsOf(at.fileAt));
  const title = `${call.summary} – API`;
  return shellPage({
    ...at,
    title,
    here: 'api',
    content,
    sections: [],
    list: callList(of, calls, id, at),
    script: 'send-call.js',
  });
}

/** The page of a search: the calls with all its words, then sections of the guide. */
export async function searchPage(wanted: string, both: readonly [ApiDocument, ApiDocument]): Promise<string> {
  const at = addressesAt('search');
  const words = wanted
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const calls = (['interface', 'control'] as const).flatMap((of, index) =>
    callsIn(both[index] ?? both[0])
      .filter(({ method, path, summary }) =>
        words.every((word) => `${method} ${path} ${summary}`.toLowerCase().includes(word)),
      )
      .map((call) => ({ of, ...call })),
  );
  const sections = words.length === 0 ? [] : await findSections(wanted, maxSections, true);
  const found = [
    ...(words.length === 0 ? [] : calls.slice(0, maxCalls)).map(
      ({ of, id, method, path, summary }) =>
        html`<li>
          <a href="${at.fileAt(`${of}/${id}`)}">${summary}</a>
          <p>${methodMark(method)} <code>${path}</code></p>
        </li>`,
    ),
    ...sections.map(
      ({ place, heading, about }) =>
        html`<li>
          <a href="${at.fileAt(place)}">${heading}</a>
          <p>${about}</p>
        </li>`,
    ),
  ];
  const none = words.length > 0 && found.length === 0;
  const content = html`<h1>Search</h1>
    ${words.length === 0 && html`<p>Write a few words into the field above: a code, a rule, a path, a subject.</p>`}
    ${none && html`<p>No page has these words. <a href="${at.fileAt('README')}">The guide</a> lists all pages.</p>`}
    <ol class="found">
      ${found}
    </ol>`;
  const list = guideList(null, await guidePages(), at.pageAt);
  return shellPage({ ...at, title: 'Search', here: null, content, sections: [], list, wanted });
}
