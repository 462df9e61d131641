import { existsSync, lstatSync } from 'node:fs';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Transaction } from 'kysely';
import { clip } from '../values/text.ts';
import { Refusal } from '../values/fault.ts';
import type { Instant } from '../values/instant.ts';
import {
  closeConnection,
  closeFile,
  inTransaction,
  isInPlace,
  openConnection,
  openUnsynced,
  probeConnection,
  type Connection,
  type Durability,
  type LastWrite,
} from './connection.ts';
import {
  copyDurably,
  finishDurably,
  removeCopy,
  removeDatabase,
  removeLogs,
  replaceDurably,
  type Disk,
  overwriteDatabase,
} from './ledger-files.ts';
import { makePartial } from './durable-file.ts';
import { isBusy, troubleIn, LedgerRefused, withRoom } from './ledger-condition.ts';
import { maxBytesInLoop, SideThread } from './side-thread.ts';
import {
  changedImage,
  prepareImage,
  type LedgerToStartFrom,
  type LedgerStorage,
  type Preparation,
  type SavedSnapshot,
} from './storage.ts';
import type { Tables } from './tables.ts';

/**
 * `before-easter@1806487200000.sqlite`: key and bank time. With the time in the name, the file itself is never changed.
 */
const snapshotFile = /^([\w.+-]+)@(-?\d+)\.sqlite$/;

/** What a call may write at most, in bytes. */
const roomOfCall = 1024 * 1024;

/**
 * A ledger file, with its snapshots in a folder beside it. A restore renames a copy of the snapshot to the ledger's
 * name. The copy is made in advance, in the background, so that a restore of a large ledger takes no longer than of a
 * small one. While another program has the file open, to look at it or to back it up, a restore writes into it instead:
 * that program sees the new ledger. A process that dies leaves the old ledger or the new one; a failing disk leaves no
 * partial copy.
 */
export class FileStorage implements LedgerStorage {
  readonly #path: string;
  readonly #folder: string;
  readonly #disk: Disk;
  readonly #durability: Durability;
  #current: Connection | null = null;
  /** Copies being made; never rejects. */
  #copying: Promise<void> = Promise.resolve();

  constructor(path: string, disk: Disk, durability: Durability) {
    this.#path = path;
    this.#disk = disk;
    this.#durability = durability;
    this.#folder = `${path}.snapshots`;
  }

  async begin({ image, prepare, ...snapshot }: LedgerToStartFrom): Promise<void> {
    // SQLite would apply a log that was left to the new file. A dangling link counts too.
    if (['', '-wal', '-journal'].some((suffix) => statOf(this.#path + suffix))) return;
    const found = image();
    if (found === null) return;
    const connection = await prepareImage(found, prepare);
    const bytes = connection.sqlite.serialize();
    await closeConnection(connection);
    const partial = makePartial(this.#path, 0o600);
    try {
      await writeFile(partial, bytes, { flag: 'r+' });
      await finishDurably(this.#disk, partial, this.#path);
    } catch (error) {
      await this.#disk.remove(partial).catch(() => undefined);
      throw error;
    }
    await this.#disk.makeFolder(this.#folder);
    await copyDurably(this.#disk, this.#path, this.#fileOf(snapshot));
    for (const older of await this.#all(snapshot.key)) if (older.at !== snapshot.at) await this.#removeFilesOf(older);
    this.#copyAhead(snapshot);
  }

  async connection(): Promise<Connection> {
    if (this.#current !== null) return this.#current;
    this.#current = await openConnection(this.#path, { durability: this.#durability });
    return this.#current;
  }

  async save(snapshot: SavedSnapshot): Promise<void> {
    const connection = await this.connection();
    const partial = this.#in('saving.partial');
    try {
      await this.#disk.makeFolder(this.#folder);
      await removeDatabase(this.#disk, partial);
      await this.#copyInto(partial, connection);
      await this.#disk.chmod(partial, await this.#mode(this.#path));
      await this.#copying;
      await removeCopy(this.#disk, this.#copyOf(snapshot));
      await finishDurably(this.#disk, partial, this.#fileOf(snapshot));
    } catch (error) {
      await removeDatabase(this.#disk, partial).catch(() => undefined);
      throw cannot(`The snapshot cannot be kept in ${this.#folder}`, error);
    }
    // The old one goes only after the new one is saved, so that a failure never loses both.
    for (const older of await this.#all(snapshot.key)) if (older.at !== snapshot.at) await this.#removeFilesOf(older);
    this.#copyAhead(snapshot);
  }

  /** SQLite copies in one blocking call: a large ledger is copied in the side thread. */
  async #copyInto(partial: string, { sqlite, thread }: Connection): Promise<void> {
    const { size } = await stat(this.#path);
    if (thread === null || size < maxBytesInLoop) sqlite.prepare('vacuum into ?').run(partial);
    else await thread.run('vacuum into ?', partial);
  }

  async restore(key: string, prepare: Preparation): Promise<SavedSnapshot | null> {
    const found = await this.#find(key);
    if (found === null) return null;
    await this.#copying;
    const copyTo = (next: string): Promise<void> =>
      this.#disk.rename(this.#copyOf(found), next).catch(() => copyDurably(this.#disk, this.#fileOf(found), next));
    await this.#replace(copyTo, (tx) => prepare(tx, found.at));
    this.#copyAhead(found);
    return found;
  }

  async restoreImage(bytes: Buffer, prepare: LedgerToStartFrom['prepare']): Promise<void> {
    await this.#disk.makeFolder(this.#folder);
    await this.#replace((next) => writeFile(next, bytes, { mode: 0o600 }), prepare);
  }

  /** Replaces the ledger by the file that `copyTo` makes, changed by `prepare`. */
  async #replace(copyTo: (next: string) => Promise<void>, prepare: LedgerToStartFrom['prepare']): Promise<void> {
    const next = this.#in('next.sqlite');
    const isInPlace = this.isInPlace() && existsSync(this.#path);
    try {
      await withRoom(async () => {
        // A log that a dead process left goes too: SQLite would apply it to the new file.
        await removeDatabase(this.#disk, next);
        await copyTo(next);
        await this.#disk.chmod(next, await this.#mode(this.#path).catch(() => this.#mode(next)));
        await prepareUnsynced(next, prepare);
      });
      await this.close();
      if (isInPlace && (await this.#isShared())) return await this.#writeInto(next);
      // Of a ledger that was moved: who has that one open must not share them with the new one.
      if (!isInPlace) await removeLogs(this.#disk, this.#path);
      await replaceDurably(this.#disk, next, this.#path);
    } catch (error) {
      await removeDatabase(this.#disk, next).catch(() => undefined);
      throw cannot('The snapshot cannot be restored', error);
    }
  }

  async list(): Promise<SavedSnapshot[]> {
    const found = await this.#all();
    return found.filter(({ key }, index) => found.findIndex((newer) => newer.key === key) === index);
  }

  async read(key: string): Promise<(SavedSnapshot & { readonly bytes: Buffer }) | null> {
    const found = await this.#find(key);
    return found === null ? null : { ...found, bytes: await readFile(this.#fileOf(found)) };
  }

  async remove(key: string): Promise<boolean> {
    const found = await this.#all(key);
    await this.#copying;
    for (const snapshot of found) await this.#removeFilesOf(snapshot);
    return found.length > 0;
  }

  async image(change?: LedgerToStartFrom['prepare']): Promise<Buffer> {
    const [copy, changed] = [this.#in('image.partial'), this.#in('changed.partial')];
    try {
      await this.#disk.makeFolder(this.#folder);
      await removeDatabase(this.#disk, copy);
      await this.#copyInto(copy, await this.connection());
      if (change === undefined) return await readFile(copy);
      if ((await stat(copy)).size < maxBytesInLoop) return await changedImage(await readFile(copy), change);
      await removeDatabase(this.#disk, changed);
      await prepareUnsynced(copy, change);
      const thread = new SideThread(copy);
      try {
        await thread.run('vacuum into ?', changed);
      } finally {
        await thread.stop();
      }
      return await readFile(changed);
    } catch (error) {
      throw cannot(`The ledger cannot be copied in ${this.#folder}`, error);
    } finally {
      for (const path of [copy, changed]) await removeDatabase(this.#disk, path).catch(() => undefined);
    }
  }

  isInPlace(): boolean {
    return this.#current === null || isInPlace(this.#current);
  }

  async probe(): Promise<void> {
    probeConnection(await this.connection());
    // It writes little, and a call writes more.
    const room = this.#in('room.partial');
    try {
      await this.#disk.makeFolder(this.#folder);
      await this.#disk.remove(room);
      await writeFile(room, Buffer.alloc(roomOfCall), { flag: 'wx', mode: 0o600 });
    } finally {
      await this.#disk.remove(room).catch(() => undefined);
    }
  }

  async close(last?: LastWrite): Promise<void> {
    const current = this.#current;
    this.#current = null;
    await this.#copying;
    if (current !== null) await closeFile(current, last);
  }

  /**
   * Every snapshot file, of one key or of all, newest first. A process that died while saving may leave two of one key.
   */
  async #all(only?: string): Promise<SavedSnapshot[]> {
    const names = await readdir(this.#folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw cannot(`The snapshots in ${this.#folder} cannot be read`, error);
    });
    const found = names.flatMap((name) => {
      const [, key, at] = snapshotFile.exec(name) ?? [];
      return key === undefined || (only !== undefined && key !== only) ? [] : [{ key, at: Number(at) as Instant }];
    });
    const dated = await Promise.all(
      found.map(async (snapshot) => ({ snapshot, written: (await stat(this.#fileOf(snapshot))).mtimeMs })),
    );
    return dated.toSorted((one, other) => other.written - one.written).map(({ snapshot }) => snapshot);
  }

  async #removeFilesOf(snapshot: SavedSnapshot): Promise<void> {
    await removeCopy(this.#disk, this.#copyOf(snapshot));
    await this.#disk.remove(this.#fileOf(snapshot));
  }

  /** Permission bits: copies get those of the ledger. */
  async #mode(path: string): Promise<number> {
    return (await stat(path)).mode & 0o777;
  }

  async #find(key: string): Promise<SavedSnapshot | null> {
    return (await this.list()).find((snapshot) => snapshot.key === key) ?? null;
  }

  /**
   * True while another process has the ledger open: its log is still there, and SQLite would apply it to a new file of
   * that name.
   */
  async #isShared(): Promise<boolean> {
    if (!existsSync(`${this.#path}-wal`)) return false;
    // The log also stays when the disk failed during the close: closing again tells the two apart.
    await this.connection();
    await this.close();
    return existsSync(`${this.#path}-wal`);
  }

  /** Replaces the content of the ledger by that of a file, in one transaction. */
  async #writeInto(next: string): Promise<void> {
    await overwriteDatabase(next, this.#path);
    await this.#disk.sync(`${this.#path}-wal`, 'r+');
    await removeDatabase(this.#disk, next);
  }

  /** Makes the copy for the next restore, in the background. When it fails, that restore makes its own. */
  #copyAhead(snapshot: SavedSnapshot): void {
    this.#copying = this.#copying.then(() =>
      copyDurably(this.#disk, this.#fileOf(snapshot), this.#copyOf(snapshot)).catch(() => {}),
    );
  }

  #in(name: string): string {
    return join(this.#folder, name);
  }

  #fileOf({ key, at }: SavedSnapshot): string {
    return this.#in(`${key}@${at}.sqlite`);
  }

  #copyOf(snapshot: SavedSnapshot): string {
    return `${this.#fileOf(snapshot)}.copy`;
  }
}

const statOf = (path: string) => lstatSync(path, { throwIfNoEntry: false });

/**
 * The error to throw: a CONFLICT for a problem that the user can solve; the error itself for a refusal, a failing disk
 * (the ledger's trouble) and a bug.
 */
function cannot(what: string, error: unknown): unknown {
  if (error instanceof Refusal) return error;
  if (troubleIn(error)?.kind === 'unwritable' && !isBusy(error)) return error;
  const { code, message } = error as Error & { readonly code?: unknown };
  const isOfFile = error instanceof LedgerRefused;
  if (typeof code !== 'string' && !isOfFile) return error;
  const text = `${what}: ${clip(message, 200)}. Nothing was changed.`;
  return new Refusal({ code: 'CONFLICT', text });
}

/** Changes a snapshot file in one transaction, without syncs: the caller syncs the file before it renames it. */
async function prepareUnsynced(path: string, prepare: (tx: Transaction<Tables>) => Promise<void>): Promise<void> {
  const connection = await openUnsynced(path);
  try {
    await inTransaction(connection, 'write', prepare);
  } finally {
    await closeConnection(connection);
  }
}
