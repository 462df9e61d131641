/**
 * The word that `wanted` probably means, for messages: the one with the fewest edits, at most about a third of its
 * length, else one that begins with it or has it between hyphens. Returns null if no word is near. Case does not count.
 */
export function nearest(wanted: string, words: readonly string[]): string | null {
  const asked = wanted.toLowerCase();
  let best: { readonly word: string; readonly edits: number } | null = null;
  for (const word of words) {
    const maxEdits = Math.floor((Math.max(asked.length, word.length) + 1) / 3);
    if (Math.abs(asked.length - word.length) > maxEdits) continue;
    const edits = editDistance(asked, word.toLowerCase());
    if (edits <= maxEdits && (best === null || edits < best.edits)) best = { word, edits };
  }
  if (best !== null || asked.length < minStart) return best?.word ?? null;
  const begins = words.find((word) => word.toLowerCase().startsWith(asked));
  return begins ?? words.find((word) => word.toLowerCase().split('-').includes(asked)) ?? null;
}

/** Minimum length of the beginning of a word that names the word. */
const minStart = 3;

/** Letters to insert, remove, replace or swap with the next one (optimal string alignment). */
function editDistance(left: string, right: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const replaced = (previous[column - 1] ?? 0) + (right[column - 1] === left[row - 1] ? 0 : 1);
      const swaps = row > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      const swapped = swaps ? (before[column - 2] ?? 0) + 1 : replaced;
      current.push(Math.min(replaced, swapped, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    [before, previous] = [previous, current];
  }
  return previous[right.length] ?? 0;
}
