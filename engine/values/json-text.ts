/** The value of a JSON text, or `other` for a text that is no JSON. */
export function jsonOr(text: string, other: unknown): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return other;
  }
}

/** A UTF-16 unit as JSON and JavaScript may write it: `\u00e5`. */
export function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** The same JSON or JavaScript in ASCII, which Node reads faster: a byte is a character. */
export function inAscii(text: string): string {
  return text.replaceAll(/[^\0-\x7f]/g, escaped);
}
