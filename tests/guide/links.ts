import { unescapedHtml } from '../support/html.ts';

/** The links and loaded files of a page, as they stand in it, and the ids that a link can name. */
export function partsOfPage(page: string): { readonly links: readonly string[]; readonly ids: ReadonlySet<string> } {
  const read = (pattern: RegExp): string[] => [...page.matchAll(pattern)].map(([, value = '']) => unescapedHtml(value));
  return { links: read(/\s(?:href|src)="([^"]*)"/g), ids: new Set(read(/\sid="([^"]*)"/g)) };
}
