/** A heading of a page of Markdown, and the text below it up to the next heading. */
export interface Section {
  /** The anchor of its heading, as GitHub makes it. */
  readonly id: string;
  /** The Markdown of its heading. */
  readonly heading: string;
  /** 1 to 6. */
  readonly depth: number;
  /** The Markdown below its heading. */
  readonly text: string;
}

/** The sections of a page of Markdown, in order. Text before the first heading is left out. */
export function sectionsIn(markdown: string): readonly Section[] {
  const found: { id: string; heading: string; depth: number; lines: string[] }[] = [];
  let isCode = false;
  for (const line of markdown.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode;
    const [, marks, heading = ''] = isCode ? [] : (/^(#{1,6}) (.*)$/.exec(line) ?? []);
    if (marks === undefined) found.at(-1)?.lines.push(line);
    else found.push({ id: freeAnchor(heading, found), heading, depth: marks.length, lines: [] });
  }
  return found.map(({ lines, ...section }) => ({ ...section, text: lines.join('\n') }));
}

/** Pieces of a section's text: each rule that begins with its number (`**T5b The alarm.**`), and the text before the first one. */
export function rulesIn(text: string): readonly { readonly rule: string | null; readonly text: string }[] {
  return text.split(/^(?=(?:- )?\*\*[A-Z]{1,2}\d+[a-z]?\b)/m).map((piece) => {
    const [, rule = null] = /^(?:- )?\*\*([A-Z]{1,2}\d+[a-z]?)\b/.exec(piece) ?? [];
    return { rule, text: piece };
  });
}

/** The anchor of a heading, as GitHub makes it. Repeated headings get numbers. */
export function freeAnchor(heading: string, before: readonly { readonly id: string }[]): string {
  const plain = heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
  const taken = before.filter(({ id }) => id === plain || id.replace(/-\d+$/, '') === plain).length;
  return taken === 0 ? plain : `${plain}-${taken}`;
}
