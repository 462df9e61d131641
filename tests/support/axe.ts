import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { isWhole, oneOf, sameSample } from './sample.ts';

/** The minified file: the module's own text is three times as long to send to a page. */
const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** How axe is run: it reads no style sheet again, as only rules that are off by themselves ask for that. */
const options = { resultTypes: ['violations'], preload: { assets: ['media'] } };

/** What axe finds wrong with the page as it is now, as `rule: markup`. `without`: a selector of what is not ours. */
async function axeFindings(page: Page, without?: string): Promise<string[]> {
  if (await page.evaluate<boolean>("typeof axe === 'undefined'")) await page.evaluate(source);
  const context = without === undefined ? 'document' : `{ exclude: ${JSON.stringify([without])} }`;
  return page.evaluate<string[]>(
    `axe.run(${context}, ${JSON.stringify(options)}).then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))`,
  );
}

/** Links and buttons that are too small to touch, and too near to others (WCAG 2.5.8), which axe looks for if it is asked to. */
export async function smallTargets(page: Page): Promise<string[]> {
  await page.evaluate(source);
  const only = { runOnly: { type: 'rule', values: ['target-size'] }, resultTypes: ['violations'] };
  return page.evaluate<string[]>(
    `axe.run(document, ${JSON.stringify(only)}).then(({ violations }) =>
      violations.flatMap(({ nodes }) => nodes.map(({ html }) => html)))`,
  );
}

/** The widths of a phone and of a desk, in pixels. */
export const widths: readonly number[] = [320, 1280];

/** How a page is looked at. */
interface Look {
  readonly width: number;
  readonly colours: 'light' | 'dark';
}

/** Narrow and wide, by day and by night. */
export const looks: readonly Look[] = widths.flatMap((width) =>
  (['light', 'dark'] as const).map((colours) => ({ width, colours })),
);

/**
 * What is wrong with how the page looks on a phone and on a desk, light and dark: that it is wider than the screen, and what axe finds. Axe
 * takes most of the time: it looks in one of the four ways, drawn for the title of the page, and in all under `SAMPLE=all`; faults
 * of a sample end with how to draw it again. The page is left light, in one of these widths. `without`: a selector of what is not ours.
 */
export async function lookFaults(page: Page, without?: string, forAxe?: readonly Look[]): Promise<string[]> {
  const faults: string[] = [];
  const drawn = forAxe ?? oneOf(await page.title(), looks);
  // First as wide as it is: a page that is made narrower or wider is drawn anew.
  for (const width of page.viewportSize()?.width === 1280 ? widths.toReversed() : widths) {
    await page.setViewportSize({ width, height: 900 });
    const excess = await overflow(page);
    if (excess !== 0) faults.push(`${width} pixels: ${excess} too wide`);
    for (const { colours } of drawn.filter((look) => look.width === width)) {
      await page.emulateMedia({ colorScheme: colours });
      faults.push(...(await axeFindings(page, without)).map((finding) => `${width} pixels, ${colours}: ${finding}`));
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  if (faults.length > 0 && forAxe === undefined && !isWhole) faults.push(sameSample);
  return faults;
}

/** By how many pixels the page is wider than the screen. */
export async function overflow(page: Page): Promise<number> {
  // A page that is just being replaced has no element yet.
  await page.locator('body').waitFor({ state: 'attached' });
  return page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}
