import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import type { RequestHandler } from 'express';
import { clip } from '../../engine/values/text.ts';
import { addressesOf } from './landing.ts';

/** The folder of the guide: beside the sources, or beside `dist` in the package and the image. */
const folder = ['../../docs/', '../../../docs/']
  .map((path) => new URL(path, import.meta.url))
  .find((url) => existsSync(new URL('signing.md', url)));

/** Paths of the pages below docs, in order; none if the package has no docs. */
async function pages(): Promise<readonly string[]> {
  return (await files()).filter((name) => name.endsWith('.md')).toSorted();
}

/** The pages, and the pictures in them. */
async function files(): Promise<readonly string[]> {
  if (folder === undefined) return [];
  const names = await readdir(folder, { recursive: true });
  return names.filter((name) => /\.(?:md|png)$/.test(name) && !name.startsWith('decisions'));
}

/** Sections of `/llms.txt`, by the beginning of a page's path; the first that fits gets the page. */
const sections: readonly (readonly [heading: string, begins: string])[] = [
  ['For coding agents', 'skills/'],
  ['Specification', 'spec/'],
  ['Scenarios', 'scenarios'],
  ['Guide', ''],
];

/** `GET /llms.txt`, for programs: what Sandbank is, its addresses, and its pages by section, each with title and topic. */
export const llmsText: RequestHandler = async ({ baseUrl }, response) => {
  const listed = (await pages()).map((path) => ({
    path,
    section: sections.find(([, begins]) => path.startsWith(begins))?.[0],
  }));
  const parts = await Promise.all(
    sections.map(async ([heading]) => {
      const rows = listed.filter(({ section }) => section === heading).map(({ path }) => rowOf(path, baseUrl));
      return rows.length === 0 ? [] : ['', `## ${heading}`, '', ...(await Promise.all(rows))];
    }),
  );
  const lines = [
    '# Sandbank',
    '',
    '> A local sandbox of the open banking API (XS2A 1.3) of Norwegian banks: payments, accounts, consents, signed requests,',
    '> settlement on banking days, and a clock that a test moves. No real money, no real people.',
    '',
    'Start a bank and wait for it: `npx sandbank serve --ledger :memory: --clock-now 2027-03-24 --clock-mode frozen &` and',
    '`npx sandbank ready --wait=30s`. Its clock stands still until `npx sandbank advance` moves it; `npx sandbank --help` lists the commands.',
    '',
    '## Addresses',
    '',
    ...addressesOf(baseUrl).map(([path, what]) => `- ${path}: ${what}`),
    ...parts.flat(),
  ];
  response.type('text/plain').send(`${lines.join('\n')}\n`);
};

/** A link to a page, with its title and its first sentence. */
async function rowOf(path: string, base: string): Promise<string> {
  const page = await readFile(new URL(path, folder), 'utf8');
  const about = aboutOf(page);
  return `- [${titleOf(page) ?? path}](${base}/docs/${path})${about === '' ? '' : `: ${about}`}`;
}

/**
 * `GET /docs/{page}.md` answers with a page of the guide as text; without `.md` it redirects there. `GET /docs/pictures/{name}.png` answers
 * with a picture. Other paths are passed on.
 */
export const guidePage: RequestHandler = async (request, response, next) => {
  const path = request.path.slice('/docs/'.length);
  const served = await files();
  if (served.includes(`${path}.md`)) {
    // Relative: a proxy may add a path before it.
    response.redirect(308, `${path.slice(path.lastIndexOf('/') + 1)}.md`);
    return;
  }
  if (folder === undefined || !served.includes(path)) {
    next();
    return;
  }
  if (path.endsWith('.png')) {
    response.type('png').send(await readFile(new URL(path, folder)));
    return;
  }
  const text = await readFile(new URL(path, folder), 'utf8');
  response.type('text/markdown; charset=utf-8').send(withoutDeadLinks(text, path, served));
};

/** The text of a page of the guide. Links to files that are not served, such as `../compose.yaml`, become plain words. */
function withoutDeadLinks(text: string, page: string, served: readonly string[]): string {
  return text.replaceAll(/\[([^\][]{1,200})\]\(([^)\s]{1,300})\)/g, (link, words: string, target: string) => {
    if (/^https?:/.test(target)) return link;
    const { pathname } = new URL(target, `http://bank/docs/${page}`);
    return pathname.startsWith('/docs/') && served.includes(pathname.slice('/docs/'.length)) ? link : words;
  });
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

/** The topic of a page: the description at its head, else the first sentences below its heading, without links. */
function aboutOf(page: string): string {
  const [, described] = /^---\n(?:.*\n)*?description: (.*)\n/.exec(page) ?? [];
  const below = page.split('\n').slice(page.split('\n').findIndex((line) => line.startsWith('# ')) + 1);
  const start = below.findIndex((line) => /^[A-Za-z`[*_]/.test(line));
  const end = below.findIndex((line, at) => at > start && line.trim() === '');
  const paragraph = start === -1 ? '' : below.slice(start, end === -1 ? undefined : end).join(' ');
  const plain = (described ?? paragraph).replaceAll(/\[([^\][]{1,200})\]\([^)\s]{1,300}\)/g, '$1');
  return clip(/^.{60,300}?[.:](?= |$)/.exec(plain)?.[0] ?? plain, 300).replace(/:$/, '.');
}
