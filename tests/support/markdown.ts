import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface MarkdownLine {
  /** The nearest heading above it, without its number signs and backticks. */
  readonly section: string;
  readonly kind: 'row' | 'point' | 'text';
  readonly text: string;
  /** Of a row of a table; the row of headings and the rule below it are none. */
  readonly cells: readonly string[];
  readonly columns: readonly string[];
}

/** A document line by line, as far as our own pages go: headings, tables, lists and paragraphs. */
export function markdownLines(document: string): readonly MarkdownLine[] {
  const lines: MarkdownLine[] = [];
  let section = '';
  let columns: readonly string[] = [];
  for (const line of document.split('\n')) {
    const text = line.trim();
    const heading = /^#+ (.*)$/.exec(text)?.[1];
    if (heading !== undefined) section = heading.replaceAll('`', '');
    const cells = text.startsWith('|') ? cellsOf(text) : [];
    const isRow = cells.length > 0 && columns.length > 0;
    if (cells.length === 0) columns = [];
    else if (columns.length === 0) columns = cells;
    if (isRow && !/^[|: -]+$/.test(text)) lines.push({ section, kind: 'row', text, cells, columns });
    else if (/^(?:- |\d+\. )/.test(text)) lines.push({ section, kind: 'point', text, cells, columns });
    else if (heading === undefined && text !== '' && cells.length === 0) {
      lines.push({ section, kind: 'text', text, cells, columns });
    }
  }
  return lines;
}

function cellsOf(row: string): readonly string[] {
  return row
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
}

/** A fenced block of a page. */
export interface PageBlock {
  /** The nearest heading above it, without its number signs. */
  readonly section: string;
  /** The word after the fence: `sh`, `js`, `text`; empty where there is none. */
  readonly language: string;
  readonly text: string;
  /** Line of its fence, from 1. */
  readonly line: number;
}

/** The paths of a page of the guide and of those that its folder holds: `docs/tests.md`, `docs/tests/time.md` and so on. */
export function pagesOf(name: string): readonly string[] {
  return [`docs/${name}.md`, ...readdirSync(`docs/${name}`).map((file) => `docs/${name}/${file}`)];
}

/**
 * The paths of the pages that a user reads: those beside README.md and those of docs, but its spec and decisions, and the pages
 * of scenarios, which tests/catalogue/pages.test.ts runs.
 */
export function guidePages(): readonly string[] {
  const inDocs = readdirSync('docs', { recursive: true, encoding: 'utf8' }).map((name) => join('docs', name));
  return [...readdirSync('.'), ...inDocs.filter((path) => !/^docs\/(?:spec|decisions|scenarios)\//.test(path))]
    .filter((path) => path.endsWith('.md'))
    .toSorted();
}

/** The fenced blocks of a page in order. */
export function pageBlocks(path: string): readonly PageBlock[] {
  const blocks: PageBlock[] = [];
  let section = '';
  let open: { language: string; line: number; lines: string[] } | null = null;
  for (const [index, line] of readFileSync(path, 'utf8').split('\n').entries()) {
    const [, fence] = /^```(.*)$/.exec(line) ?? [];
    if (open !== null && fence !== undefined) {
      const { language, lines, line: first } = open;
      blocks.push({ section, language, text: lines.join('\n'), line: first });
      open = null;
    } else if (open !== null) open.lines.push(line);
    else if (fence !== undefined) open = { language: fence.trim(), line: index + 1, lines: [] };
    else section = /^#+ (.*)$/.exec(line)?.[1] ?? section;
  }
  return blocks;
}
