import { existsSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { syncFolder } from '../../engine/open-bank.ts';
import { dirname } from 'node:path';

/**
 * Creates a folder and its parents, for their owner only, and syncs their names. Node's own `recursive` never ends
 * below /proc. Rejects with the error of mkdir.
 */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
    syncFolder(dirname(path));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && (await stat(path)).isDirectory()) return;
    if (code !== 'ENOENT' || dirname(path) === path || existsSync(dirname(path))) throw error;
    await makeFolder(dirname(path));
    await makeFolder(path);
  }
}
