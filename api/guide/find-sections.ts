import { readFile } from 'node:fs/promises';
import MiniSearch, { type SearchOptions } from 'minisearch';
import { inAscii } from '../../engine/values/json-text.ts';
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

/** The stem of a word: payments and payment, settled and settles are one. */
function stemOf(word: string): string {
  const small = word.toLowerCase();
  return small.replace(/(?<=\w{3})(?:ies|y)$/, 'i').replace(/(?<=\w\w[^s])(?:es|s|ed|ing|e)$/, '');
}

/** Options of the index. Loading it needs the same ones. */
const options = {
  fields: ['own', 'heading', 'text'] as string[],
  processTerm: stemOf,
};

/** How many letters of a word may differ, as a part of its length. */
function fuzzyPart(term: string): number {
  return term.length > 5 ? 0.15 : 0;
}

/**
 * The index with the terms that a search for these words can meet: loading all takes longer than the rest of a first
 * search.
 */
function indexOf([rest = '', ...lines]: readonly string[], words: string): MiniSearch {
  const tokens = MiniSearch.getDefault('tokenize') as (text: string) => readonly string[];
  // A word in which at most n letters differ has one of n + 1 parts as it is; so has one that begins with it.
  const parts = tokens(words).flatMap((token) => {
    const term = stemOf(token);
    const count = Math.round(term.length * fuzzyPart(term)) + 1;
    const ends = Array.from({ length: count + 1 }, (_, at) => Math.round((term.length * at) / count));
    return ends.slice(1).map((end, at) => inAscii(term.slice(ends[at], end)));
  });
  const met = lines.filter((line) => {
    const term = line.slice(0, line.indexOf(','));
    return parts.some((part) => part !== '' && term.includes(part));
  });
  return MiniSearch.loadJSON(
    rest.replace('"index":[]', () => `"index":[${met.join(',')}]`),
    options,
  );
}

/** The words of a text that a search looks for: not `how` and its like, and no single letters. */
export function askedWords(text: string): readonly string[] {
  const ignored =
    'a about am an and any are as at bank be been but by calculate can could did do does for from get got had has have how if in into is it its me mean my need no not of off on or our please sandbank sandbox should so some still than that the their them then there these they this those to up us use was we were what when where which who why will with would you your'.split(
      ' ',
    );
  return (text.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? []).filter((word) => !ignored.includes(word));
}

/**
 * Sections that answer a text, the best first: those with more of its {@link askedWords}, in the guide rather than in
 * the specification, a scenario or a made page. `synonyms` name what the guide calls something.
 */
function ranked([sections = [], lines = []]: readonly (readonly string[])[], text: string): readonly FoundSection[] {
  const synonyms = [
    ['rate limit', 'unattended reads'],
    ['generate client', 'openapi document'],
    ['rjct', 'rejected statuses'],
    ['accp', 'attempts'],
    ['idempoten', 'call sent again'],
    ['holiday', 'closed days'],
    ['insufficient', 'without funds'],
    ['paginat', 'dates pages ids'],
    ['cut off', 'cut-off'],
    ['notification', 'event stream'],
    ['webhook', 'event stream'],
    ['docker', 'image'],
    ['timeout', 'time-outs'],
    ['id changes', 'reissued-ids new id'],
    ['url', 'address'],
    ['bank breaks', 'the gauntlet your own tests'],
    ['banks break', 'the gauntlet your own tests'],
  ];
  const weights = [
    [/^spec\//, 0.2],
    [/^(scenarios|skills)\//, 0.4],
    [/^(tests(\/.*)?|errors)$/, 0.7],
    [/^(README|banks|commands|differences|drift|habits|life|scenarios)$/, 0.6],
    [/^(gauntlet|how-we-know|persona)$/, 0.1],
  ] as const;
  const small = text.toLowerCase();
  const words = askedWords(text);
  const other = synonyms.flatMap(([phrase = '', meant = '']) => (small.includes(phrase) ? [meant] : [])).join(' ');
  const weighed: SearchOptions = {
    combineWith: 'OR',
    prefix: true,
    fuzzy: fuzzyPart,
    boost: { own: 3, heading: 2 },
    weights: { fuzzy: 0.2, prefix: 0.4 },
  };
  const index = indexOf(lines, `${words.join(' ')} ${other}`);
  const found = new Map<unknown, { section: FoundSection; score: number }>();
  for (const [asked, part] of [
    [words.join(' '), 1],
    [other, 0.5],
  ] as const)
    for (const { id, score, queryTerms } of index.search(asked, weighed)) {
      const section = found.get(id)?.section ?? (JSON.parse(sections[id as number] ?? '') as FoundSection);
      const share = part === 1 ? (new Set(queryTerms).size / words.length) ** 1.5 : part;
      const weight = weights.find(([pages]) => pages.test(section.page))?.[1] ?? 1;
      found.set(id, { section, score: (found.get(id)?.score ?? 0) + score * share * weight });
    }
  return [...found.values()].sort((one, next) => next.score - one.score).map(({ section }) => section);
}

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

/** The index of the guide, beside the package's program. */
export const builtIndex = 'guide-index.txt';

/**
 * Makes an index of the guide in pieces, so that other requests are answered meanwhile. Its lines are JSON in ASCII, as
 * a search reads all and parses few: a {@link FoundSection} for each entry in the order of their ids, an empty line,
 * the index of MiniSearch without its terms, and each term.
 */
export async function makeIndex(): Promise<string> {
  const made = new MiniSearch(options);
  const entries = await guideEntries();
  await made.addAllAsync(entries, { chunkSize: 20 });
  const { index, ...rest } = made.toJSON();
  const sections = entries.map(({ page, place, heading, about }) => ({ page, place, heading, about }));
  const lines = [sections, [{ ...rest, index: [] }, ...index]].map((part) =>
    part.map((value) => JSON.stringify(value)).join('\n'),
  );
  return inAscii(lines.join('\n\n'));
}

/** The lines of the sections, and those of the index. The package has them; the sources make them on first use. */
const guideIndex = once(async () => {
  const built = await readFile(new URL(`../../${builtIndex}`, import.meta.url), 'latin1').catch(makeIndex);
  return built.split('\n\n').map((part) => part.split('\n'));
});

/** Sections of the guide that answer a text, the best first, at most `limit`. */
export async function findSections(text: string, limit: number): Promise<readonly FoundSection[]> {
  return ranked(await guideIndex(), text).slice(0, limit);
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
