import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { oneOf } from './sample.ts';

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

/** The widths of a phone and of a desk, in pixels. */
export const widths: readonly number[] = [320, 1280];

/**
 * What is wrong with how the page looks on a phone and on a desk: that it is wider than the screen, and what axe finds. Axe takes most of
 * the time: it looks in one of the two widths, drawn for the title of the page, and in both under `SAMPLE=all`. The page is left in one of
 * these widths. `without`: a selector of what is not ours.
 */
export async function lookFaults(page: Page, without?: string, forAxe?: readonly number[]): Promise<string[]> {
  const faults: string[] = [];
  const drawn = forAxe ?? oneOf(await page.title(), widths);
  // First as wide as it is: a page that is made narrower or wider is drawn anew.
  for (const width of page.viewportSize()?.width === 1280 ? widths.toReversed() : widths) {
    await page.setViewportSize({ width, height: 900 });
    const excess = await overflow(page);
    if (excess !== 0) faults.push(`${width} pixels: ${excess} too wide`);
    if (!drawn.includes(width)) continue;
    faults.push(...(await axeFindings(page, without)).map((finding) => `${width} pixels: ${finding}`));
  }
  return faults;
}

/** By how many pixels the page is wider than the screen. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}
