import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

/** The minified file: the module's own text is three times as long to send to a page. */
const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Found {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
}

/** What axe finds wrong with the page as it is now, as `rule: markup`. `without`: a selector of what is not ours. */
export async function axeFindings(page: Page, without?: string): Promise<string[]> {
  const context = without === undefined ? 'document' : `{ exclude: ${JSON.stringify([without])} }`;
  const run = `axe.run(${context}, { resultTypes: ['violations'] })`;
  // A document that was looked at before has it.
  const again = await page.evaluate<Found | null>(`typeof axe === 'undefined' ? null : ${run}`);
  const { violations } = again ?? (await page.evaluate<Found>(`${source};${run}`));
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
