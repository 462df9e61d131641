import { markdownLines } from './markdown.ts';

/** Something that the interface document says, by its heading and a key that a row of the coverage begins with. */
export interface Item {
  readonly section: string;
  readonly key: string;
}

/**
 * Everything in docs/spec/interface.md that can be shown: rows of its tables (one for each header, and for each method of
 * an operation), numbered rules, points of its lists, names written as code in its paragraphs, and error codes that a
 * table only lists. A section that has none of these is one item, named like its heading.
 */
export function interfaceItems(document: string): readonly Item[] {
  const items = new Map<string, Item>();
  const sections = new Set<string>();
  for (const { section, kind, text, cells, columns } of markdownLines(document.slice(document.indexOf('\n## ')))) {
    sections.add(section);
    const keys = kind === 'row' ? keysOfRow(columns, cells) : kind === 'text' ? codeSpans(text) : keysOfPoint(text);
    // Its points name the members of records that have no table.
    if (section === 'Other resources') keys.push(...codeSpans(text));
    for (const key of keys) items.set(`${section}|${key}`, { section, key });
  }
  for (const code of listedCodes(document)) {
    const section = 'Error codes and HTTP statuses';
    items.set(`${section}|${code}`, { section, key: code });
  }
  const told = new Set([...items.values()].map(({ section }) => section));
  const silent = [...sections].filter((section) => !told.has(section)).map((section) => ({ section, key: section }));
  return [...items.values(), ...silent];
}

/** Tables differ in what a row of theirs is called by. */
function keysOfRow(columns: readonly string[], cells: readonly string[]): string[] {
  const [first = '', second = '', , fourth = ''] = cells.map(plain);
  if (columns[0] === 'Method') {
    return first.split(', ').flatMap((method) => second.split(' and ').map((path) => `${method} ${path}`));
  }
  if (columns[0] === 'From') return [`${first} -> ${fourth}: ${second}`];
  if (columns[0] === 'Limit') return [second === '' ? first : `${first}: ${second}`];
  return columns[0] === 'Header' ? first.split(', ') : [first];
}

/** `7.` of a numbered rule; the first four words of another point; nothing of a list of currency or country codes. */
function keysOfPoint(text: string): string[] {
  const number = /^\d+\./.exec(text)?.[0];
  if (number !== undefined) return [number];
  const words = plain(text.replace(/^- /, '')).split(' ');
  return words.every((word) => /^[A-Z]{2,3}$/.test(word)) ? [] : [words.slice(0, 4).join(' ')];
}

/** The codes of the TPP message, some of which the error table leaves out. */
function listedCodes(document: string): string[] {
  const row = /^\| code \| string \| yes \| one of ([^|]*) \|$/m.exec(document)?.[1] ?? '';
  return row.split(', ');
}

function codeSpans(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
}

function plain(text: string): string {
  return text.replaceAll('`', '').trim();
}
