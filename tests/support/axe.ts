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
  await page.evaluate(source);
  const context = without === undefined ? 'document' : `{ exclude: ${JSON.stringify([without])} }`;
  const { violations } = await page.evaluate<Found>(`axe.run(${context}, { resultTypes: ['violations'] })`);
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
