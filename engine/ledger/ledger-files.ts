import { chmod, constants, copyFile, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { nextTurn, systemClock } from '../time/clock.ts';
import { openSqlite } from './open-sqlite.ts';
import { isWindows, syncFolder } from './durable-file.ts';

/** The file operations that can fail on a full or broken disk. */
export interface Disk {
  /** Fails if `to` is there, so that no link is followed. */
  copyFile(from: string, to: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** Removes a file, if it exists. */
  remove(path: string): Promise<void>;
  /** Waits until a file, or the entries of a folder, are on the disk. */
  sync(path: string, flags: 'r' | 'r+'): Promise<void>;
  chmod(path: string, mode: number): Promise<void>;
  /** Makes a folder for its owner only, unless it is there; its name is then on the disk. */
  makeFolder(path: string): Promise<void>;
}

/** The disk of this machine. */
export const systemDisk: Disk = {
  copyFile: (from, to) => copyFile(from, to, constants.COPYFILE_EXCL),
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
  makeFolder: async (path) => {
    const first = await mkdir(path, { recursive: true, mode: 0o700 });
    if (first !== undefined) syncFolder(dirname(first));
  },
};

/** Copies a file; the copy is complete on the disk or does not exist. */
export async function copyDurably(disk: Disk, from: string, to: string): Promise<void> {
  try {
    await disk.remove(partialOf(to));
    await disk.copyFile(from, partialOf(to));
    await finishDurably(disk, partialOf(to), to);
  } catch (error) {
    await disk.remove(partialOf(to)).catch(() => undefined);
    throw error;
  }
}

/** Removes a copy of {@link copyDurably}, and a partial one that a dead process left. */
export async function removeCopy(disk: Disk, to: string): Promise<void> {
  await disk.remove(partialOf(to));
  await disk.remove(to);
}

function partialOf(to: string): string {
  return `${to}.partial`;
}

/** Syncs a file, then renames it to its final name. */
export async function finishDurably(disk: Disk, partial: string, to: string): Promise<void> {
  await disk.sync(partial, 'r+');
  await disk.rename(partial, to);
  // Windows opens no folder, and its file system keeps the order of names itself.
  if (!isWindows) await disk.sync(dirname(to), 'r');
}

/**
 * {@link finishDurably} over an existing file. Freeing the blocks of the old file takes 50 ms for 100 MB: that happens
 * in the background, when it is closed.
 */
export async function replaceDurably(disk: Disk, partial: string, to: string): Promise<void> {
  // Windows replaces no file that is open.
  const replaced = isWindows ? null : await open(to).catch(() => null);
  try {
    await finishDurably(disk, partial, to);
  } finally {
    replaced?.close().catch(() => undefined);
  }
}

/** Removes a database, if it exists, and the logs that a process may have left beside it. */
export async function removeDatabase(disk: Disk, path: string): Promise<void> {
  await disk.remove(path);
  await removeLogs(disk, path);
}

/** Removes the logs beside a database. */
export async function removeLogs(disk: Disk, path: string): Promise<void> {
  for (const suffix of ['-wal', '-shm', '-journal']) await disk.remove(path + suffix);
}

/** Pages copied in one turn of the event loop. */
const pagesInTurn = 500;

/** How long a copy waits for another process that writes its target, in ms. */
const copyWaitMs = 5_000;

/**
 * Makes the content of the database `to`, which others may have open, that of the database `from`, in one transaction:
 * a process that dies leaves the old content. The caller syncs the log of `to`. Throws an error of code SQLITE_BUSY if
 * others write for too long.
 */
export async function overwriteDatabase(from: string, to: string): Promise<void> {
  const begun = systemClock.monotonic();
  const source = openSqlite(from, { fileMustExist: true });
  try {
    // While another process writes the target, no page is copied and the driver says that it is done.
    while ((await source.backup(to, { progress: () => pagesInTurn })).totalPages === 0) {
      if (systemClock.monotonic() - begun > copyWaitMs)
        throw Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' });
      await nextTurn();
    }
  } finally {
    source.close();
  }
}
