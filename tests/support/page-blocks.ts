import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

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

/** The paths of the pages that a user reads: those beside README.md and those of docs, but its spec and decisions. */
export function guidePages(): readonly string[] {
  const inDocs = readdirSync('docs', { recursive: true, encoding: 'utf8' }).map((name) => join('docs', name));
  return [...readdirSync('.'), ...inDocs.filter((path) => !/^docs\/(?:spec|decisions)\//.test(path))]
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
