/**
 * The bytes of canonical base64: standard alphabet, padded, no blanks, not empty (rules.md G5). Null for
 * anything else: `Buffer.from` alone ignores junk and would let two spellings mean one value.
 */
export function decodeStrictBase64(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64');
  return text !== '' && bytes.toString('base64') === text ? bytes : null;
}
