import {
  closeSync,
  fsyncSync,
  lstatSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { Mistake } from '../values/mistake.ts';

export const isWindows: boolean = process.platform === 'win32';

/**
 * Writes a small file for its owner only, and returns when it is on the disk (docs/spec/control-plane.md K18d): after a
 * power cut the old file or the new one is there, whole. Throws the errors of the file system.
 */
export function writeDurably(path: string, text: string): void {
  putWhole(path, text, 0o600);
  syncFolder(dirname(path));
}

/** Puts a file in its place, whole. What is there under another name is neither removed nor followed. */
function putWhole(path: string, content: string | Uint8Array, mode = 0o666): void {
  const partial = makePartial(path, mode);
  try {
    writeFileSync(partial, content, { flush: true, flag: 'r+' });
    renameSync(partial, path);
  } catch (error) {
    // A part takes room on a full disk.
    rmSync(partial, { force: true });
    throw error;
  }
}

/**
 * Makes an empty file beside this one and returns its path, `FILE.0.partial` or the next name that nobody has: what is
 * there stays.
 */
export function makePartial(path: string, mode: number): string {
  for (let count = 0; ; count += 1) {
    const partial = `${path}.${count}.partial`;
    try {
      closeSync(openSync(partial, 'wx', mode));
      return partial;
    } catch (error) {
      // The name of the part says nothing to whoever named the file.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw Object.assign(error as Error, { path });
    }
  }
}

/**
 * Replaces a file that Sandbank made, whole, or makes it (docs/spec/control-plane.md B9). `isOurs` knows such a file by
 * its first 4 KB; an empty file is taken too. Throws the Mistake of {@link requireOurs}, and the errors of the file
 * system.
 */
export function replaceOwn(
  path: string,
  content: string | Uint8Array,
  isOurs: (beginning: Buffer) => boolean,
  mode?: number,
): void {
  requireOurs(path, isOurs);
  putWhole(path, content, mode);
}

/**
 * Throws a Mistake for a file or folder of another user, a link, and a file that `isOurs` does not know. What is
 * missing passes.
 */
export function requireOurs(path: string, isOurs?: (beginning: Buffer) => boolean): void {
  const foreign = foreignReason(path);
  if (foreign !== null) throw new Mistake(`${path} is not used: ${foreign}`);
  if (isOurs === undefined || !isThere(path)) return;
  const found = lstatSync(path);
  if (found.isDirectory()) throw new Mistake(`${path} is not replaced: it is a folder`);
  const beginning = found.isFile() ? firstBytes(path) : null;
  if (beginning === null || (beginning.length > 0 && !isOurs(beginning)))
    throw new Mistake(`${path} is not replaced: Sandbank did not make it`);
}

/**
 * Why a file or folder cannot be one of this user: it is a link, or another user owns it. Null if it can, or is
 * missing. The files of root are everybody's, and root takes those of the owner of their folder, as of a volume that
 * was used by another user before.
 */
export function foreignReason(path: string): string | null {
  if (isThere(path) && process.getuid !== undefined && lstatSync(path).isSymbolicLink()) return 'it is a link';
  return otherOwner(path);
}

/** As {@link foreignReason}, of a file that may be reached by a link of this user. */
export function otherOwner(path: string): string | null {
  const uid = process.getuid?.();
  if (uid === undefined || !isThere(path)) return null;
  const found = lstatSync(path);
  const isOwn = found.uid === uid || found.uid === 0 || (uid === 0 && found.uid === statSync(dirname(path)).uid);
  return isOwn ? null : `it belongs to uid ${found.uid}, and this process has uid ${uid}`;
}

function firstBytes(path: string): Buffer {
  const handle = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(4_096);
    return bytes.subarray(0, readSync(handle, bytes));
  } finally {
    closeSync(handle);
  }
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
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
