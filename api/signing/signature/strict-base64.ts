/**
 * Decodes canonical base64: standard alphabet, padded, no blanks, not empty (rules.md G5). Null for anything else.
 * `Buffer.from` alone ignores junk, and two spellings would give the same bytes.
 */
export function decodeStrictBase64(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64');
  return text !== '' && bytes.toString('base64') === text ? bytes : null;
}
