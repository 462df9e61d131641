import type { Generated } from 'kysely';
import type { Instant } from '../values/instant.ts';
import type { LocalDate } from '../values/local-date.ts';
import type { Currency } from '../values/money.ts';

/* What engine/ledger/tables.ts makes columns and tables of. */

/** A column: what SQL says after its name, with `$` for the name. */
export interface Column<Type> {
  readonly sql: string;
  /** Whether the content hash leaves it out; see {@link drawn} and {@link circumstance}. */
  readonly kind?: 'drawn' | 'circumstance';
  /**
   * If its texts are objects of JSON: conditions of SQL that they fulfil, with `$$` for the name. The proof of a ledger
   * checks both.
   */
  readonly json?: readonly string[];
  /** Never set: it carries the type of the column for Kysely. */
  readonly type?: Type;
}

type Columns = Readonly<Record<string, Column<unknown>>>;

/**
 * What a forecast copies of a table (rules.md D3e): `all` of its rows; the rows of the payments that are `due`, by
 * `payment_id`; `some`, which engine/runs/rows/copy-what-moves.ts chooses; `none`, as neither runs nor lives read it.
 */
export type Copied = 'all' | 'due' | 'some' | 'none';

/** A table with the room that owns it (ARCHITECTURE.md, law 4). */
export interface Table<Its extends Columns = Columns, Of extends Copied = Copied> {
  readonly room: string;
  readonly copied: Of;
  readonly columns: Its;
  /** Its constraints, and after them the statements that create its indexes and triggers. */
  readonly more: readonly string[];
}

/** The type of a table for Kysely. */
export type TypeOf<Of extends Table> = {
  [Name in keyof Of['columns']]: Of['columns'][Name] extends Column<infer Type> ? Type : never;
};

/** Makes a table; `with` gives it its {@link Table.more}. */
export function table<Its extends Columns, Of extends Copied>(room: string, copied: Of, columns: Its) {
  const made = { room, copied, columns };
  return { ...made, more: [], with: (...more: string[]): Table<Its, Of> => ({ ...made, more }) };
}

/**
 * The statements that create a table with its indexes and triggers. Their texts, blanks included, stay those that
 * ledgers have: opening one compares them (control-plane.md B1).
 */
export function statementsOf(name: string, { columns, more }: Table): string[] {
  const lines = Object.entries(columns).map(([column, { sql }]) => {
    // This one name is a word of SQL.
    const written = column === 'trigger' ? '"trigger"' : column;
    return `${written} ${sql.replaceAll('$', written)}`;
  });
  const hasRowid = lines.some((line) => line.includes(' integer primary key'));
  const { inside = [], after = [] } = Object.groupBy(more, (text) => (text.startsWith('create ') ? 'after' : 'inside'));
  const parts = [...lines, ...inside];
  const body = parts.length === 1 ? parts.join() : `\n    ${parts.join(',\n    ')}\n  `;
  return [`create table ${name} (${body}) strict${hasRowid ? '' : ', without rowid'}`, ...after];
}

export function column<Type>(sql: string): Column<Type> {
  return { sql };
}

/* What changes a column. */

export function orNull<Type>(of: Column<Type>): Column<Type | null> {
  return { ...of, sql: of.sql.replace(' not null', '') } as Column<Type | null>;
}

/** 0 if an insert leaves it out. */
export function orZero<Type>({ sql }: Column<Type>): Column<Generated<Type>> {
  return { sql: sql.replace('not null', 'not null default 0') };
}

export function unique<Type>(of: Column<Type>): Column<Type> {
  return { ...of, sql: of.sql.replace('not null', 'not null unique') };
}

export function primary<Type>(of: Column<Type>): Column<Type> {
  return { ...of, sql: of.sql.replace('not null', 'primary key') };
}

/**
 * An id or a key from engine/bank/ids.ts, or what was made of one. A first answer alone refers to another row, its SCA,
 * by it.
 */
export function drawn<Type>(of: Column<Type>): Column<Type> {
  return { ...of, kind: 'drawn' };
}

/**
 * Depends on the wall clock, the host name or a setting, not on a command; is drawn by whoever calls (ids of requests
 * and sessions); follows from other columns; or has no effect on anything.
 */
export function circumstance<Type>(of: Column<Type>): Column<Type> {
  return { ...of, kind: 'circumstance' };
}

/** Has SQLite check a condition too. */
export function checked<Type>(of: Column<Type>, condition: string): Column<Type> {
  return { ...of, sql: `${of.sql} check (${condition})` };
}

export const key: Column<Generated<number>> = column('integer primary key');

/** The key of a row of another table. */
export function ref(table: string): Column<number> {
  return column(`integer not null references ${table} (id)`);
}

export const integer: Column<number> = column('integer not null');
/** A boolean. */
export const flag: Column<0 | 1> = checked(column('integer not null'), '$ in (0, 1)');
/** In ms of bank time. */
export const instant: Column<Instant> = column('integer not null');
/** An instant of the wall clock, which may be before all bank time. */
export const wallInstant: Column<Instant> = circumstance(instant);
/** Minor units of money. */
export const minor: Column<bigint> = column('integer not null');
export const amount: Column<bigint> = checked(minor, '$ <> 0');
export const positive: Column<bigint> = checked(minor, '$ > 0');
export const notNegative: Column<bigint> = checked(minor, '$ >= 0');

export const text: Column<string> = column('text not null');
/** An object of JSON that fulfils these conditions, see {@link has} and {@link may}. */
export function json(...conditions: readonly string[]): Column<string> {
  return { ...text, json: conditions };
}

type JsonType = 'text' | 'object' | 'array';

/** The object has these members, of this type. */
export function has(type: JsonType, ...members: readonly string[]): string {
  return members.map((member) => `json_type($$, '$.${member}') is '${type}'`).join(' and ');
}

/** Its members of these names are of this type. */
export function may(type: JsonType, ...members: readonly string[]): string {
  return members.map((member) => `ifnull(json_type($$, '$.${member}'), '${type}') = '${type}'`).join(' and ');
}

/** One of these words. SQLite checks them as a list. */
export function oneOf<Word extends string>(...words: readonly Word[]): Column<Word> {
  const list = words.map((word) => `'${word}'`).join(', ');
  return checked(column('text not null'), `$ in (${list})`);
}

/**
 * As {@link oneOf}, for a status or an outcome, which runs write in bulk: SQLite compares one word after the other. For
 * `in` with more than two it fills a temporary table for each row that it checks.
 */
export function eitherOf<Word extends string>(...words: readonly Word[]): Column<Word> {
  const either = words.map((word) => `$ = '${word}'`).join(' or ');
  return checked(column('text not null'), words.length > 3 ? `\n      ${either}\n    ` : either);
}

/** Ids from engine/bank/ids.ts, and those that tests choose. */
export const id: Column<string> = drawn(text);
export const currency: Column<Currency> = column('text not null');
export const date: Column<LocalDate> = column('text not null');
