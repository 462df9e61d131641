import { story } from '../bodies/examples.ts';
import type { ControlEndpoint } from '../control/control-endpoint.ts';
import { listControl } from '../openapi/control-document.ts';
import type { ApiDescription, ListedOperation } from '../openapi/document.ts';
import { listInterface } from '../openapi/interface-document.ts';
import { html, type Html } from '../pages/html.ts';
import { callContent, callsIn, type ListedCall, methodMark } from './call-page.ts';
import { askedWords, findSections } from './find-sections.ts';
import { guidePages, placeOfAnchor, relativeTo } from './guide-files.ts';
import { type Addresses, guideList, shellPage } from './guide-page.ts';

/**
 * The documents, with paths relative to `docs/`: of their JSON, of their list, and of the server that takes their
 * calls.
 */
const documents = {
  interface: { name: 'Interface', json: '../openapi.json', address: '../docs', from: '../sandbox/as/docs/v1' },
  control: { name: 'Control plane', json: '../sandbox/openapi.json', address: '../docs?of=control', from: '..' },
} as const;

export type DocumentName = keyof typeof documents;

/** Whether a part of an address names a document. */
export function isDocument(name: unknown): name is DocumentName {
  return name === 'interface' || name === 'control';
}

type CallLists = ReturnType<typeof callLists>;

/**
 * The lists of both documents of a bank with these endpoints of its control plane. They have no value of the bank, and
 * read none.
 */
export function callLists(control: readonly ControlEndpoint[], isRoot: boolean) {
  const { address } = story;
  const listOf = (listed: ApiDescription<ListedOperation>) => {
    const { description, tags: groups } = listed.about;
    return { description, groups, calls: callsIn(listed) };
  };
  return { interface: listOf(listInterface()), control: listOf(listControl(control, { address, isRoot })) };
}

/** Headers that the unsigned door makes, or refuses. */
const ofSigning: ReadonlySet<string> = new Set([
  ...['signature', 'tpp-signature-certificate', 'digest', 'date', 'authorization'],
  ...['sandbank-control-token', 'x-request-id'],
]);

/** How many sections a search lists before the calls, and the maximum numbers of calls and of sections. */
const [sectionsBeforeCalls, maxCalls, maxSections] = [3, 6, 30] as const;

/** The addresses of a page at this path below `docs`; empty: `docs` itself, which stands beside the folder. */
function addressesAt(path: string): Addresses {
  const fileAt = (file: string): string =>
    path === '' ? `docs/${file}`.replace('docs/../', '') : relativeTo(path, file);
  return { fileAt, pageAt: fileAt, bank: path === '' ? './' : `${fileAt('../')}/` };
}

/** Links to calls, each with its method. `shown`: the id of the current call, or null. */
function linksTo(
  of: DocumentName,
  calls: readonly ListedCall[],
  { fileAt }: Addresses,
  { shown, hasPaths }: { readonly shown: string | null; readonly hasPaths: boolean },
): readonly Html[] {
  return calls.map(
    ({ id, method, route, summary }) =>
      html`<li>
        <a href="${fileAt(`${of}/${id}`)}" ${id === shown && html`aria-current="page"`}
          >${methodMark(method)} <span>${summary}</span> ${hasPaths && html`<code>${route}</code>`}</a
        >
      </li>`,
  );
}

/**
 * The list beside a page: both documents, and the calls of this one in groups. `shown` is the call whose group is open,
 * or null if the page lists the calls itself.
 */
function listBeside(of: DocumentName, calls: readonly ListedCall[], shown: string | null, at: Addresses): Html {
  const documentLinks = Object.entries(documents).map(
    ([key, { name, address }]) =>
      html`<li>
        <a href="${at.fileAt(address)}" ${key === of && html`aria-current="${shown === null ? 'page' : 'true'}"`}
          >${name}</a
        >
      </li>`,
  );
  const groups = [...Map.groupBy(calls, ({ tag }) => tag)].map(
    ([tag, own]) =>
      html`<details ${own.some(({ id }) => id === shown) && html`open`}>
        <summary>${tag}</summary>
        <ul class="calls-beside">
          ${linksTo(of, own, at, { shown, hasPaths: false })}
        </ul>
      </details>`,
  );
  return html`<ul class="documents">
      ${documentLinks}
    </ul>
    ${groups}`;
}

/** The page `/docs`: all calls of a document in their groups. */
export async function callsPage(
  of: DocumentName,
  { description, groups, calls }: CallLists[DocumentName],
): Promise<string> {
  // Loaded here only, so that a search starts faster.
  const { renderText } = await import('./render-page.ts');
  const at = addressesAt('');
  const pages = await guidePages();
  const pageOf = (name: string) => pages.find(({ path }) => path === name);
  const hrefOf = (to: string): string | null => (pageOf(to) === undefined ? null : at.fileAt(to));
  const intro = description.replaceAll(
    /\bdocs\/(\w+)\.md\b/g,
    (whole, name: string) => `[${pageOf(name)?.title ?? whole}](${name}.md)`,
  );
  const title = `API: ${documents[of].name.toLowerCase()}`;
  const shown = groups.map(({ name, description: says }, index) => {
    const own = calls.filter(({ tag }) => tag === name);
    return html`<h2 id="group-${index}">${name}</h2>
      <p>${says}</p>
      <ul class="calls">
        ${linksTo(of, own, at, { shown: null, hasPaths: true })}
      </ul>`;
  });
  const content = html`<h1>${title}</h1>
    ${renderText(intro, { file: 'signing', shown: 'signing', hrefOf }).content}
    <p><a href="${at.fileAt(documents[of].json)}">The document as JSON</a>, OpenAPI 3.1</p>
    ${shown}`;
  const sections = groups.map(({ name }, index) => ({ id: `group-${index}`, words: html`${name}` }));
  return shellPage({ ...at, title, here: 'api', content, sections, list: listBeside(of, calls, null, at) });
}

/** The page of a call, or null if the document has no call of this id. */
export async function callPage(
  of: DocumentName,
  id: string,
  described: ApiDescription,
  asksToken: boolean,
): Promise<string | null> {
  const at = addressesAt(`${of}/${id}`);
  const calls = callsIn(described);
  const call = calls.find((each) => each.id === id);
  if (call === undefined) return null;
  const errors = (await guidePages()).find(({ path }) => path === 'errors');
  const codeAt = (code: string): string => {
    const anchor = code.toLowerCase();
    return `${at.fileAt(errors === undefined ? 'errors' : placeOfAnchor(errors, anchor))}#${anchor}`;
  };
  const { content, hasForm } = callContent(call, {
    ruleAt: (number) => at.fileAt(`spec/rules/${number.toLowerCase()}`),
    // The page sends a call of the interface through the door.
    server: String(described.about.servers[0]?.url).replace(/\/v1$/, '/sandbox/as/docs/v1'),
    from: at.fileAt(documents[of].from),
    added: of === 'interface' ? ofSigning : new Set(),
    asksToken,
    codeAt,
  });
  const list = listBeside(of, calls, id, at);
  const title = `${call.summary} – API`;
  return shellPage({
    ...at,
    title,
    here: 'api',
    content,
    sections: [],
    list,
    ...(hasForm && { script: 'send-call.js' }),
  });
}

/**
 * The page of a search: the best sections of the guide, the calls with all its words, then other sections. Calls come
 * first for a path.
 */
export async function searchPage(wanted: string, lists: CallLists): Promise<string> {
  const at = addressesAt('search');
  const isPath = wanted.includes('/');
  const words = isPath ? wanted.toLowerCase().split(/\s+/).filter(Boolean) : askedWords(wanted);
  const found = Object.entries(lists).flatMap(([of, { calls }]) =>
    calls
      .filter(({ method, route, summary }) => {
        const told = `${method} ${route} ${summary}`.toLowerCase();
        return words.length > 0 && words.every((word) => told.includes(word));
      })
      .map(({ id, method, route, summary }) => ({
        place: `${of}/${id}`,
        heading: summary,
        about: html`${methodMark(method)} <code>${route}</code>`,
      })),
  );
  const sections = await findSections(wanted, maxSections);
  const before = isPath ? 0 : sectionsBeforeCalls;
  const results = [...sections.slice(0, before), ...found.slice(0, maxCalls), ...sections.slice(before)];
  const content = html`<h1>Search</h1>
    ${words.length === 0 && html`<p>Write a few words into the field above: a code, a rule, a path, a subject.</p>`}
    ${words.length > 0 && results.length === 0 && html`<p>No page has these words.</p>`}
    <ol class="found">
      ${results.map(
        ({ place, heading, about }) =>
          html`<li>
            <a href="${at.fileAt(place)}">${heading}</a>
            <p>${about}</p>
          </li>`,
      )}
    </ol>`;
  const list = guideList(null, await guidePages(), at.pageAt);
  return shellPage({ ...at, title: 'Search', here: 'guide', content, sections: [], list, wanted });
}
