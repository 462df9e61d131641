import { oneLine } from '../../engine/values/text.ts';
import { Refusal } from '../../engine/values/fault.ts';
import { formatValue } from '../bodies/format-value.ts';

const decoder = new TextDecoder('utf-8', { fatal: true });
const maxReason = 200;

/**
 * Parses a JSON body. Throws a Refusal (FORMAT_ERROR) when it is empty, not UTF-8, not JSON, nested deeper than 64 levels,
 * or has a repeated member, a member `__proto__` or more than 1000 members in one object.
 */
export function parseJson(body: Uint8Array): unknown {
  if (body.length === 0) throw refusal('The body is empty. Send a JSON body, as application/json.');
  const text = decode(body);
  if (text.trim() === '[object Object]') {
    throw refusal(
      'The body is the text [object Object]: an object was written as text. Send it through JSON.stringify.',
    );
  }
  const fault = jsonShapeFault(text);
  if (fault !== null) throw refusal(fault);
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const reason = error instanceof Error ? oneLine(error.message, maxReason) : 'no reason given';
    throw refusal(`The body is not JSON: ${reason}. Correct it and send it again.`);
  }
}

function decode(body: Uint8Array): string {
  try {
    return decoder.decode(body);
  } catch {
    throw refusal('The body is not UTF-8. Encode it as UTF-8.');
  }
}

function refusal(text: string): Refusal {
  return new Refusal({ code: 'FORMAT_ERROR', text });
}

const maxDepth = 64;
/** Maximum number of members of one object: more than any body of the interface has. */
const maxMembers = 1000;
const blanks = /[ \t\r\n]*/y;

/**
 * Finds what JSON.parse accepts and the bank refuses: nesting deeper than 64 levels, more than 1000 members in one object, a repeated
 * member (the last would win silently), and `__proto__` (a copy would take it as its prototype). Null: the text has none of these.
 * Reads any text, JSON or not, once and without recursion.
 */
function jsonShapeFault(text: string): string | null {
  const open: Set<string>[] = [];
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '{' || character === '[') {
      open.push(new Set());
      if (open.length > maxDepth) return `The body is nested deeper than ${maxDepth} levels. Flatten it.`;
    } else if (character === '}' || character === ']') {
      open.pop();
    } else if (character === '"') {
      const end = endOfString(text, at);
      const fault = nameFault(text, at, end, open.at(-1));
      if (fault !== null) return fault;
      at = end;
    }
  }
  return null;
}

/** Index of the closing quote, or the end of the text. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

function nameFault(text: string, start: number, end: number, names: Set<string> | undefined): string | null {
  blanks.lastIndex = end + 1;
  blanks.exec(text);
  if (names === undefined || text[blanks.lastIndex] !== ':') return null;
  const name = unescaped(text.slice(start, end + 1));
  if (name === '__proto__') return 'No member may be named "__proto__". Leave it out.';
  if (names.has(name)) return `The member ${formatValue(name)} is there twice in one object. Send it once.`;
  names.add(name);
  if (names.size > maxMembers) return `One object has more than ${maxMembers} members. Send those of the interface.`;
  return null;
}

/** Decodes a name: `"a"` and `"\u0061"` are the same. Text that is no JSON string is returned unchanged. */
function unescaped(quoted: string): string {
  if (!quoted.includes('\\')) return quoted.slice(1, -1);
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted;
  }
}
