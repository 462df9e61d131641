/**
 * A certificate serial as this project writes it: upper-case hexadecimal without leading zeros (rules.md G3: case
 * and leading zeros mean nothing). Null when the text is not hexadecimal.
 */
export function normaliseSerial(text: string): string | null {
  if (!/^[0-9a-f]+$/i.test(text)) return null;
  return text.replace(/^0+(?=.)/, '').toUpperCase();
}
