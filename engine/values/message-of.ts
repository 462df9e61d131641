/**
 * The message of what was thrown. Not by `instanceof`: an error of another realm has one too, as under jest those of
 * better-sqlite3 have.
 */
export function messageOf(thrown: unknown): string {
  const { message } = Object(thrown) as { readonly message?: unknown };
  return typeof message === 'string' ? message : String(thrown);
}
