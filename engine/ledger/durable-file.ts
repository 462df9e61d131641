import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

export const isWindows: boolean = process.platform === 'win32';

/**
 * Writes a small file for its owner only, and returns when it is on the disk (docs/spec/control-plane.md K18d): after a power cut the old
 * file or the new one is there, whole. Throws the errors of the file system.
 */
export function writeDurably(path: string, text: string): void {
  const partial = `${path}.partial`;
  writeFileSync(partial, text, { mode: 0o600, flush: true });
  renameSync(partial, path);
  syncFolder(dirname(path));
}

/** Returns when the names in a folder are on the disk. */
export function syncFolder(folder: string): void {
  // Windows opens no folder, and its file system keeps the order of names itself.
  if (isWindows) return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
