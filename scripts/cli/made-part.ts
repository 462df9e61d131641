import { Mistake } from '../../engine/values/mistake.ts';
const [begin, end] = ['<!-- Made by `npm run generate` -->', '<!-- By hand again -->'];

/**
 * A page with this text between its two comments. The rest of the page is written by hand. Throws a Mistake for a page
 * without them.
 */
export function withMadePart(page: string, made: string): string {
  const [before, after] = [page.indexOf(begin), page.indexOf(end)];
  if (before < 0 || after < before) throw new Mistake(`a page lacks ${begin} or ${end}`);
  return `${page.slice(0, before + begin.length)}\n\n${made}\n\n${page.slice(after)}`;
}
