import type { Generated } from 'kysely';
import { clockRange } from '../time/rules/bank-clock.ts';
import * as allowed from '../values/allowed.ts';
import type { Allowed } from '../values/allowed.ts';
import type { Instant } from '../values/instant.ts';
import type { LocalDate } from '../values/local-date.ts';
import { balanceLimit, type Currency, limitOf } from '../values/money.ts';

/* What engine/ledger/tables.ts makes columns and tables of. */

/** A column: what SQL says after its name, with `$` for the name, and the values that the bank writes there. */
export interface Column<Type, Test extends Allowed | null = Allowed> {
  readonly sql: string;
  /** Null: engine/proof has the test, because it takes what a room knows. */
  readonly isAllowed: Test;
  /** Whether the content hash leaves it out; see {@link drawn} and {@link circumstance}. */
  readonly kind?: 'drawn' | 'circumstance';
  /** Never set: it carries the type of the column for Kysely. */
  readonly type?: Type;
}

type Columns = Readonly<Record<string, Column<unknown, Allowed | null>>>;

/** A table with the room that owns it (ARCHITECTURE.md, law 4). */
export interface Table<Its extends Columns = Columns> {
  readonly room: string;
  readonly columns: Its;
  /** Its constraints, and after them the statements that create its indexes and triggers. */
  readonly more: readonly string[];
}

/** The type of a table for Kysely. */
export type TypeOf<Of extends Table> = {
  [Name in keyof Of['columns']]: Of['columns'][Name] extends Column<infer Type, Allowed | null> ? Type : never;
};

/** Makes a table; `with` gives it its {@link Table.more}. */
export function table<Its extends Columns>(room: string, columns: Its) {
  return { room, columns, more: [], with: (...more: string[]): Table<Its> => ({ room, columns, more }) };
}

/**
 * The statements that create a table with its indexes and triggers. Their texts, blanks included, stay those that ledgers have: opening one
 * compares them (control-plane.md B1).
 */
export function statementsOf(name: string, { columns, more }: Table): string[] {
  const lines = Object.entries(columns).map(([column, { sql }]) => {
    // The one name that is a word of SQL.
    const written = column === 'trigger' ? '"trigger"' : column;
    return `${written} ${sql.replaceAll('$', written)}`;
  });
  const hasRowid = lines.some((line) => line.includes(' integer primary key'));
  const { inside = [], after = [] } = Object.groupBy(more, (text) => (text.startsWith('create ') ? 'after' : 'inside'));
  const parts = [...lines, ...inside];
  const body = parts.length === 1 ? parts.join() : `\n    ${parts.join(',\n    ')}\n  `;
  return [`create table ${name} (${body}) strict${hasRowid ? '' : ', without rowid'}`, ...after];
}

export function column<Type>(sql: string, isAllowed: Allowed): Column<Type> {
  return { sql, isAllowed };
}

/* Columns whose values engine/proof tests. */

export const provenNumber: Column<number, null> = { sql: 'integer not null', isAllowed: null };
export const provenText: Column<string, null> = { sql: 'text not null', isAllowed: null };

/* What changes a column. */

export function orNull<Type, Test extends Allowed | null>(of: Column<Type, Test>): Column<Type | null, Test> {
  const isAllowed = of.isAllowed === null ? null : allowed.orNull(of.isAllowed);
  return { ...of, sql: of.sql.replace(' not null', ''), isAllowed: isAllowed as Test };
}

/** 0 if an insert leaves it out. */
export function orZero<Type>({ sql, isAllowed }: Column<Type>): Column<Generated<Type>> {
  return { sql: sql.replace('not null', 'not null default 0'), isAllowed };
}

export function unique<Type, Test extends Allowed | null>(of: Column<Type, Test>): Column<Type, Test> {
  return { ...of, sql: of.sql.replace('not null', 'not null unique') };
}

export function primary<Type>(of: Column<Type>): Column<Type> {
  return { ...of, sql: of.sql.replace('not null', 'primary key') };
}

/** An id or a key from engine/bank/ids.ts, or a request id of a TPP. No row refers to another row by it. */
export function drawn<Type, Test extends Allowed | null>(of: Column<Type, Test>): Column<Type, Test> {
  return { ...of, kind: 'drawn' };
}

/** Depends on the wall clock, the host name or a setting, not on a command; follows from other columns; or has no effect on anything. */
export function circumstance<Type, Test extends Allowed | null>(of: Column<Type, Test>): Column<Type, Test> {
  return { ...of, kind: 'circumstance' };
}

/** Has SQLite check a condition too. */
export function checked<Type>(of: Column<Type>, condition: string): Column<Type> {
  return { ...of, sql: `${of.sql} check (${condition})` };
}

/** Without the condition that SQLite checks. */
export function unchecked<Type>(of: Column<Type>): Column<Type> {
  return { ...of, sql: of.sql.replace(/ check \(.*/, '') };
}

/* Keys. */

/** Far more than a ledger has, and low enough for counts to stay exact. */
const maxRows = 1_000_000_000;

export const isKey: Allowed = allowed.whole(1, maxRows);
const isDayKey = allowed.whole(1, 2 ** 46);

export const key: Column<Generated<number>> = column('integer primary key', isKey);
/** Of a payment or an execution: it begins with a day before 2100 (engine/ledger/queries.ts). */
export const dayKey: Column<Generated<number>> = column('integer primary key', isDayKey);

/** The key of a row of another table. */
export function ref(table: string): Column<number> {
  const isOfDay = table === 'payment' || table === 'execution';
  return column(`integer not null references ${table} (id)`, isOfDay ? isDayKey : isKey);
}

/* Numbers. */

export function whole(from: number, to: number): Column<number> {
  return column('integer not null', allowed.whole(from, to));
}

export const count: Column<number> = whole(0, maxRows);
/** A boolean. */
export const flag: Column<0 | 1> = checked(column('integer not null', allowed.whole(0, 1)), '$ in (0, 1)');

const day = 86_400_000;
/** A running clock may pass the last instant that can be set. */
const lastInstant = clockRange.to + 400 * day;
const isInstant = allowed.whole(clockRange.from - day, lastInstant);

/** In ms of bank time. */
export const instant: Column<Instant> = column('integer not null', isInstant);
export const instantOrZero: Column<Instant> = column('integer not null', (value) => value === 0 || isInstant(value));
/** An instant of the wall clock, which may be before all bank time. */
export const wallInstant: Column<Instant> = circumstance(column('integer not null', allowed.whole(0, lastInstant)));

/** Minor units of money within a limit. */
function minor(isIn: (value: bigint) => boolean): Column<bigint> {
  return column('integer not null', (value) => typeof value === 'bigint' && isIn(value));
}

const isWithinLimit = (value: bigint) => value <= balanceLimit && value >= -balanceLimit;
export const amount: Column<bigint> = checked(
  minor((value) => value !== 0n && isWithinLimit(value)),
  '$ <> 0',
);
export const positive: Column<bigint> = checked(
  minor((value) => value > 0n && isWithinLimit(value)),
  '$ > 0',
);
export const notNegative: Column<bigint> = checked(
  minor((value) => value >= 0n && isWithinLimit(value)),
  '$ >= 0',
);
/** A balance of an account of a customer, or of the bank's own. */
export const balance: Column<bigint> = minor((value) => value <= limitOf('clearing') && value >= -limitOf('clearing'));

/* Texts. */

/** A text whose length is within these bounds. */
export function text(maxLength: number, minLength = 0): Column<string> {
  return column('text not null', allowed.text(maxLength, minLength));
}

/** A text that matches the form. */
export function formed(form: RegExp): Column<string> {
  return column('text not null', allowed.formed(form));
}

/** One of these words. SQLite checks them as a list. */
export function oneOf<Word extends string>(...words: readonly Word[]): Column<Word> {
  const list = words.map((word) => `'${word}'`).join(', ');
  return checked(column('text not null', allowed.oneOf(words)), `$ in (${list})`);
}

/**
 * As {@link oneOf}, for a status or an outcome, which runs write in bulk: SQLite compares one word after the other. For `in` with more than two
 * it fills a temporary table for each row that it checks.
 */
export function eitherOf<Word extends string>(...words: readonly Word[]): Column<Word> {
  const either = words.map((word) => `$ = '${word}'`).join(' or ');
  return checked(unchecked(oneOf(...words)), words.length > 3 ? `\n      ${either}\n    ` : either);
}

/** Ids from engine/bank/ids.ts, and those that tests choose. */
export const isId: Allowed = allowed.formed(/^[\w!=.:~+-]{1,200}$/);
export const id: Column<string> = drawn(column('text not null', isId));
export const name: Column<string> = text(200);
export const currency: Column<Currency> = column('text not null', allowed.currency);
/** A day that exists. */
export const date: Column<LocalDate> = column('text not null', allowed.date);
/** A day on which the bank may do something. */
export const bankDate: Column<LocalDate> = column('text not null', allowed.bankDate);
