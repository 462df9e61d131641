/** The word with the fewest edits to `wanted` (Levenshtein); for messages that name the nearest right one. */
export function nearest(wanted: string, words: readonly string[]): string {
  const ranked = words.map((word) => ({ word, edits: editDistance(wanted, word) }));
  return ranked.reduce((best, each) => (each.edits < best.edits ? each : best)).word;
}

function editDistance(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (const [row, character] of Array.from(left).entries()) {
    const current = [row + 1];
    for (let column = 1; column <= right.length; column += 1) {
      const substituted = (previous[column - 1] ?? 0) + (right[column - 1] === character ? 0 : 1);
      current.push(Math.min(substituted, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[right.length] ?? 0;
}
