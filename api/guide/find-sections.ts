import MiniSearch from 'minisearch';
import { once } from '../../engine/values/once.ts';
import { sectionsIn, guidePages, pageText, piecesOf, placeOfAnchor, withoutUsers } from './guide-files.ts';

/** A section of the guide, or a rule of the specification in one. */
export interface FoundSection {
  /** Path of its page: `spec/rules`. */
  readonly page: string;
  /** Where it is shown, with its anchor: `spec/rules/t-time#t5b`. */
  readonly place: string;
  /** Its heading after the title of the page. */
  readonly heading: string;
  /** The beginning of its text, without marks of Markdown and without blocks of code if it has other text. */
  readonly about: string;
}

/** Maximum length of `about`, in characters. */
const maxAbout = 300;

/** Options of the index. Loading it from JSON needs the same ones. */
export const indexOptions = {
  fields: ['own', 'heading', 'text'] as string[],
  storeFields: ['page', 'place', 'heading', 'about'] as string[],
  searchOptions: { prefix: true, fuzzy: 0.12, boost: { own: 4 }, combineWith: 'AND' },
} as const;

interface Entry extends FoundSection {
  readonly id: number;
  readonly own: string;
  readonly text: string;
}

/** The entries of the index: one for each section and each rule. */
export async function guideEntries(): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  for (const page of await guidePages())
    for (const { id, heading, text } of sectionsIn(await pageText(page.path)))
      for (const { rule, text: piece } of piecesOf(page.path, text)) {
        const shown = withoutUsers(piece);
        const own = plain(rule === null ? heading : (/\*\*(.+?)\*\*/s.exec(shown)?.[1] ?? rule));
        const words = plain(shown);
        const told = plain(shown.replaceAll(/^```[^]*?^```$/gm, '')) || words;
        entries.push({
          id: entries.length,
          page: page.path,
          place: `${placeOfAnchor(page, id)}#${rule === null ? id : rule.toLowerCase()}`,
          heading: own === page.title ? own : `${page.title}: ${own.replace(/\.$/, '')}`,
          own,
          text: words,
          about: (told.startsWith(own) ? told.slice(own.length).trim() : told).slice(0, maxAbout),
        });
      }
  return entries;
}

const guideIndex = once(async (): Promise<MiniSearch> => {
  const index = new MiniSearch(indexOptions);
  // In pieces: other requests are answered meanwhile.
  await index.addAllAsync(await guideEntries(), { chunkSize: 20 });
  return index;
});

/**
 * Sections of the guide that have all words of a text, or words that begin with them; the best first, at most `limit`. Single letters are
 * ignored. `orSome`: if no section has all words, sections with some of them.
 */
export async function findSections(text: string, limit: number, orSome: boolean): Promise<readonly FoundSection[]> {
  const words = text.match(/[\p{L}\p{N}]{2,}/gu)?.join(' ') ?? '';
  if (words === '') return [];
  const index = await guideIndex();
  const all = index.search(words);
  const found = all.length > 0 || !orSome ? all : index.search(words, { combineWith: 'OR' });
  return found
    .slice(0, limit)
    .map(({ page, place, heading, about }): FoundSection => ({ page, place, heading, about }));
}

/** Markdown as words. */
function plain(markdown: string): string {
  return markdown
    .replaceAll(/!?\[([^\][]{1,400})\]\([^)\s]{1,300}\)/g, '$1')
    .replaceAll(/^```.*$|^\|[-| :]+\|$|^ *- |^\| | \|$|^<!--.*-->$/gm, ' ')
    .replaceAll(' | ', ' · ')
    .replaceAll(/<(https?:[^<>\s]{1,300})>|\\([_*<>[\]])/g, '$1$2')
    .replaceAll(/[*`|]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
