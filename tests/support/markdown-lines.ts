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
