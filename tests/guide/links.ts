import { unescapedHtml } from '../support/html.ts';

/** The links and loaded files of a page, as they stand in it, and the ids that a link can name. */
export function partsOfPage(page: string): { readonly links: readonly string[]; readonly ids: ReadonlySet<string> } {
  const read = (pattern: RegExp): string[] => [...page.matchAll(pattern)].map(([, value = '']) => unescapedHtml(value));
  return { links: read(/\s(?:href|src)="([^"]*)"/g), ids: new Set(read(/\sid="([^"]*)"/g)) };
}

const isGuidePage = (path: string): boolean => /\/docs\/[^.]+$/.test(path);

/**
 * Follows the links from the first page of a bank's guide, through at most so many pages. Those that lead to no page or anchor, or out of the
 * bank, and the addresses of the pages.
 */
export async function deadLinks(
  base: string,
  most: number,
): Promise<{ readonly dead: readonly string[]; readonly pages: readonly string[] }> {
  const dead: string[] = [];
  const read = new Map<string, { readonly status: number } & ReturnType<typeof partsOfPage>>();
  const known = async (address: string) => {
    const found = read.get(address);
    if (found !== undefined) return found;
    const answer = await fetch(address, { headers: { accept: 'text/html' } });
    const text = await answer.text();
    const made = { status: answer.status, ...partsOfPage(text) };
    const isHtml = answer.headers.get('content-type') === 'text/html; charset=utf-8' && text.includes('<h1 id=');
    if (isGuidePage(new URL(address).pathname) && !isHtml) dead.push(`${address}: no page`);
    read.set(address, made);
    return made;
  };
  const { origin, pathname } = new URL(base);
  const pages = [`${base}/docs/README`];
  for (const address of pages) {
    for (const link of (await known(address)).links) {
      const to = new URL(link, address);
      if (to.origin !== origin) continue;
      const place = to.origin + to.pathname;
      const { status, ids } = await known(place);
      const isGuide = isGuidePage(to.pathname);
      const isThere = to.hash === '' || (isGuide && ids.has(decodeURIComponent(to.hash.slice(1))));
      const isOwn = to.pathname.startsWith(pathname === '/' ? '' : pathname);
      if (status !== 200 || !isThere || !isOwn) dead.push(`${address}: ${link} (${status})`);
      if (isGuide && pages.length < most && !pages.includes(place)) pages.push(place);
    }
  }
  return { dead, pages };
}
