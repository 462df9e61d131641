import { mkdir, readdir, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Kysely, Transaction } from 'kysely';
import { Refusal } from '../core/fault.ts';
import type { Instant } from '../core/instant.ts';
import { openConnection, openUnsynced, type Connection } from './connection.ts';
import { copyDurably, finishDurably, removeFile } from './durable-file.ts';
import type { LedgerStorage, Preparation, SavedSnapshot } from './storage.ts';
import type { Tables } from './tables.ts';

/** `before-easter@1806487200000.sqlite`: the bank's time is in the name, so that the copy stays what it was. */
const snapshotFile = /^([\w.+-]+)@(-?\d+)\.sqlite$/;

/**
 * A ledger file, its snapshots in a folder beside it. A restore puts a copy of the snapshot in the file's place by
 * renaming it; the copy was made ahead, in the background, so that a restore takes as long for a large ledger as for a
 * small one. A process that dies leaves either the old ledger or the new one.
 */
export class FileStorage implements LedgerStorage {
  readonly #path: string;
  readonly #folder: string;
  #current: Connection | null = null;
  /** Copies being made; never rejects. */
  #copying: Promise<void> = Promise.resolve();

  constructor(path: string) {
    this.#path = path;
    this.#folder = `${path}.snapshots`;
  }

  async kysely(): Promise<Kysely<Tables>> {
    return (await this.#connection()).kysely;
  }

  async save(snapshot: SavedSnapshot): Promise<void> {
    const { sqlite } = await this.#connection();
    await mkdir(this.#folder, { recursive: true });
    const partial = this.#in('saving.partial');
    await removeFile(partial);
    sqlite.prepare('vacuum into ?').run(partial);
    await this.#copying;
    await this.remove(snapshot.key);
    await finishDurably(partial, this.#fileOf(snapshot));
    this.#copyAhead(snapshot);
  }

  async restore(key: string, prepare: Preparation): Promise<SavedSnapshot | null> {
    const found = await this.#find(key);
    if (found === null) return null;
    await this.#copying;
    const next = this.#in('next.sqlite');
    await removeFile(next);
    await rename(this.#copyOf(found), next).catch(() => copyDurably(this.#fileOf(found), next));
    await prepareUnsynced(next, (tx) => prepare(tx, found.at));
    await this.close();
    await this.#requireUnshared();
    await finishDurably(next, this.#path);
    this.#copyAhead(found);
    return found;
  }

  async list(): Promise<SavedSnapshot[]> {
    const names = await readdir(this.#folder).catch(() => []);
    return names.flatMap((name) => {
      const [, key, at] = snapshotFile.exec(name) ?? [];
      return key === undefined ? [] : [{ key, at: Number(at) as Instant }];
    });
  }

  async remove(key: string): Promise<boolean> {
    const found = await this.#find(key);
    if (found === null) return false;
    await this.#copying;
    await removeFile(this.#copyOf(found));
    await removeFile(this.#fileOf(found));
    return true;
  }

  rest(): Promise<void> {
    return this.close();
  }

  async close(): Promise<void> {
    const current = this.#current;
    this.#current = null;
    await this.#copying;
    await current?.kysely.destroy();
  }

  async #connection(): Promise<Connection> {
    this.#current ??= await openConnection(this.#path);
    return this.#current;
  }

  async #find(key: string): Promise<SavedSnapshot | null> {
    return (await this.list()).find((snapshot) => snapshot.key === key) ?? null;
  }

  /** The last one who closes a file takes its log away. A log that is left would be read into the new ledger. */
  async #requireUnshared(): Promise<void> {
    const isShared = await stat(`${this.#path}-wal`).then(
      () => true,
      () => false,
    );
    if (!isShared) return;
    const text = `Another program has the ledger ${this.#path} open. Close it there, and restore again. Nothing was changed.`;
    throw new Refusal({ code: 'CONFLICT', text });
  }

  /** For the next restore. When it fails, that one makes its own. */
  #copyAhead(snapshot: SavedSnapshot): void {
    this.#copying = this.#copying.then(() =>
      copyDurably(this.#fileOf(snapshot), this.#copyOf(snapshot)).catch(() => {}),
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

/** The caller syncs the file when it takes its place. */
async function prepareUnsynced(path: string, prepare: (tx: Transaction<Tables>) => Promise<void>): Promise<void> {
  const { kysely } = await openUnsynced(path);
  try {
    await kysely.transaction().execute(prepare);
  } finally {
    await kysely.destroy();
  }
}
