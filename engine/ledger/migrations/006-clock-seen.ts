import { sql, type Kysely } from 'kysely';

/**
 * The last moment that a transaction saw (rules.md T7). What a ledger tells of earlier ones is the clock's last setting, and
 * the last run: a running clock is not behind it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table bank_state add column clock_seen integer not null default 0`.execute(db);
  await sql`update bank_state set clock_seen = iif(clock_mode = 'frozen', clock_since, max(clock_since,
    clock_since + (last_run_at - clock_since - clock_value + clock_rate - 1) / clock_rate))`.execute(db);
}
