import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import type { RequestHandler } from 'express';
import { addressesOf } from './landing.ts';

/** The pages of the guide: beside the sources, and in the package and the image beside `dist`. */
const folder = ['../../docs/', '../../../docs/']
  .map((path) => new URL(path, import.meta.url))
  .find((url) => existsSync(new URL('signing.md', url)));

/** Paths below docs of the pages that the package has, in order; none where it was taken apart. */
async function pages(): Promise<readonly string[]> {
  return (await files()).filter((name) => name.endsWith('.md')).toSorted();
}

/** The pages, and the pictures in them. */
async function files(): Promise<readonly string[]> {
  if (folder === undefined) return [];
  const names = await readdir(folder, { recursive: true });
  return names.filter((name) => /\.(?:md|png)$/.test(name) && !name.startsWith('decisions'));
}

/** `GET /llms.txt`: what this is, its addresses, and its pages with their titles, for a program that reads. */
export const llmsText: RequestHandler = async ({ baseUrl }, response) => {
  const rows = await Promise.all(
    (await pages()).map(async (path) => `- [${await titleOf(path)}](${baseUrl}/docs/${path})`),
  );
  const lines = [
    '# Sandbank',
    '',
    '> A local sandbox of the open banking API (XS2A 1.3) of Norwegian banks: payments, accounts, consents, signed requests,',
    '> settlement on banking days, and a clock that a test moves. No real money, no real people.',
    '',
    '## Addresses',
    '',
    ...addressesOf(baseUrl).map(([path, what]) => `- ${path}: ${what}`),
    '',
    '## Pages',
    '',
    ...rows,
  ];
  response.type('text/plain').send(`${lines.join('\n')}\n`);
};

/**
 * `GET /docs/{page}.md`: a page of the guide, as text; without `.md` the way to it; `GET /docs/pictures/{name}.png`: a picture of one. Any
 * other path is passed on.
 */
export const guidePage: RequestHandler = async (request, response, next) => {
  const path = request.path.slice('/docs/'.length);
  const served = await files();
  if (served.includes(`${path}.md`)) {
    // Relative, as a proxy may have put it below a path.
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

/** The text of a page of the guide. A link to a file that is not served, such as `../compose.yaml`, is its words alone. */
function withoutDeadLinks(text: string, page: string, served: readonly string[]): string {
  return text.replaceAll(/\[([^\][]{1,200})\]\(([^)\s]{1,300})\)/g, (link, words: string, target: string) => {
    if (/^https?:/.test(target)) return link;
    const { pathname } = new URL(target, `http://bank/docs/${page}`);
    return pathname.startsWith('/docs/') && served.includes(pathname.slice('/docs/'.length)) ? link : words;
  });
}

/** The first heading of a page. */
async function titleOf(path: string): Promise<string> {
  const page = await readFile(new URL(path, folder), 'utf8');
  const heading = page.split('\n').find((line) => line.startsWith('# ')) ?? path;
  return heading.replace('# ', '');
}
