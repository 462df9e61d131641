import type { Kysely, Transaction } from 'kysely';

/**
 * Row types by table name, for Kysely. Each room adds its tables in its `rows/`; migrations/ creates them. Money is
 * bigint, in columns named *_minor.
 */
// oxlint-disable-next-line typescript/no-empty-object-type -- the rooms fill it
export interface Tables {}

/**
 * Reads a consistent view of the ledger. Only selects; raw SQL that could write throws when it is executed.
 */
export type Reader = Pick<Kysely<Tables>, 'selectFrom' | 'selectNoFrom' | 'getExecutor'>;
/** Reads and writes in one transaction. Only `write`, `writeAndSave` and `restore` create one. */
export type Writer = Transaction<Tables>;
