import BetterSqlite3 from 'better-sqlite3';

/** A database after changes that its constraints, foreign keys and triggers would refuse, also of its schema table. */
export function patched(image: Buffer, change: (sqlite: BetterSqlite3.Database) => void): Buffer {
  const sqlite = new BetterSqlite3(image);
  try {
    sqlite.unsafeMode(true);
    for (const pragma of ['foreign_keys = off', 'ignore_check_constraints = on', 'writable_schema = on'])
      sqlite.pragma(pragma);
    change(sqlite);
    return sqlite.serialize();
  } finally {
    sqlite.close();
  }
}

/** Writes an object into the schema table, also with a name that SQLite refuses. */
export function schemaRow(type: string, name: string, table: string, sql: string | null, rootPage = 0) {
  return (sqlite: BetterSqlite3.Database): void => {
    sqlite
      .prepare('insert into sqlite_schema (type, name, tbl_name, rootpage, sql) values (?, ?, ?, ?, ?)')
      .run(type, name, table, rootPage, sql);
  };
}

/** Changes rows although triggers forbid it; the triggers stay. */
export function rowsChanged(...statements: readonly string[]) {
  return (sqlite: BetterSqlite3.Database): void => {
    const triggers = sqlite
      .prepare<[], { readonly name: string; readonly sql: string }>(
        `select name, sql from sqlite_schema where type = 'trigger'`,
      )
      .all();
    for (const { name } of triggers) sqlite.exec(`drop trigger ${name}`);
    for (const statement of [...statements, ...triggers.map(({ sql }) => sql)]) sqlite.exec(statement);
  };
}
