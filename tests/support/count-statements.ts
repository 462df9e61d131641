import BetterSqlite3 from 'better-sqlite3';
import { sql } from 'kysely';
import type { Bank } from '../../engine/open-bank.ts';

/** What begins and ends a transaction, or sets SQLite up. */
const notCounted = /^\s*(?:begin|commit|rollback|savepoint|release|pragma)\b/i;

/**
 * The SQL texts that SQLite carries out for a bank while `work` goes on, in order; over HTTP too. Without begin, commit,
 * rollback, savepoint, release and pragma. What the bank does by itself meanwhile counts as well.
 */
export async function statementsOf(bank: Bank, work: () => Promise<unknown>): Promise<string[]> {
  return (await carriedOut(bank, work)).filter((text) => !notCounted.test(text));
}

/** How many transactions a bank begins while `work` goes on. */
export async function transactionsOf(bank: Bank, work: () => Promise<unknown>): Promise<number> {
  return (await carriedOut(bank, work)).filter((text) => /^begin\b/.test(text)).length;
}

async function carriedOut(bank: Bank, work: () => Promise<unknown>): Promise<string[]> {
  const ran: BetterSqlite3.Statement[] = [];
  const restore = watch((statement) => ran.push(statement));
  try {
    // Other banks of this process have databases of their own: one that is known tells which is this bank's.
    await bank.ledger.read((reader) => sql`select 'whose'`.execute(reader));
    const database = ran.find(({ source }) => source === "select 'whose'")?.database;
    if (database === undefined) throw new Error('the ledger carries out what it is asked to');
    ran.length = 0;
    await work();
    return ran.filter((statement) => statement.database === database).map(({ source }) => source);
  } finally {
    restore();
  }
}

type Run = (this: BetterSqlite3.Statement, ...parameters: unknown[]) => unknown;

/** Tells every execution of a prepared statement in this process, until what it returns is called. */
function watch(tell: (statement: BetterSqlite3.Statement) => void): () => void {
  const probe = new BetterSqlite3(':memory:');
  const prototype = Object.getPrototypeOf(probe.prepare('select 1')) as Record<'all' | 'run' | 'iterate', Run>;
  probe.close();
  const { all, run, iterate } = prototype;
  const told = (original: Run): Run =>
    function (...parameters) {
      tell(this);
      return original.apply(this, parameters);
    };
  Object.assign(prototype, { all: told(all), run: told(run), iterate: told(iterate) });
  return () => void Object.assign(prototype, { all, run, iterate });
}
