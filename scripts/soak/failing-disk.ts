import { systemDisk, type Disk } from '../../engine/ledger/durable-file.ts';

/** A disk of which one operation fails, once. */
export interface FailingDisk extends Disk {
  /** The operation of this number from now, 1 for the next, fails with this error code. */
  arm(nth: number, code: string): void;
  /** Ends it, and says which operation failed; null: none came that far. */
  disarm(): string | null;
  /** Operations since the last arm or disarm. */
  count(): number;
}

/** Over the disk of this machine, or another. */
export function failingDisk(disk: Disk = systemDisk): FailingDisk {
  let seen = 0;
  let armed: { readonly nth: number; readonly code: string } | null = null;
  let failed: string | null = null;
  const maybe = async (operation: keyof Disk, work: () => Promise<void>): Promise<void> => {
    seen += 1;
    if (armed?.nth !== seen) return work();
    failed = `${operation} ${armed.code}`;
    throw Object.assign(new Error(`${armed.code}: ${operation} failed by the campaign`), { code: armed.code });
  };
  return {
    copyFile: (from, to) => maybe('copyFile', () => disk.copyFile(from, to)),
    rename: (from, to) => maybe('rename', () => disk.rename(from, to)),
    remove: (path) => maybe('remove', () => disk.remove(path)),
    sync: (path, flags) => maybe('sync', () => disk.sync(path, flags)),
    chmod: (path, mode) => maybe('chmod', () => disk.chmod(path, mode)),
    makeFolder: (path) => maybe('makeFolder', () => disk.makeFolder(path)),
    arm: (nth, code) => {
      [seen, failed, armed] = [0, null, { nth, code }];
    },
    disarm: () => {
      armed = null;
      seen = 0;
      return failed;
    },
    count: () => seen,
  };
}
