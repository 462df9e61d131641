import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import type { RequestHandler } from 'express';
import { addresses } from './landing.ts';

/** The pages of the guide: beside the sources, and in the package and the image beside `dist`. */
const folder = ['../../docs/', '../../../docs/']
  .map((path) => new URL(path, import.meta.url))
  .find((url) => existsSync(new URL('signing.md', url)));

/** Paths below docs of the pages that the package has, in order; none where it was taken apart. */
async function pages(): Promise<readonly string[]> {
  if (folder === undefined) return [];
  const names = await readdir(folder, { recursive: true });
  return names.filter((name) => name.endsWith('.md') && !name.startsWith('decisions')).toSorted();
}

/** `GET /llms.txt`: what this is, its addresses, and its pages with their titles, for a program that reads. */
export const llmsText: RequestHandler = async (_request, response) => {
  const rows = await Promise.all((await pages()).map(async (path) => `- [${await titleOf(path)}](/docs/${path})`));
  const lines = [
    '# Sandbank',
    '',
    '> A local sandbox of the open banking API (XS2A 1.3) of Norwegian banks: payments, accounts, consents, signed requests,',
    '> settlement on banking days, and a clock that a test moves. No real money, no real people.',
    '',
    '## Addresses',
    '',
    ...addresses.map(([path, what]) => `- ${path}: ${what}`),
    '',
    '## Pages',
    '',
    ...rows,
  ];
  response.type('text/plain').send(`${lines.join('\n')}\n`);
};

/** `GET /docs/{page}.md`: a page of the guide, as text. Any other path is passed on. */
export const guidePage: RequestHandler = async (request, response, next) => {
  const path = request.path.slice('/docs/'.length);
  if (folder === undefined || !(await pages()).includes(path)) {
    next();
    return;
  }
  response.type('text/markdown; charset=utf-8').send(await readFile(new URL(path, folder), 'utf8'));
};

/** The first heading of a page. */
async function titleOf(path: string): Promise<string> {
  const page = await readFile(new URL(path, folder), 'utf8');
  const heading = page.split('\n').find((line) => line.startsWith('# ')) ?? path;
  return heading.replace('# ', '');
}
