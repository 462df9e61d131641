/**
 * Whether an Accept header takes a media type in UTF-8 (rules.md E7). Only two parameters count: `charset`, which must be UTF-8, and `q`.
 * The most specific range decides; among equally specific ones, one that accepts is enough. A header without ranges accepts everything.
 */
export function acceptsType(header: string | undefined, type: string): boolean {
  const ranges = splitOutsideQuotes(header ?? '', ',').flatMap((text) => (text.trim() === '' ? [] : [rangeIn(text)]));
  if (ranges.length === 0) return true;
  const matching = ranges.flatMap((range) => {
    const specificity = specificityOf(range, type);
    return specificity === 0 ? [] : [{ specificity, isTaken: range.isTaken }];
  });
  const highest = Math.max(...matching.map(({ specificity }) => specificity));
  return matching.some(({ specificity, isTaken }) => specificity === highest && isTaken);
}

interface MediaRange {
  /** Lower case, such as `application/*`. */
  readonly name: string;
  /** Lower case; null: the range names none. */
  readonly charset: string | null;
  /** False for `q=0`. */
  readonly isTaken: boolean;
}

function rangeIn(text: string): MediaRange {
  const [name = '', ...parameters] = splitOutsideQuotes(text, ';').map((part) => part.trim().toLowerCase());
  const values = new Map(parameters.map(parameterIn));
  const weight = values.get('q') ?? '';
  return { name, charset: values.get('charset') || null, isTaken: weight === '' || Number(weight) !== 0 };
}

/** Name and value of `name=value` or `name="value"`. */
function parameterIn(text: string): readonly [string, string] {
  const end = text.indexOf('=');
  if (end < 0) return [text, ''];
  const value = text.slice(end + 1).trim();
  const isQuoted = value.length > 1 && value.startsWith('"') && value.endsWith('"');
  return [text.slice(0, end).trim(), isQuoted ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value];
}

/** How exactly a range names the type, from 1 to 4; 0: the range does not contain the type in UTF-8. */
function specificityOf({ name, charset }: MediaRange, type: string): number {
  if (charset !== null && charset !== 'utf-8' && charset !== 'utf8') return 0;
  if (name === type) return charset === null ? 3 : 4;
  if (name === `${type.slice(0, type.indexOf('/'))}/*`) return 2;
  // Old Java clients send a single `*`.
  return name === '*/*' || name === '*' ? 1 : 0;
}

function splitOutsideQuotes(text: string, separator: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    if (isQuoted && text[at] === '\\') at += 1;
    else if (text[at] === '"') isQuoted = !isQuoted;
    else if (!isQuoted && text[at] === separator) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  parts.push(text.slice(start));
  return parts;
}
