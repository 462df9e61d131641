import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import BetterSqlite3 from 'better-sqlite3';
import { sql } from 'kysely';
import { LedgerUnavailable, openLedger, type Ledger, type Writer } from '../../engine/ledger/database.ts';
import { Refusal } from '../../engine/values/fault.ts';

/* Writes of one turn of the event loop share a commit (docs/decisions/0030). */

let folder: string;
let path: string;
let ledger: Ledger;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sandbank-shared-commit-'));
  path = join(folder, 'ledger.sqlite');
  ledger = await openLedger(path);
});
afterEach(async () => {
  await ledger.close();
  rmSync(folder, { recursive: true });
});

const insert = async (tx: Writer, name: string): Promise<void> => {
  await sql`insert into tpp_contact (tpp_id, email) values (${name}, 'a@b.example')`.execute(tx);
};
const write = (name: string): Promise<string> =>
  ledger.write(async (tx) => {
    await insert(tx, name);
    return name;
  });
const contacts = (): Promise<string[]> =>
  ledger.read(async (reader) =>
    (await sql<{ readonly tpp_id: string }>`select tpp_id from tpp_contact order by tpp_id`.execute(reader)).rows.map(
      ({ tpp_id }) => tpp_id,
    ),
  );

/** What another program sees in the file. */
function onFile(): string[] {
  const other = new BetterSqlite3(path, { readonly: true });
  try {
    return other.prepare<[], string>('select tpp_id from tpp_contact order by tpp_id').pluck().all();
  } finally {
    other.close();
  }
}

/** Runs work and tells how many commits were carried out. `before` is called with each, and may fail it. */
async function commitsOf(work: () => Promise<unknown>, before: () => void = () => undefined): Promise<number> {
  const probe = new BetterSqlite3(':memory:');
  const prototype = Object.getPrototypeOf(probe.prepare('select 1')) as { run: (...all: unknown[]) => unknown };
  probe.close();
  const { run } = prototype;
  let commits = 0;
  prototype.run = function (this: BetterSqlite3.Statement, ...all) {
    if (this.source === 'commit') {
      commits += 1;
      before();
    }
    return run.apply(this, all);
  };
  try {
    await work();
  } finally {
    prototype.run = run;
  }
  return commits;
}

test('writes called in one turn are one commit, each with its own result, and none is told before another program sees it', async () => {
  const seen: string[][] = [];
  const commits = await commitsOf(async () => {
    const all = ['a', 'b', 'c'].map(async (name) => {
      const result = await write(name);
      seen.push(onFile());
      return result;
    });
    expect(await Promise.all(all)).toEqual(['a', 'b', 'c']);
  });
  expect([commits, seen]).toEqual([1, [1, 2, 3].map(() => ['a', 'b', 'c'])]);
});

test('a read between two writes of one turn waits for their commit, and does not part them', async () => {
  let seen: string[] = [];
  const commits = await commitsOf(async () => {
    [, seen] = await Promise.all([write('a'), contacts(), write('b')]);
  });
  // One of the writes, and that of the read.
  expect([commits, seen]).toEqual([2, ['a', 'b']]);
});

test('one that is refused takes nothing with it, whichever it is, and is answered after the commit', async () => {
  for (const refused of [0, 1, 2]) {
    const order: string[] = [];
    const names = [0, 1, 2].map((index) => `${refused}-${index}`);
    const results = await Promise.allSettled(
      names.map(async (name, index) => {
        try {
          return await ledger.write(async (tx) => {
            await insert(tx, name);
            if (index === refused) throw new Refusal({ code: 'CONFLICT', text: 'on purpose' });
          });
        } finally {
          order.push(
            onFile()
              .filter((one) => one.startsWith(`${refused}-`))
              .join(),
          );
        }
      }),
    );
    const kept = names.filter((_, index) => index !== refused);
    expect(results.map(({ status }) => status)).toEqual(
      names.map((_, index) => (index === refused ? 'rejected' : 'fulfilled')),
    );
    expect(order).toEqual(names.map(() => kept.join()));
  }
});

test('a write sees what those before it in the group wrote, a read only what is on the disk', async () => {
  const first = write('a');
  const count = ledger.write(async (tx) => (await sql`select 1 from tpp_contact`.execute(tx)).rows.length);
  const read = ledger.read(async (reader) => {
    const { rows } = await sql<{ readonly n: number }>`select count(*) as n from tpp_contact`.execute(reader);
    return [rows[0]?.n, onFile().length];
  });
  expect([await first, await count, await read]).toEqual(['a', 1, [1, 1]]);
});

test('what waits for the commit is done after it, in the order of the writes, not for a refused one', async () => {
  const told: string[] = [];
  const tell = (name: string): void => ledger.afterCommit(() => told.push(`${name} ${onFile().join('')}`));
  await Promise.allSettled(
    ['a', 'b', 'c'].map((name) =>
      ledger.write(async (tx) => {
        await insert(tx, name);
        tell(name);
        if (name === 'b') throw new Error('on purpose');
      }),
    ),
  );
  expect(told).toEqual(['a ac', 'c ac']);
});

test('a commit that fails is a LedgerUnavailable for all of the group, and nothing of it is there', async () => {
  await ledger.write(async (tx) => {
    await sql`create table parent (id integer primary key)`.execute(tx);
    await sql`create table child (id integer references parent (id) deferrable initially deferred)`.execute(tx);
  });
  const told: string[] = [];
  const results = await Promise.allSettled([
    write('a'),
    // Found at the commit alone, as a full disk may be.
    ledger.write(async (tx) => {
      ledger.afterCommit(() => told.push('told'));
      await sql`insert into child values (1)`.execute(tx);
    }),
    ledger.write(() => Promise.reject(new Error('on purpose'))),
  ]);
  expect(results.map((each) => each.status === 'rejected' && each.reason instanceof LedgerUnavailable)).toEqual([
    true,
    true,
    true,
  ]);
  expect([await contacts(), told]).toEqual([[], []]);
  expect(await write('later')).toBe('later');
});

test('K1: a disk that is full at the commit alone is told as trouble', async () => {
  const results: PromiseSettledResult<string>[] = [];
  await commitsOf(
    async () => results.push(...(await Promise.allSettled([write('a'), write('b')]))),
    () => {
      throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
    },
  );
  expect(results.map((each) => each.status === 'rejected' && each.reason instanceof LedgerUnavailable)).toEqual([
    true,
    true,
  ]);
  expect(ledger.trouble()).toMatchObject({ kind: 'unwritable', reason: 'there is no room on the disk' });
  expect(await contacts()).toEqual([]);
});

test('when SQLite rolls the transaction back by itself, those before and after in the group are LedgerUnavailable too', async () => {
  const results = await Promise.allSettled([
    write('before'),
    ledger.write(async (tx) => {
      await insert(tx, 'lost');
      // What a full disk does: the whole transaction is gone.
      await sql`insert or rollback into tpp_contact (tpp_id, email) values ('lost', 'twice')`.execute(tx);
    }),
    write('after'),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(results.map((each) => each.status === 'rejected' && each.reason instanceof LedgerUnavailable)).toEqual([
    true,
    true,
    true,
  ]);
  expect(await contacts()).toEqual([]);
  expect(await write('later')).toBe('later');
});

test('long work shares no commit, and what was called before it does not wait for it', async () => {
  const order: string[] = [];
  const note = (name: string) => (): void => void order.push(name);
  const long = async (tx: Writer): Promise<void> => {
    order.push(`long begins, ${onFile().join('')}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
    await insert(tx, 'long');
  };
  await Promise.all([
    write('a').then(note('a')),
    ledger.write(long, { isLong: true }).then(note('long')),
    write('b').then(note('b')),
  ]);
  expect(order).toEqual(['long begins, a', 'a', 'long', 'b']);
});

test('a close commits what was called before it, and refuses what comes after', async () => {
  const before = write('before');
  const closed = ledger.close();
  const after = write('after');
  await expect(after).rejects.toThrow('The bank is closed');
  await Promise.all([before, closed]);
  expect(onFile()).toEqual(['before']);
});

test('in memory too: one commit, a refused one takes nothing with it, and what waits for the commit is done in order', async () => {
  const inMemory = await openLedger(':memory:');
  const told: string[] = [];
  let results: PromiseSettledResult<void>[] = [];
  const commits = await commitsOf(async () => {
    const all = ['a', 'b', 'c'].map((name) =>
      inMemory.write(async (tx) => {
        await insert(tx, name);
        inMemory.afterCommit(() => told.push(name));
        if (name === 'b') throw new Refusal({ code: 'CONFLICT', text: 'on purpose' });
      }),
    );
    expect(told).toEqual([]);
    results = await Promise.allSettled(all);
  });
  const { rows } = await inMemory.read((reader) =>
    sql<{ readonly tpp_id: string }>`select tpp_id from tpp_contact order by tpp_id`.execute(reader),
  );
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect([commits, told, rows.map(({ tpp_id }) => tpp_id)]).toEqual([1, ['a', 'c'], ['a', 'c']]);
  await inMemory.close();
});

test('in memory a commit that fails is a LedgerUnavailable for all of the group, and nothing of it is there', async () => {
  const inMemory = await openLedger(':memory:');
  await inMemory.write(async (tx) => {
    await sql`create table parent (id integer primary key)`.execute(tx);
    await sql`create table child (id integer references parent (id) deferrable initially deferred)`.execute(tx);
  });
  const results = await Promise.allSettled([
    inMemory.write((tx) => insert(tx, 'a')),
    inMemory.write((tx) => sql`insert into child values (1)`.execute(tx)),
  ]);
  expect(results.map((each) => each.status === 'rejected' && each.reason instanceof LedgerUnavailable)).toEqual([
    true,
    true,
  ]);
  const { rows } = await inMemory.read((reader) => sql`select 1 from tpp_contact`.execute(reader));
  expect(rows).toEqual([]);
  await inMemory.close();
});
