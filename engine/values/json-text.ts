/** The value of a JSON text, or `other` for a text that is no JSON. */
export function jsonOr(text: string, other: unknown): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return other;
  }
}
