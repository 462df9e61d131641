import { copyFile, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Copies a file so that the copy is whole on the disk, or not there at all. */
export async function copyDurably(from: string, to: string): Promise<void> {
  await copyFile(from, partialOf(to));
  await finishDurably(partialOf(to), to);
}

/** Removes what {@link copyDurably} made, and what it left of a copy when the process died. */
export async function removeCopy(to: string): Promise<void> {
  await removeFile(partialOf(to));
  await removeFile(to);
}

function partialOf(to: string): string {
  return `${to}.partial`;
}

/** Gives a file its name once its content is on the disk. */
export async function finishDurably(partial: string, to: string): Promise<void> {
  await sync(partial, 'r+');
  await rename(partial, to);
  await sync(dirname(to), 'r');
}

/** Removes a database that may not be there, with the logs that a process may have left beside it. */
export async function removeDatabase(path: string): Promise<void> {
  for (const suffix of ['', '-wal', '-shm', '-journal']) await removeFile(path + suffix);
}

/** Removes a file that may not be there. */
export function removeFile(path: string): Promise<void> {
  return rm(path, { force: true });
}

async function sync(path: string, flags: 'r' | 'r+'): Promise<void> {
  const handle = await open(path, flags);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
