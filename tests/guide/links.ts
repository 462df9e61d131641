/** The links and loaded files of a page, as they stand in it, and the ids that a link can name. */
export function partsOfPage(page: string): { readonly links: readonly string[]; readonly ids: ReadonlySet<string> } {
  const read = (pattern: RegExp): string[] => [...page.matchAll(pattern)].map(([, value = '']) => plain(value));
  return { links: read(/\s(?:href|src)="([^"]*)"/g), ids: new Set(read(/\sid="([^"]*)"/g)) };
}

/** What stands for a character in HTML, as the character. */
function plain(text: string): string {
  return text.replaceAll('&amp;', '&').replaceAll('&#39;', "'").replaceAll('&quot;', '"');
}
