import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path/posix';
import { once } from '../../engine/values/once.ts';

/*
 * A page of the guide is named by its path below `docs`, without `.md`: `signing`, `spec/rules`. README.md, which
 * stands beside that folder, is the page `README`.
 */

/** The folder of the guide: beside the sources, or beside `dist` in the package and the image. */
const folder = ['../../docs/', '../../../docs/']
  .map((path) => new URL(path, import.meta.url))
  .find((url) => existsSync(new URL('signing.md', url)));

const readme = 'README';

/** The address of the bank in the Markdown. Shown pages have the address of their own bank instead. */
export const writtenAddress = 'http://127.0.0.1:7263';

/** A page of the guide. */
export interface GuidePage {
  readonly path: string;
  /** Its first heading, else its path. */
  readonly title: string;
  /** The first heading of {@link sections} that fits. */
  readonly section: string;
  /**
   * The parts of a long page. Each is shown at an address of its own, such as `signing/3-by-hand`; none: the page is
   * shown whole.
   */
  readonly parts: readonly ReturnType<typeof partAt>[];
}

/**
 * Maximum length of a page that is shown whole, in characters. A longer one is higher than 15,000 pixels on a screen of
 * 1280.
 */
const maxShown = 28_000;

/** Sections of the guide, with the paths of their pages. A page belongs to the first section that fits. */
const sections: readonly (readonly [heading: string, pages: RegExp])[] = [
  ['For coding agents', /^skills\//],
  ['Specification', /^spec\//],
  ['Scenarios', /^scenarios\//],
  [
    'Look up',
    /^(commands|errors|scenarios|running\/settings|signing\/(spellings|faulty-certificates|programs)|glossary|versions)$/,
  ],
  ['Real banks', /^(banks|habits|gauntlet|drift|differences|one-clock|how-we-know)$/],
  ['Understand', /^(settlement|signing|account-information|foreign-payments|time-machine|life|persona)/],
  ['Begin', /./],
];

/** The headings of the sections in the order of `/llms.txt`. */
export const sectionHeadings: readonly string[] = sections.map(([heading]) => heading);

/** The list of the pages, beside the package's program. */
export const builtPages = 'guide-pages.json';

/**
 * All pages: README.md, then the pages of its list in their order, each with those of its folder, then the others by
 * name. None if the package has no docs. They are read on first use, and once.
 */
export const guidePages = once(async (): Promise<readonly GuidePage[]> => {
  if (folder === undefined) return [];
  const built = await readFile(new URL(`../../${builtPages}`, import.meta.url), 'utf8').catch(() => null);
  if (built !== null) return JSON.parse(built) as readonly GuidePage[];
  const paths = [...(await files('.md')), ...(existsSync(placeOf(readme)) ? [readme] : [])];
  const start = paths.includes(readme) ? await pageText(readme) : '';
  const rank = (path: string): number => {
    const at = start.lastIndexOf(`](docs/${path.split('/')[0]}.md`);
    return path === readme ? -1 : at === -1 ? start.length : at;
  };
  const ordered = paths.toSorted((one, other) => rank(one) - rank(other) || (one < other ? -1 : 1));
  return Promise.all(
    ordered.map(async (path) => {
      const text = await pageText(path);
      const found = sectionsIn(text);
      return {
        path,
        title: found.find(({ depth }) => depth === 1)?.heading ?? path,
        section: sections.find(([, ofSection]) => ofSection.test(path))?.[0] ?? '',
        parts: text.length > maxShown ? partsOf(found).map((part) => partAt(path, part)) : [],
      };
    }),
  );
});

/** The sections of each part: a part begins with a section of the second level. */
function partsOf(found: readonly Section[]): readonly (readonly Section[])[] {
  const starts = found.flatMap(({ depth }, at) => (depth === 2 ? [at] : []));
  return starts.map((start, index) => found.slice(start, starts[index + 1]));
}

/** The rules in a text of a page, and the text before the first one. Only the specification has rules with anchors. */
export function piecesOf(path: string, text: string): ReturnType<typeof rulesIn> {
  return path.startsWith('spec/') ? rulesIn(text) : [{ rule: null, text }];
}

/**
 * A part of a long page: a section of the second level with those in it. `ids`: the anchors in it, its own first: of
 * its headings, and of its rules.
 */
function partAt(path: string, part: readonly Section[]) {
  const [{ id, heading } = { id: '', heading: '' }] = part;
  const ids = part.flatMap((each) => [
    each.id,
    ...piecesOf(path, each.text).flatMap(({ rule }) => rule?.toLowerCase() ?? []),
  ]);
  return { path: `${path}/${id}`, title: heading.replaceAll('`', ''), ids: [...new Set(ids)] };
}

/** The place of an anchor of a page: `signing/3-by-hand` for a part of a long page, else the page. */
export function placeOfAnchor({ path, parts }: GuidePage, anchor: string): string {
  return parts.find(({ ids }) => ids.includes(anchor))?.path ?? path;
}

/**
 * The address of the anchor that a path such as `spec/rules/q4` names, relative to that path: `q-quirks#q4`. Returns
 * null if the path names no anchor.
 */
export async function anchorAt(path: string): Promise<string | null> {
  const anchor = basename(path);
  const page = (await guidePages()).find((each) => each.path === dirname(path));
  const part = page?.parts.find(({ ids }) => ids.includes(anchor));
  return part === undefined ? null : `${basename(part.path)}#${anchor}`;
}

/**
 * The Markdown at a path, with the anchors of its headings: a whole page, the beginning of a long one, or a part, whose
 * headings are one level higher than in the file. Returns null if the path has no page.
 */
export async function shownAt(
  path: string,
): Promise<{ readonly page: GuidePage; readonly markdown: string; readonly ids: readonly string[] } | null> {
  const pages = await guidePages();
  const page =
    pages.find((each) => path === each.path) ?? pages.find(({ parts }) => parts.some((part) => part.path === path));
  const at = page?.parts.findIndex((part) => part.path === path) ?? -1;
  if (page === undefined) return null;
  const text = await pageText(page.path);
  if (page.parts.length === 0) return { page, markdown: text, ids: [] };
  const found = sectionsIn(text);
  const shown = at === -1 ? found.slice(0, 1) : (partsOf(found)[at] ?? []);
  const rise = at === -1 ? 0 : 1;
  const lines = shown.map((each) => `${'#'.repeat(each.depth - rise)} ${each.heading}\n${each.text}`);
  return { page, markdown: lines.join('\n'), ids: shown.map(({ id }) => id) };
}

/**
 * Paths of the pictures below the folder, with their extension; none where the package was made without them. As those
 * of the pages, they are read on first use, and once.
 */
export const guidePictures = once(async (): Promise<readonly string[]> => [
  ...(await files('.webp', '')),
  ...(await files('.svg', '')),
]);

/** The Markdown of a page. Throws if there is no such page. */
export function pageText(path: string): Promise<string> {
  return readFile(placeOf(path), 'utf8');
}

/** The bytes of a picture. Throws if there is no such picture. */
export function pictureBytes(path: string): Promise<Buffer> {
  return readFile(new URL(path, folder));
}

/**
 * Where a link of a page leads, below `docs`: a page, with the anchor of the link, or a picture. Returns null if it
 * leads to something else, such as `../compose.yaml`.
 */
export function leadsTo(
  from: string,
  target: string,
): { readonly page: string; readonly anchor: string } | { readonly picture: string } | null {
  const { pathname, hash } = new URL(target, from === readme ? 'file:///README.md' : `file:///docs/${from}.md`);
  if (pathname === '/README.md') return { page: readme, anchor: hash };
  const [, below = '', extension] = /^\/docs\/(.+)\.(md|webp|svg)$/.exec(pathname) ?? [];
  if (extension === 'md') return { page: below, anchor: hash };
  return extension === undefined ? null : { picture: `${below}.${extension}` };
}

/** The address of a file of the guide, relative to a page of it. */
export function relativeTo(page: string, file: string): string {
  return join(relative(dirname(page), dirname(file)), basename(file));
}

function placeOf(path: string): URL {
  return new URL(path === readme ? '../README.md' : `${path}.md`, folder);
}

/** Files of the guide with this extension, without `cut` at their end. */
async function files(extension: string, cut = extension): Promise<readonly string[]> {
  if (folder === undefined) return [];
  const names = await readdir(folder, { recursive: true });
  return names
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith(extension) && !name.startsWith('decisions'))
    .map((name) => name.slice(0, name.length - cut.length))
    .toSorted();
}

/** A heading of a page of Markdown, and the text below it up to the next heading. */
type Section = ReturnType<typeof sectionsIn>[number];

/** The sections of a page of Markdown, in order. Text before the first heading is left out. */
export function sectionsIn(markdown: string) {
  const found: { id: string; heading: string; depth: number; lines: string[] }[] = [];
  let isCode = false;
  for (const line of markdown.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode;
    const [, marks, heading = ''] = isCode ? [] : (/^(#{1,6}) (.*)$/.exec(line) ?? []);
    if (marks === undefined) found.at(-1)?.lines.push(line);
    else found.push({ id: freeAnchor(heading, found), heading, depth: marks.length, lines: [] });
  }
  return found.map(({ id, heading, depth, lines }) => ({
    // The anchor of the heading, as GitHub makes it; the Markdown of the heading; 1 to 6; and the Markdown below it.
    id,
    heading,
    depth,
    text: lines.join('\n'),
  }));
}

/**
 * Pieces of a section's text: each rule that begins with its number and those whom it serves (`**T5b [container] The
 * alarm.**`), and the text before the first one.
 */
export function rulesIn(text: string): readonly { readonly rule: string | null; readonly text: string }[] {
  return text.split(/^(?=- \*\*[A-Z]{1,2}\d+[a-z]? \[)/m).map((piece) => {
    const [, rule = null] = /^- \*\*([A-Z]{1,2}\d+[a-z]?) \[/.exec(piece) ?? [];
    return { rule, text: piece };
  });
}

/** The text of a rule without those whom it serves: `**T5b The alarm.**`; every other text as it is. */
export function withoutUsers(text: string): string {
  return text.replace(/^((?:- \*\*)?[A-Z]{1,2}\d+[a-z]?) \[[a-z, ]+\]/, '$1');
}

/** The anchor of a heading, as GitHub makes it. Repeated headings get numbers. */
export function freeAnchor(heading: string, before: readonly { readonly id: string }[]): string {
  const plain = heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
  const taken = before.filter(({ id }) => id === plain || id.replace(/-\d+$/, '') === plain).length;
  return taken === 0 ? plain : `${plain}-${taken}`;
}
