import { readdir } from 'node:fs/promises';

/** What a failed save or restore left beside a ledger: half-made copies, and databases that never got their name. */
export async function leftBehind(ledger: string): Promise<string[]> {
  const names = await readdir(`${ledger}.snapshots`).catch(() => []);
  return names.filter((name) => !/@-?\d+\.sqlite(\.copy)?$/.test(name));
}
