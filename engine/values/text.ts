/** How much of a received value a text repeats, in UTF-16 units. */
const usual = 80;

/** A text of at most `limit` UTF-16 units, with `…` at the end of one that was longer; never half a character. */
export function clip(text: string, limit = usual): string {
  if (text.length <= limit) return text.toWellFormed();
  return `${text.slice(0, limit - 1).replace(/[\uD800-\uDBFF]$/, '')}…`.toWellFormed();
}

/** A clipped text in quotation marks, as JSON writes it: nothing in it breaks a line. */
export function quote(text: string, limit = usual): string {
  return JSON.stringify(clip(text, limit)).replace(/[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu, escaped);
}

/** A clipped text as one line that reads the same everywhere: what steers a terminal or ends a line is written out. */
export function oneLine(text: string, limit = usual): string {
  return clip(text, limit).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escaped);
}

function escaped(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/** The text without that character at its end, however often it stands there. */
export function withoutTrailing(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end -= 1;
  return text.slice(0, end);
}

/** The words of a text, split at blanks, as a union of literal types. */
export type Word<Text extends string, Words = never> = Text extends `${infer First} ${infer Rest}`
  ? Word<Rest, Words | First>
  : Words | Text;

/** The words of every line, in order. Code lists stay as short in the source as they are in the interface. */
export function words<const Text extends string>(lines: readonly Text[]): readonly Word<Text>[] {
  return lines.flatMap((line) => line.split(' ')) as Word<Text>[];
}
