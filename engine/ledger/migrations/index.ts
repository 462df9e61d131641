import type { Migration } from 'kysely/migration';
import * as ledger from './001-ledger.ts';

/** In order of their names. A migration that was released is frozen and imports nothing of ours. */
export const migrations: Record<string, Migration> = {
  '001-ledger': ledger,
};
