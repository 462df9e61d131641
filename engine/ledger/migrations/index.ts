import type { Migration } from 'kysely/migration';
import * as ledger from './001-ledger.ts';
import * as clockRate from './002-clock-rate.ts';

/** In order of their names. A migration that was released is frozen and imports nothing of ours. */
export const migrations: Record<string, Migration> = {
  '001-ledger': ledger,
  '002-clock-rate': clockRate,
};
