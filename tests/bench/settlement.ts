import { closeSync, copyFileSync, fsyncSync, openSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import type { Bank } from '../../engine/open-bank.ts';
import { pageSize } from '../../engine/ledger/connection.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { localDate } from '../../engine/values/local-date.ts';
import { carryOut, closeInOnePiece, customer, openBenchBank, removeLedger } from './bench-bank.ts';
import { at } from '../lab/bank.ts';
import { approve, initiate, people } from '../lab/payments.ts';
import { beforeHistory, bookStatements, eveningBefore, measuredRun, runDay, type BookSize } from '../lab/book.ts';
import { figure, type Figure, inOwnProcess, inTurns, measured, type Measured } from './measure.ts';
import { settleByHand } from './hand-written-loop.ts';

/** A ledger file, and what it has. */
interface Template {
  /** Made by {@link makeTemplate}, or by {@link makeTemplateByHand}. */
  readonly template: string;
  readonly size: BookSize;
}

/** One settlement run of all due payments, by the engine or by the hand-written loop. */
interface Settlement extends Template {
  readonly by: 'engine' | 'loop';
  readonly inMemory?: true;
}

/**
 * The settlement run beside the hand-written loop, and beside the same run on a ledger without history. Years of standing orders
 * are beside the loop too, which schedules no next payment.
 */
export async function figures(folder: string, scale: number): Promise<Figure[]> {
  const ledger = (name: string, size: BookSize): Template => ({ template: join(folder, `${name}.sqlite`), size });
  const size = { accounts: 10_000 / scale, due: 100_000 / scale, history: 0 };
  const [young, byHand] = [ledger('young', size), ledger('by-hand', size)];
  const old = ledger('old', { ...size, history: 1_000_000 / scale });
  // As a busy bank makes the same history.
  const busy = ledger('busy', { ...old.size, historyDays: 12 });
  await makeTemplates(young, old, busy);
  makeTemplateByHand(byHand, young.template);
  const settle = (task: Settlement) => () => inOwnProcess(import.meta.url, settleAll, task);
  const pay = (task: Orders) => () => inOwnProcess(import.meta.url, payOrders, task);
  const orders = { path: join(folder, 'orders.sqlite'), orders: 1_000, years: scale === 1 ? 5 : 2 };
  const runs = await inTurns(
    {
      engine: settle({ by: 'engine', ...young }),
      loop: settle({ by: 'loop', ...byHand }),
      old: settle({ by: 'engine', ...old }),
      busy: settle({ by: 'engine', ...busy }),
      engineInMemory: settle({ by: 'engine', ...young, inMemory: true }),
      loopInMemory: settle({ by: 'loop', ...byHand, inMemory: true }),
      orders: pay(orders),
      idle: pay({ ...orders, orders: 0, years: 10 }),
    },
    (measure) => measure(),
    3,
    1,
  );
  // The least: other load only adds.
  const seconds = (name: keyof typeof runs): number => Math.min(...runs[name].map((run) => run.seconds));
  const rate = (name: keyof typeof runs): number => size.due / seconds(name);
  const loop = ['the loop', rate('loop')] as const;
  const loopInMemory = ['the loop', rate('loopInMemory')] as const;
  const withoutHistory = ['without history', seconds('engine')] as const;
  const memory = (name: keyof typeof runs): Figure => {
    const megabytes = Math.max(...runs[name].map((run) => run.megabytes));
    return figure('  its memory above the start', megabytes, 'MB', { atMost: 250 });
  };
  const [count, booked] = [size.due.toLocaleString('en'), old.size.history.toLocaleString('en')];
  const paid = orders.orders * orders.years * 12;
  const busyYears = `${orders.years} years of ${orders.orders.toLocaleString('en')} monthly orders`;
  return [
    figure(`settle ${count}, on a file`, rate('engine'), 'payments/s', { of: loop, atLeast: 1.5 }),
    memory('engine'),
    figure(`settle ${count}, in memory`, rate('engineInMemory'), 'payments/s', { of: loopInMemory, atLeast: 1.4 }),
    memory('engineInMemory'),
    figure(`settle ${count} after ${booked} booked`, seconds('old'), 's', { of: withoutHistory, atMost: 1.2 }),
    memory('old'),
    figure(`  booked in 12 days`, seconds('busy'), 's', { of: withoutHistory, atMost: 1.2 }),
    memory('busy'),
    figure(busyYears, paid / seconds('orders'), 'payments/s', { of: loop, atLeast: 0.9 }),
    figure('10 years of nothing', seconds('idle'), 's', { atMost: 1 }),
  ];
}

/**
 * Creates ledger files with all payments, those of the history settled, side by side. The measurements work on copies.
 */
export async function makeTemplates(...all: readonly Template[]): Promise<void> {
  console.error(`  makes ledgers with ${all.map(({ size }) => size.due + size.history).join(', ')} payments`);
  await Promise.all(all.map((one) => inOwnProcess(import.meta.url, makeTemplate, one)));
}

/** Makes one of them, and returns its path. Exported for the process that makes it. */
export async function makeTemplate({ template, size }: Template): Promise<string> {
  const bank = await openBenchBank(template, [], beforeHistory);
  await carryOut(bank, bookStatements(size));
  await advanceClock(bank, at(eveningBefore));
  await bank.close();
  closeInOnePiece(new BetterSqlite3(template));
  return template;
}

/** Conditions that name values one by one, such as `status = 'ACSP' or status = 'PDNG'`: the column, and the comparisons after the first. */
const oneByOne = /\b(\w+) (=|<>) ('\w+')((?: (?:or|and) \1 \2 '\w+')+)/g;

/**
 * Creates the file of the loop: the tables of the ledger at `path`, with conditions as one writes them by hand, `status in (...)`.
 * That the ledger names the values one by one, which SQLite checks faster, is a part of what the engine gains.
 */
function makeTemplateByHand({ template, size }: Template, ledger: string): void {
  let changed = 0;
  const rewrite = (sql: string): string =>
    sql.replace(oneByOne, (all: string, column: string, operator: string) => {
      changed += 1;
      return `${column} ${operator === '=' ? 'in' : 'not in'} (${(all.match(/'\w+'/g) ?? []).join(', ')})`;
    });
  const database = new BetterSqlite3(template);
  fillLike(database, ledger, size, rewrite);
  if (changed !== 4) throw new Error(`the ledger has ${changed} conditions that name values one by one, and not 4`);
  closeInOnePiece(database);
}

/** Creates the tables and indexes of the file at `from`, and fills them. */
function fillLike(
  database: BetterSqlite3.Database,
  from: string,
  size: BookSize,
  rewrite = (sql: string): string => sql,
): void {
  database.pragma(`page_size = ${pageSize}`);
  const source = new BetterSqlite3(from, { readonly: true });
  const made = source.prepare<[], string>('select sql from sqlite_schema where sql is not null order by rowid');
  database.exec(rewrite(made.pluck().all().join(';\n')));
  source.close();
  database.transaction(() => database.exec(bookStatements(size).join(';\n')))();
}

/** Settled first by both sides, in memory, so that code is compiled and the calendar loaded. */
const warmUp: BookSize = { accounts: 1_000, due: 5_000, history: 0 };

/** Measures the run on a copy of the template, or in memory. Exported for the process that {@link inOwnProcess} starts. */
export async function settleAll(task: Settlement): Promise<Measured> {
  const settle = task.by === 'engine' ? settleByEngine : settleByLoop;
  await settle({ ...task, size: warmUp }, ':memory:');
  if (task.inMemory) return settle(task, ':memory:');
  const copy = `${task.template}.copy`;
  copyDurably(task.template, copy);
  try {
    return await settle(task, copy);
  } finally {
    removeLedger(copy);
  }
}

/** Copies and syncs to disk; otherwise the first measured checkpoint would wait for the copy. */
function copyDurably(from: string, to: string): void {
  copyFileSync(from, to);
  const file = openSync(to, 'r+');
  fsyncSync(file);
  closeSync(file);
}

async function settleByEngine({ size }: Settlement, ledger: string): Promise<Measured> {
  const bank = await openBenchBank(ledger);
  if (ledger === ':memory:') await carryOut(bank, bookStatements(size));
  const { result, ...run } = await measured(() => advanceClock(bank, at(measuredRun)));
  await bank.close();
  expectAll(result.runs[0]?.settled ?? 0, size);
  return run;
}

async function settleByLoop({ size, template }: Settlement, ledger: string): Promise<Measured> {
  const database = new BetterSqlite3(ledger);
  if (ledger === ':memory:') fillLike(database, template, size);
  // As the ledger sets them, the width of integers too: money must not be rounded.
  database.defaultSafeIntegers(true);
  for (const pragma of ['foreign_keys = ON', 'journal_mode = WAL', 'synchronous = FULL']) database.pragma(pragma);
  const { result, ...run } = await measured(() =>
    settleByHand(database, { date: runDay, number: 1, at: at(measuredRun) }),
  );
  database.close();
  expectAll(result, size);
  return run;
}

function expectAll(settled: number, { due }: BookSize): void {
  if (settled !== due) throw new Error(`${settled} of ${due} payments settled`);
}

const firstBban = 90_000_000_001;
const accounts = 10;

/** Years of monthly standing orders in one advance. */
interface Orders {
  /** Path of a new ledger file, removed afterwards. */
  readonly path: string;
  readonly orders: number;
  /** 2, 5 or 10: they end on a banking day, so that as many payments settle as there are months. */
  readonly years: number;
}

/** Measures only the advance. Exported for the process that {@link inOwnProcess} starts. */
export async function payOrders(task: Orders): Promise<Measured> {
  // As for the loop, code is compiled and the calendar loaded before.
  await advance({ path: ':memory:', orders: 100, years: 2 });
  const run = await advance(task);
  removeLedger(task.path);
  return run;
}

/** Initiates and signs the orders through the operations, then advances over the years. */
async function advance({ path, orders, years }: Orders): Promise<Measured> {
  const bank = await openBenchBank(path, [customer(people.nora.psu, firstBban, accounts)]);
  for (let index = 0; index < orders; index += 1) await placeOrder(bank, index);
  const end = eveningBefore.replace(/^\d+/, (year) => String(Number(year) + years));
  const { result, ...run } = await measured(() => advanceClock(bank, at(end)));
  await bank.close();
  const settled = result.runs.reduce((sum, each) => sum + each.settled, 0);
  const expected = orders * years * 12;
  if (settled !== expected) throw new Error(`${settled} of ${expected} occurrences settled`);
  return run;
}

/** An order to an account of another bank. Orders are spread over the accounts and all days of the month. */
async function placeOrder(bank: Bank, index: number): Promise<void> {
  const body = {
    instructedAmount: { amount: '100.00', currency: 'NOK' },
    debtorAccount: { bban: String(firstBban + (index % accounts)), currency: 'NOK' },
    creditorAccount: { bban: '90491105991', currency: 'NOK' },
    creditorName: 'Utleier AS',
    startDate: localDate(runDay),
    frequency: 'Monthly',
    dayOfExecution: String(1 + (index % 28)),
  } as const;
  const { scaId } = await initiate(bank, { from: 'nora' }, { service: 'periodic-payments', body });
  if (scaId === null) throw new Error('an initiation with X-PSU-IDENTITY can be signed at once');
  await approve(bank, scaId, 'nora');
}
