import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import BetterSqlite3 from 'better-sqlite3';
import { SideThread, vacuumed } from '../../engine/ledger/side-thread.ts';

let folder: string;
let path: string;
let database: BetterSqlite3.Database;
let thread: SideThread;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbank-side-thread-'));
  path = join(folder, 'ledger.sqlite');
  database = new BetterSqlite3(path);
  database.pragma('journal_mode = WAL');
  database.pragma('wal_autocheckpoint = 0');
  database.exec('create table t (i integer)');
  thread = new SideThread(path);
});
afterEach(async () => {
  await thread.stop();
  database.close();
  rmSync(folder, { recursive: true });
});

/** Pages of the log that are not in the file yet. */
function pagesLeft(): number {
  database.exec('insert into t values (1)');
  const [state] = database.pragma('wal_checkpoint(noop)') as { log: number; checkpointed: number }[];
  return state === undefined ? 0 : state.log - state.checkpointed;
}

test('a checkpoint of the side thread takes the log into the file, and the next write begins the log anew', async () => {
  for (let row = 0; row < 500; row += 1) database.exec('insert into t values (1)');
  const { size } = statSync(`${path}-wal`);
  await thread.run('pragma wal_checkpoint(passive)');
  for (let row = 0; row < 400; row += 1) database.exec('insert into t values (1)');
  expect(statSync(`${path}-wal`).size).toBe(size);
  await thread.run('pragma wal_checkpoint(passive)');
  expect(pagesLeft()).toBe(1);
});

test('it leaves nothing open: who closes the file afterwards is the last, and takes the log away', async () => {
  await thread.run('pragma wal_checkpoint(passive)');
  database.close();
  expect(() => statSync(`${path}-wal`)).toThrow('ENOENT');
});

test('what SQLite refuses is thrown with its code, and the thread goes on', async () => {
  await expect(thread.run('vacuum into ?', join(folder, 'none', 'copy'))).rejects.toMatchObject({
    code: expect.stringMatching(/^SQLITE_/),
  });
  await expect(thread.run('vacuum into ?', join(folder, 'copy'))).resolves.toBeUndefined();
});

test('work that is under way when the thread is stopped is rejected; what comes later starts another', async () => {
  const work = thread.run('with recursive n (i) as (select 1 union all select i + 1 from n) select count(*) from n');
  await Promise.all([expect(work).rejects.toThrow('ended'), thread.stop()]);
  await expect(thread.run('select 1')).resolves.toBeUndefined();
});

test('a serialized database loses its free space; what is none is refused with its code', async () => {
  const memory = new BetterSqlite3(':memory:');
  memory.exec('create table t (x); insert into t values (randomblob(100000)); delete from t; insert into t values (7)');
  const found = new BetterSqlite3(await vacuumed(memory.serialize()));
  expect(found.pragma('freelist_count', { simple: true })).toBe(0);
  expect(found.prepare('select x from t').pluck().all()).toEqual([7]);
  for (const each of [memory, found]) each.close();
  await expect(vacuumed(Buffer.alloc(1_000, 'x'))).rejects.toMatchObject({ code: 'SQLITE_NOTADB' });
});
