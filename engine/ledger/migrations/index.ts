import type { Migration } from 'kysely/migration';
import * as tables from './001-tables.ts';

/** By name, in the order of the names. */
export type Migrations = Readonly<Record<string, Migration>>;

/**
 * The migrations of a ledger. A released one is frozen and imports nothing of ours; none is taken back. Until 0.1.0 is tagged the first
 * one is edited in place.
 */
export const migrations: Migrations = { '001-tables': tables };

/** The first migration of every ledger from before 0.1.0, which this program does not read. */
export const firstOfOlder = '001-ledger';
