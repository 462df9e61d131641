/** The message of what was thrown. Not by `instanceof`: an error of another realm is one too, as under jest those of better-sqlite3 are. */
export function messageOf(thrown: unknown): string {
  const { message = thrown } = Object(thrown) as { readonly message?: unknown };
  return String(message);
}
