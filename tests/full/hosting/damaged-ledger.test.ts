import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import BetterSqlite3 from 'better-sqlite3';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { readConfig } from '../../../api/start/config.ts';
import { type ConfiguredBank, openConfiguredBank } from '../../../api/hosting/open-configured-bank.ts';
import { startServer } from '../../../api/hosting/server.ts';
import { checkLedger, type LedgerLock, lockLedger } from '../../../engine/open-bank.ts';
import { advanceClock } from '../../../engine/runs/advance-clock.ts';
import { hashLedger } from '../../../engine/bank/change-state.ts';
import { busyEnd, layBusyLedger, openBusy } from '../../support/busy-ledger.ts';
import { at, manualClock } from '../../lab/bank.ts';
import { greetedAddress } from '../../lab/greeted-address.ts';
import { program } from '../../support/program.ts';
import { brokenProofs } from '../../lab/proof.ts';
import { freePort } from '../../support/free-port.ts';
import { sample } from '../../support/sample.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { Mistake } from '../../../engine/values/mistake.ts';

const run = promisify(execFile);
const folder = tempFolder();
const sound = join(folder, 'sound.sqlite');
let soundHash: string;
let pageSize: number;
let pages: number;

beforeAll(async () => {
  await layBusyLedger(sound);
  const bank = await openBusy(sound);
  await advanceClock(bank, busyEnd);
  soundHash = await hashLedger(bank, 'included');
  await bank.close();
  const sqlite = new BetterSqlite3(sound);
  // A free page, for the ways that damage those.
  sqlite.exec('create table free (bytes blob); insert into free values (zeroblob(40000)); drop table free');
  pageSize = Number(sqlite.pragma('page_size', { simple: true }));
  pages = Number(sqlite.pragma('page_count', { simple: true }));
  sqlite.close();
  rmSync(`${sound}.snapshots`, { recursive: true });
}, 60_000);

let copies = 0;
function copy(): string {
  copies += 1;
  const file = join(folder, `copy-${copies}.sqlite`);
  copyFileSync(sound, file);
  return file;
}

const flags = (ledger: string): string[] => ['--ledger', ledger, '--port', '0', '--log-level', 'silent'];

/** What a start says of it, in one line; `served right` when it serves all that there was. */
async function start(ledger: string): Promise<string> {
  try {
    const opening = { wall: manualClock(at('2027-03-22T12:00:00+01:00')), address: 'test' };
    const { bank, close } = await openConfiguredBank(readConfig({}, flags(ledger)), opening);
    const [hash, broken] = [await hashLedger(bank, 'included'), await brokenProofs(bank)];
    await close();
    return hash === soundHash && Object.keys(broken).length === 0 ? 'served right' : 'SERVED WRONG';
  } catch (error) {
    if (!(error instanceof Mistake)) throw error;
    expect(error.message).not.toContain('\n');
    expect(error.message).not.toMatch(/\bat .*\.ts|undefined|\[object/);
    expect(error.message).toContain(ledger);
    return error.message.slice(error.message.indexOf('.sqlite') + '.sqlite '.length);
  }
}

function bytes(change: (content: Buffer) => void): (file: string) => void {
  return (file) => {
    const content = readFileSync(file);
    change(content);
    writeFileSync(file, content);
  };
}

/** By SQL, past every constraint and trigger of the tables. */
function rows(...statements: string[]): (file: string) => void {
  return (file) => {
    const sqlite = new BetterSqlite3(file);
    sqlite.pragma('foreign_keys = off');
    sqlite.pragma('ignore_check_constraints = on');
    const triggers = sqlite
      .prepare<[], { name: string; sql: string }>(`select name, sql from sqlite_schema where type = 'trigger'`)
      .all();
    for (const { name } of triggers) sqlite.exec(`drop trigger ${name}`);
    for (const statement of statements) sqlite.exec(statement);
    for (const trigger of triggers) sqlite.exec(trigger.sql);
    sqlite.close();
  };
}

/** The tables and indexes themselves. */
function schema(...statements: string[]): (file: string) => void {
  return (file) => {
    const sqlite = new BetterSqlite3(file);
    sqlite.pragma('foreign_keys = off');
    for (const statement of statements) sqlite.exec(statement);
    sqlite.close();
  };
}

/** The first page of a table or an index, from 0. */
function rootOf(name: string): number {
  const sqlite = new BetterSqlite3(sound, { readonly: true });
  const root = sqlite.prepare<[string], number>('select rootpage from sqlite_schema where name = ?').pluck().get(name);
  sqlite.close();
  return (root ?? 1) - 1;
}

const zeroed = (page: () => number): ((file: string) => void) =>
  bytes((content) => content.fill(0, page() * pageSize, (page() + 1) * pageSize));
const flipped = (offset: () => number, mask = 0xff): ((file: string) => void) =>
  bytes((content) => content.writeUInt8(content.readUInt8(offset()) ^ mask, offset()));

const refused: readonly (readonly [what: string, damage: (file: string) => void, said: RegExp])[] = [
  ['cut off in the middle', (file) => truncateSync(file, Math.floor(pages / 2) * pageSize), /damaged/],
  ['cut off by a page', (file) => truncateSync(file, (pages - 1) * pageSize), /damaged/],
  ['cut off inside a page', (file) => truncateSync(file, (pages - 8) * pageSize - 100), /damaged/],
  ['cut off after its first page', (file) => truncateSync(file, pageSize), /damaged/],
  ['cut off inside its first page', (file) => truncateSync(file, 700), /no ledger|damaged/],
  ['cut off inside its header', (file) => truncateSync(file, 50), /no ledger|damaged/],
  [
    'emptied, with its snapshots beside it',
    (file) => {
      truncateSync(file, 0);
      mkdirSync(`${file}.snapshots`);
    },
    /it is empty, and snapshots of it are there/,
  ],
  ['nothing but zeros', bytes((content) => content.fill(0)), /no ledger/],
  ['zeros in its first page', zeroed(() => 0), /no ledger/],
  ['zeros in a table', zeroed(() => rootOf('account')), /damaged/],
  ['zeros in the entries', zeroed(() => rootOf('entry')), /damaged/],
  ['zeros in an index', zeroed(() => rootOf('entry_of_account')), /damaged/],
  ['its magic spoilt', flipped(() => 3), /no ledger/],
  ['its page size spoilt', flipped(() => 16), /no ledger|damaged/],
  ['its text encoding spoilt', flipped(() => 59, 0x02), /damaged|no ledger|cannot be/],
  ['its schema format spoilt', flipped(() => 47), /damaged|cannot be/],
  ['its count of free pages spoilt', flipped(() => 39, 0x01), /damaged/],
  ['its first free page spoilt', flipped(() => 35, 0x7f), /damaged/],
  ["a table's page type spoilt", flipped(() => rootOf('payment') * pageSize), /damaged/],
  ["a table's count of cells spoilt", flipped(() => rootOf('execution') * pageSize + 4), /damaged/],
  ["an index's page type spoilt", flipped(() => rootOf('execution_due') * pageSize), /damaged/],
  ["an index's cell pointer spoilt", flipped(() => rootOf('account_bban_in_use') * pageSize + 8), /damaged/],
  [
    'the last key of an index spoilt',
    flipped(() => (rootOf('account_bban_in_use') + 1) * pageSize - 4, 0x01),
    /damaged/,
  ],
  ['pages of another file in it', bytes((content) => content.fill('garbage ', 5 * pageSize, 9 * pageSize)), /damaged/],
  ['a table missing', schema('drop table tpp_contact'), /the table tpp_contact is missing/],
  ['an index missing', schema('drop index execution_due'), /the index execution_due is missing/],
  ['a unique index missing', schema('drop index account_iban_in_use'), /the index account_iban_in_use is missing/],
  ['a trigger missing', schema('drop trigger entry_is_never_changed'), /the trigger entry_is_never_changed is missing/],
  ['a column missing', schema('alter table payment drop column leaves_at'), /the table payment is not the ledger's/],
  ['a column renamed', schema('alter table account rename column name to title'), /is not the ledger's/],
  [
    'a trigger of somebody else',
    schema('create trigger t after insert on payment begin select 1; end'),
    /the trigger t is not/,
  ],
  ['a table of somebody else', schema('create table notes (text text)'), /the table notes is not the ledger's/],
  [
    'all tables of somebody else',
    (file) => {
      rmSync(file);
      schema('create table account (id integer)')(file);
    },
    /cannot be brought up to date/,
  ],
  [
    'a migration that it does not know',
    schema(`insert into kysely_migration values ('999-x', '2099')`),
    /cannot be brought up to date/,
  ],
  ['its migrations forgotten', schema('delete from kysely_migration'), /cannot be brought up to date/],
  [
    'a balance changed',
    rows('update account set balance_minor = balance_minor + 1 where id = 3'),
    /account .* carries .*, and its entries give/,
  ],
  ['an entry gone', rows('delete from entry where id = (select max(id) from entry)'), /carries/],
  ['an entry changed', rows('update entry set amount_minor = amount_minor + 1 where id = 10'), /carries/],
  [
    'an entry doubled',
    rows(
      'insert into entry (account_id, amount_minor, execution_id, booking_date, value_date) select account_id, amount_minor, execution_id, booking_date, value_date from entry where execution_id is not null limit 1',
    ),
    /carries/,
  ],
  [
    'an entry and its balance changed alike',
    rows(
      'update entry set amount_minor = amount_minor + 1 where id = 10',
      'update account set balance_minor = balance_minor + 1 where id = (select account_id from entry where id = 10)',
    ),
    /do not sum to zero/,
  ],
  [
    'a settled execution open again',
    rows(`update execution set status = 'ACSP' where id = (select min(id) from execution where status = 'ACSC')`),
    /do not agree with their entries/,
  ],
  [
    'an open execution settled',
    rows(`update execution set status = 'ACSC' where id = (select min(id) from execution where status = 'RJCT')`),
    /do not agree with their entries/,
  ],
  [
    'an amount changed',
    rows(`update execution set amount_minor = 1 where id = (select min(id) from execution where status = 'ACSC')`),
    /do not agree with their entries/,
  ],
  [
    'a status of an execution that there is not',
    rows(`update execution set status = 'XXXX' where id = (select min(id) from execution where status = 'RJCT')`),
    /CHECK constraint failed in execution/,
  ],
  [
    'a row that refers to none',
    rows('update payment set customer_id = 9999 where id = (select min(id) from payment)'),
    /a row of payment refers to one that is not there/,
  ],
];

const servedRight: readonly (readonly [what: string, damage: (file: string) => void])[] = [
  ['nothing at all', () => undefined],
  ['another user_version, which nobody reads', schema('pragma user_version = 77')],
  ['another application_id, which nobody reads', schema('pragma application_id = 12345')],
  ['a log of garbage', (file) => writeFileSync(`${file}-wal`, Buffer.alloc(50_000, 'garbage '))],
  ['a log of zeros', (file) => writeFileSync(`${file}-wal`, Buffer.alloc(50_000))],
  ['a log index of garbage', (file) => writeFileSync(`${file}-shm`, Buffer.alloc(32_768, 'garbage '))],
  [
    'a free page of garbage',
    bytes((content) => content.fill(0x5a, (pages - 2) * pageSize + 200, (pages - 1) * pageSize)),
  ],
  ['something after its end', (file) => appendFileSync(file, 'garbage')],
  ['a larger change counter', flipped(() => 27)],
  ['a file format that WAL sets right', flipped(() => 18)],
];

describe('K1b: a damaged ledger is refused at the start, in one line', () => {
  test.each(sample('damaged', refused, 3))(
    '%s',
    async (_what, damage, said) => {
      const file = copy();
      damage(file);
      expect(await start(file)).toMatch(said);
    },
    20_000,
  );

  test('there are more than 32 ways', () => {
    expect(refused.length).toBeGreaterThan(32);
  });
});

describe('what damages nothing that is read is served, all of it', () => {
  test.each(sample('served', servedRight, 3))(
    '%s',
    async (_what, damage) => {
      const file = copy();
      damage(file);
      expect(await start(file)).toBe('served right');
    },
    20_000,
  );
});

test('the program says it in one line too, without a stack, and ends in 2', async () => {
  const file = copy();
  zeroed(() => rootOf('entry'))(file);
  const args = [program, ...flags(file)];
  const { code, stderr } = (await run(process.execPath, args).catch((error: unknown) => error)) as {
    code: number;
    stderr: string;
  };
  expect([code, stderr.split('\n')]).toEqual([2, [expect.stringContaining(`the ledger ${file} is damaged`), '']]);
}, 20_000);

describe('a large ledger is checked in a process of its own', () => {
  test('which finds what is wrong, and what is not', async () => {
    expect(await checkLedger(copy(), 'in a process')).toBe(true);
    const file = copy();
    rows('update account set balance_minor = balance_minor + 1 where id = 3')(file);
    await expect(checkLedger(file, 'in a process')).rejects.toThrow('its entries give');
    await expect(checkLedger(join(folder, 'none.sqlite'), 'in a process')).rejects.toThrow('unable to open');
  }, 20_000);

  test('/ready says checking and other requests 503 until it is over', async () => {
    const file = copy();
    // Free pages make a file large, and are all looked at.
    schema(
      'create table large (bytes blob)',
      'insert into large values (zeroblob(110000000))',
      'drop table large',
    )(file);
    expect(statSync(file).size).toBeGreaterThan(100 * 1024 * 1024);
    const port = await freePort();
    const starting = startServer(readConfig({}, [...flags(file), '--port', String(port)]));
    const seen = new Set<string>();
    let isOver = false;
    void starting.finally(() => (isOver = true)).catch(() => undefined);
    while (!isOver) {
      const [ready, interfaced] = await Promise.all(
        ['/ready', '/v1/accounts'].map((path) => fetch(`http://127.0.0.1:${port}${path}`)),
      ).catch(() => []);
      const state = (await ready?.json()) as { status: string } | undefined;
      if (state?.status === 'checking') seen.add(`checking ${ready?.status} ${interfaced?.status}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    const server = await starting;
    expect([...seen]).toEqual(['checking 503 503']);
    expect((await fetch(`http://127.0.0.1:${port}/ready`)).status).toBe(200);
    await server.stop();
  }, 60_000);
});

describe('B3: a large ledger that a clean stop left and nobody has touched since is ready at once, and checked beside its use', () => {
  /** Free pages make a file large, and are quickly looked at. */
  const enlarge = schema(
    'create table large (bytes blob)',
    'insert into large values (zeroblob(20000000))',
    'drop table large',
  );
  const wrong = rows('update account set balance_minor = balance_minor + 1 where id = 3');
  const lock = (file: string): LedgerLock => lockLedger(file, { address: 'test', pid: 1 });
  /** Leaves the state of the file, as a clean stop does. */
  const leaveAsSound = (file: string): void => lock(file).release(true);

  async function open(file: string): Promise<ConfiguredBank & { readonly isCheckedFirst: boolean }> {
    let isCheckedFirst = false;
    const checking = (): void => void (isCheckedFirst = true);
    const opening = { wall: manualClock(at('2027-03-22T12:00:00+01:00')), address: 'test', checking };
    const opened = await openConfiguredBank(readConfig({}, flags(file)), opening);
    return { ...opened, isCheckedFirst };
  }

  const another = (file: string): string => file.replace('.sqlite', '-another.sqlite');
  const touched: readonly (readonly [what: string, touch: (file: string) => unknown])[] = [
    ['changed by another program', schema('create table notes (text text)', 'drop table notes')],
    [
      'a byte of it changed, its times set back',
      (file) => {
        const { atime, mtime } = statSync(file);
        flipped(() => (pages - 2) * pageSize + 200)(file);
        utimesSync(file, atime, mtime);
      },
    ],
    [
      'restored from a backup under its name',
      (file) => {
        copyFileSync(file, another(file));
        copyFileSync(another(file), file);
      },
    ],
    [
      'restored from a backup that is moved there',
      (file) => {
        copyFileSync(file, another(file));
        renameSync(another(file), file);
      },
    ],
    [
      'copied with all that lies beside it',
      (file) => {
        for (const suffix of ['', '.lock']) copyFileSync(file + suffix, another(file) + suffix);
        return another(file);
      },
    ],
    ['with a log beside it', (file) => writeFileSync(`${file}-wal`, '')],
    ['served again, and not stopped cleanly', (file) => lock(file).release()],
  ];

  test.each([['not touched', () => undefined] as const, ...touched])(
    'what a stop leaves holds no more: %s',
    async (what, touch) => {
      const file = copy();
      leaveAsSound(file);
      // Longer than a tick of the file system's clock.
      await new Promise((resolve) => setTimeout(resolve, 20));
      const moved = touch(file);
      const taken = lock(typeof moved === 'string' ? moved : file);
      expect(taken.isUntouched).toBe(what === 'not touched');
      taken.release();
    },
  );

  test('after a stop, also one that ends the check, and not after a kill', async () => {
    const file = copy();
    enlarge(file);
    const first = await open(file);
    expect(first.isCheckedFirst).toBe(true);
    await first.close();
    const second = await open(file);
    expect(second.isCheckedFirst).toBe(false);
    const ended = second.checkBeside();
    await second.close();
    await ended;
    const third = await open(file);
    expect(third.isCheckedFirst).toBe(false);
    await third.checkBeside();
    expect([third.bank.ledger.trouble(), await hashLedger(third.bank, 'included')]).toEqual([null, soundHash]);
    await third.close();

    const child = spawn(process.execPath, [program, ...flags(file)], { env: {}, stdio: ['ignore', 'pipe', 'inherit'] });
    await greetedAddress(child.stdout);
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
    const last = await open(file);
    expect(last.isCheckedFirst).toBe(true);
    await last.close();
  }, 30_000);

  test('a foreign table is refused, whatever a stop has left', async () => {
    const file = copy();
    enlarge(file);
    schema('create table notes (text text)')(file);
    leaveAsSound(file);
    await expect(open(file)).rejects.toThrow("the table notes is not the ledger's");
  }, 20_000);

  test('wrong books under the state of a clean stop: ready, then broken; the next start checks first and refuses', async () => {
    const file = copy();
    enlarge(file);
    wrong(file);
    leaveAsSound(file);
    const opened = await open(file);
    expect([opened.isCheckedFirst, opened.bank.ledger.trouble()]).toEqual([false, null]);
    await opened.checkBeside();
    expect(opened.bank.ledger.trouble()).toMatchObject({
      kind: 'broken',
      reason: expect.stringContaining('its entries give'),
    });
    await opened.close();
    expect(await start(file)).toContain('its entries give');
  }, 20_000);
});
