import type { RequestHandler } from 'express';
import { clip } from '../../engine/values/text.ts';
import { type GuidePage, guidePages, pageText, sectionHeadings } from './guide-files.ts';

/** The addresses of the bank at `base`, each with its purpose. */
type AddressesOf = (base: string) => readonly (readonly [path: string, what: string])[];

/**
 * `GET /llms.txt`, for programs: what Sandbank is, its addresses, and its pages by section, each with title and topic.
 * `server`: the path of the server for its clients.
 */
export function llmsTextOf(addressesOf: AddressesOf, server: string): RequestHandler {
  return async (request, response) => {
    const base = server + request.baseUrl;
    // README.md is for people: it says what this text says.
    const listed = (await guidePages()).filter(({ path }) => path !== 'README').toSorted(byPath);
    const parts = await Promise.all(
      sectionHeadings.map(async (heading) => {
        const rows = listed.filter(({ section }) => section === heading).map((page) => rowOf(page, base));
        return rows.length === 0 ? [] : ['', `## ${heading}`, '', ...(await Promise.all(rows))];
      }),
    );
    const lines = [
      '# Sandbank',
      '',
      '> A local sandbox of the open banking API (XS2A 1.3) of Norwegian banks: payments, accounts, consents, signed requests,',
      '> settlement on banking days, and a clock that a test moves. No real money, no real people.',
      '',
      'Start a bank and wait for it: `npx --no sandbank serve --ledger :memory: --clock-now 2027-03-24 --clock-mode frozen &` and',
      '`npx --no sandbank ready --wait=30s`. Its clock stands still until `npx --no sandbank advance` moves it; `npx --no sandbank help` lists the commands.',
      '',
      '## Addresses',
      '',
      ...addressesOf(base).map(([path, what]) => `- ${path}: ${what}`),
      ...parts.flat(),
    ];
    response.type('text/plain').send(`${lines.join('\n')}\n`);
  };
}

function byPath(one: GuidePage, other: GuidePage): number {
  return one.path < other.path ? -1 : 1;
}

/** A link to a page, with its title and its first sentence. */
async function rowOf({ path, title }: GuidePage, base: string): Promise<string> {
  const about = aboutOf(await pageText(path));
  return `- [${title}](${base}/docs/${path}.md)${about === '' ? '' : `: ${about}`}`;
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
