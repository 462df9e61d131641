/** The words of a text, split at blanks, as a union of literal types. */
export type Word<Text extends string, Words = never> = Text extends `${infer First} ${infer Rest}`
  ? Word<Rest, Words | First>
  : Words | Text;

/** The words of every line, in order. Code lists stay as short in the source as they are in the interface. */
export function words<const Text extends string>(lines: readonly Text[]): readonly Word<Text>[] {
  return lines.flatMap((line) => line.split(' ')) as Word<Text>[];
}
