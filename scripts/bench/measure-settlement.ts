import { closeSync, copyFileSync, existsSync, fsyncSync, openSync, rmSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { sql } from 'kysely';
import { pageSize } from '../../engine/ledger/connection.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { closeInOnePiece, instant, openBenchBank } from './bench-bank.ts';
import { bookStatements, measuredRun, runDay, type BookSize } from './book.ts';
import { settleByHand } from './hand-written-loop.ts';
import { stopwatch, type Measured } from './stopwatch.ts';

/** Measures one settlement run of all due payments, by the engine or by the hand-written loop. */
export interface SettlementTask {
  readonly kind: 'settlement';
  readonly by: 'engine' | 'loop';
  /** A ledger file made by {@link makeTemplate}, or by {@link makeTemplateByHand}. */
  readonly template: string;
  readonly size: BookSize;
  readonly inMemory: boolean;
}

/** Creates a ledger file with all payments; the measurements work on copies. */
export async function makeTemplate(path: string, size: BookSize): Promise<void> {
  const bank = await openBenchBank(path);
  await bank.close();
  const database = new BetterSqlite3(path);
  fill(database, size);
  // Both sides switch to WAL themselves.
  closeInOnePiece(database);
}

/**
 * Creates the file of the loop: the tables of a bank's ledger at `path`, with conditions as one writes them by hand, `status in (...)`.
 * That the ledger names the values one by one, which SQLite checks faster is a part of what the engine gains.
 */
export function makeTemplateByHand(path: string, ledger: string, size: BookSize): void {
  const database = new BetterSqlite3(path);
  copyTables(database, ledger, inLists);
  fill(database, size);
  closeInOnePiece(database);
}

/** Conditions that name values one by one, such as `status = 'ACSP' or status = 'PDNG'`: the column, and the comparisons after the first. */
const oneByOne = /\b(\w+) (=|<>) ('\w+')((?: (?:or|and) \1 \2 '\w+')+)/g;

/** Writes conditions of the tables as lists: `status in ('ACSP', 'PDNG')`. */
function inLists(statements: string): string {
  let changed = 0;
  const text = statements.replace(oneByOne, (all: string, column: string, operator: string) => {
    changed += 1;
    return `${column} ${operator === '=' ? 'in' : 'not in'} (${(all.match(/'\w+'/g) ?? []).join(', ')})`;
  });
  if (changed !== 4) throw new Error(`the ledger has ${changed} conditions that name values one by one, and not 4`);
  return text;
}

/** Settled first by both sides, in memory, so that code is compiled and the calendar loaded. */
const warmUp: BookSize = { accounts: 1_000, due: 5_000, history: 0 };

/** Runs the measurement on a copy of the template. */
export async function measureSettlement(task: SettlementTask): Promise<Measured> {
  await measureOnce({ ...task, size: warmUp, inMemory: true });
  return measureOnce(task);
}

async function measureOnce(task: SettlementTask): Promise<Measured> {
  const copy = `${task.template}.copy`;
  if (!task.inMemory) copyDurably(task.template, copy);
  try {
    return await (task.by === 'engine' ? byEngine(task, copy) : byLoop(task, copy));
  } finally {
    for (const suffix of ['', '-wal', '-shm']) if (existsSync(copy + suffix)) rmSync(copy + suffix);
  }
}

/** Copies and syncs to disk; otherwise the first measured checkpoint would wait for the copy. */
function copyDurably(from: string, to: string): void {
  copyFileSync(from, to);
  const file = openSync(to, 'r+');
  fsyncSync(file);
  closeSync(file);
}

async function byEngine({ inMemory, size }: SettlementTask, copy: string): Promise<Measured> {
  const bank = await openBenchBank(inMemory ? ':memory:' : copy);
  if (inMemory) {
    await bank.ledger.write(async (tx) => {
      for (const statement of bookStatements(size)) await sql.raw(statement).execute(tx);
    });
  }
  const stop = stopwatch();
  const { runs } = await advanceClock(bank, instant(measuredRun));
  const measured = stop();
  await bank.close();
  expectAll(runs[0]?.settled ?? 0, size);
  return measured;
}

function byLoop({ inMemory, size, template }: SettlementTask, copy: string): Measured {
  const database = new BetterSqlite3(inMemory ? ':memory:' : copy);
  if (inMemory) {
    copyTables(database, template);
    fill(database, size);
  }
  // As the ledger sets them, the width of integers too: money must not be rounded.
  database.defaultSafeIntegers(true);
  database.pragma('foreign_keys = ON');
  if (!inMemory) {
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = FULL');
  }
  const stop = stopwatch();
  const settled = settleByHand(database, { date: runDay, number: 1, at: instant(measuredRun) });
  const measured = stop();
  database.close();
  expectAll(settled, size);
  return measured;
}

/** Creates the tables and indexes of the file at `from`, empty. */
function copyTables(
  database: BetterSqlite3.Database,
  from: string,
  rewrite = (statements: string): string => statements,
): void {
  database.pragma(`page_size = ${pageSize}`);
  const source = new BetterSqlite3(from, { readonly: true });
  const made = source
    .prepare<[], string>('select sql from sqlite_schema where sql is not null order by rowid')
    .pluck()
    .all();
  source.close();
  database.exec(rewrite(made.join(';\n')));
}

function fill(database: BetterSqlite3.Database, size: BookSize): void {
  database.transaction(() => {
    for (const statement of bookStatements(size)) database.exec(statement);
  })();
}

function expectAll(settled: number, { due }: BookSize): void {
  if (settled !== due) throw new Error(`${settled} of ${due} payments settled`);
}
