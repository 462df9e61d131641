import { chmod, copyFile, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** What changes files, and can fail: a full disk, a broken one. */
export interface Disk {
  copyFile(from: string, to: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** A file that may not be there. */
  remove(path: string): Promise<void>;
  /** Waits until a file, or a folder's list of names, is on the disk. */
  sync(path: string, flags: 'r' | 'r+'): Promise<void>;
  chmod(path: string, mode: number): Promise<void>;
  makeFolder(path: string): Promise<void>;
}

/** The disk of this machine. */
export const systemDisk: Disk = {
  copyFile: (from, to) => copyFile(from, to),
  rename: (from, to) => rename(from, to),
  remove: (path) => rm(path, { force: true }),
  sync: async (path, flags) => {
    const handle = await open(path, flags);
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  },
  chmod: (path, mode) => chmod(path, mode),
  makeFolder: async (path) => void (await mkdir(path, { recursive: true })),
};

/** Copies a file so that the copy is whole on the disk, or not there at all. */
export async function copyDurably(disk: Disk, from: string, to: string): Promise<void> {
  try {
    await disk.copyFile(from, partialOf(to));
    await finishDurably(disk, partialOf(to), to);
  } catch (error) {
    await disk.remove(partialOf(to)).catch(() => undefined);
    throw error;
  }
}

/** Removes what {@link copyDurably} made, and what it left of a copy when the process died. */
export async function removeCopy(disk: Disk, to: string): Promise<void> {
  await disk.remove(partialOf(to));
  await disk.remove(to);
}

function partialOf(to: string): string {
  return `${to}.partial`;
}

/** Gives a file its name once its content is on the disk. */
export async function finishDurably(disk: Disk, partial: string, to: string): Promise<void> {
  await disk.sync(partial, 'r+');
  await disk.rename(partial, to);
  await disk.sync(dirname(to), 'r');
}

/** Removes a database that may not be there, with the logs that a process may have left beside it. */
export async function removeDatabase(disk: Disk, path: string): Promise<void> {
  for (const suffix of ['', '-wal', '-shm', '-journal']) await disk.remove(path + suffix);
}
