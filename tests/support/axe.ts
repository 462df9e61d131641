import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

/** The minified file: the module's own text is three times as long to send to a page. */
const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** How axe is run: it reads no style sheet again, as only rules that are off by themselves ask for that. */
const options = { resultTypes: ['violations'], preload: { assets: ['media'] } };

/** Pages whose documents have a function that loads axe: sent with each of them, it would take longer than what axe does. */
const prepared = new WeakSet<Page>();

/** What axe finds wrong with the page as it is now, as `rule: markup`. `without`: a selector of what is not ours. */
export async function axeFindings(page: Page, without?: string): Promise<string[]> {
  if (!prepared.has(page)) {
    prepared.add(page);
    await page.addInitScript(`globalThis.loadAxe = () => {${source}}`);
    await page.evaluate(source);
  }
  const context = without === undefined ? 'document' : `{ exclude: ${JSON.stringify([without])} }`;
  return page.evaluate<string[]>(
    `typeof axe === 'undefined' && loadAxe();
    axe.run(${context}, ${JSON.stringify(options)}).then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))`,
  );
}

/**
 * What is wrong with how the page looks on a phone and on a desk, 320 and 1280 pixels wide: what axe finds, and that it is wider than the
 * screen. The page is left in one of these widths. `without`: a selector of what is not ours.
 */
export async function lookFaults(page: Page, without?: string): Promise<string[]> {
  const faults: string[] = [];
  // First as wide as it is: a page that is made narrower or wider is drawn anew.
  const widths = page.viewportSize()?.width === 1280 ? [1280, 320] : [320, 1280];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    const excess = await overflow(page);
    if (excess !== 0) faults.push(`${width} pixels: ${excess} too wide`);
    faults.push(...(await axeFindings(page, without)).map((finding) => `${width} pixels: ${finding}`));
  }
  return faults;
}

/** By how many pixels the page is wider than the screen. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}
