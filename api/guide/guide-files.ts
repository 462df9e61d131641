import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, relative } from 'node:path/posix';
import { once } from '../../engine/values/once.ts';

/*
 * A page of the guide is named by its path below `docs`, without `.md`: `signing`, `spec/rules`. README.md, which stands beside that
 * folder, is the page `README`.
 */

/** The folder of the guide: beside the sources, or beside `dist` in the package and the image. */
const folder = ['../../docs/', '../../../docs/']
  .map((path) => new URL(path, import.meta.url))
  .find((url) => existsSync(new URL('signing.md', url)));

const readme = 'README';

/** The address of the bank in the Markdown. Shown pages have the address of their own bank instead. */
export const writtenAddress = 'http://127.0.0.1:8080';

/** A page of the guide. */
export interface GuidePage {
  readonly path: string;
  /** Its first heading, else its path. */
  readonly title: string;
  /** The first heading of {@link sections} that fits. */
  readonly section: string;
}

/** Sections of the guide, by the beginning of a page's path; the first that fits gets the page. */
const sections: readonly (readonly [heading: string, begins: string])[] = [
  ['For coding agents', 'skills/'],
  ['Specification', 'spec/'],
  ['Scenarios', 'scenarios/'],
  ['Guide', ''],
];

/** The headings of the sections in the order of `/llms.txt`. */
export const sectionHeadings: readonly string[] = sections.map(([heading]) => heading);

/**
 * All pages: README.md, those that it names in the order of its list, then the others by name; none if the package has no docs. Read once: a start
 * reads none.
 */
export const guidePages = once(async (): Promise<readonly GuidePage[]> => {
  if (folder === undefined) return [];
  const paths = [...(await files('.md')), ...(existsSync(placeOf(readme)) ? [readme] : [])];
  const start = paths.includes(readme) ? await pageText(readme) : '';
  const rank = (path: string): number => {
    const at = start.lastIndexOf(`](docs/${path}.md`);
    return path === readme ? -1 : at === -1 ? start.length : at;
  };
  const ordered = paths.toSorted((one, other) => rank(one) - rank(other) || (one < other ? -1 : 1));
  return Promise.all(
    ordered.map(async (path) => ({
      path,
      title: titleOf(await pageText(path)) ?? path,
      section: sections.find(([, begins]) => path.startsWith(begins))?.[0] ?? '',
    })),
  );
});

/** Paths of the pictures below the folder, with their extension; none where the package was made without them. */
export function guidePictures(): Promise<readonly string[]> {
  return files('.webp', '');
}

/** The Markdown of a page. Throws for a page that there is not. */
export function pageText(path: string): Promise<string> {
  return readFile(placeOf(path), 'utf8');
}

/** The bytes of a picture. Throws for a picture that there is not. */
export function pictureBytes(path: string): Promise<Buffer> {
  return readFile(new URL(path, folder));
}

/**
 * Where a link of a page leads, below `docs`: a page, with the anchor of the link, or a picture. Null: to something else, such as
 * `../compose.yaml`.
 */
export function leadsTo(
  from: string,
  target: string,
): { readonly page: string; readonly anchor: string } | { readonly picture: string } | null {
  const { pathname, hash } = new URL(target, from === readme ? 'file:///README.md' : `file:///docs/${from}.md`);
  if (pathname === '/README.md') return { page: readme, anchor: hash };
  const [, below = '', extension] = /^\/docs\/(.+)\.(md|webp)$/.exec(pathname) ?? [];
  if (extension === 'webp') return { picture: `${below}.webp` };
  return extension === 'md' ? { page: below, anchor: hash } : null;
}

/** The address of a file of the guide, relative to a page of it. */
export function relativeTo(page: string, file: string): string {
  return relative(dirname(page), file);
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

/** The anchor of a heading, as GitHub makes it; a number tells those of the same words apart. */
export function freeAnchor(heading: string, before: readonly { readonly id: string }[]): string {
  const plain = heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
  const taken = before.filter(({ id }) => id === plain || id.replace(/-\d+$/, '') === plain).length;
  return taken === 0 ? plain : `${plain}-${taken}`;
}

/** The first heading of a page; null: it has none. */
function titleOf(page: string): string | null {
  return (
    page
      .split('\n')
      .find((line) => line.startsWith('# '))
      ?.slice(2) ?? null
  );
}
