import BetterSqlite3 from 'better-sqlite3';
import { followerTables } from '../../engine/ledger/schema.ts';

/** How a checkpoint treats others who use the file. */
export const checkpoints = ['passive', 'full', 'restart', 'truncate'] as const;

/**
 * A follower of a ledger file, as Litestream is one: it makes its tables, leaves checkpoints to itself, and holds a read transaction
 * nearly always. It waits for nobody.
 */
export class Follower {
  readonly sqlite: BetterSqlite3.Database;

  constructor(path: string, timeout = 0) {
    this.sqlite = new BetterSqlite3(path, { timeout, fileMustExist: true });
    this.sqlite.pragma('wal_autocheckpoint = 0');
    for (const text of followerTables.values()) this.sqlite.exec(text.replace('TABLE', 'TABLE IF NOT EXISTS'));
    this.bump();
    this.hold();
  }

  /** Writes a row, so that the log has a page. */
  bump(): void {
    this.sqlite.exec(
      'insert into _litestream_seq (id, seq) values (1, 1) on conflict (id) do update set seq = seq + 1',
    );
  }

  hold(): void {
    this.sqlite.exec('begin');
    this.sqlite.prepare('select count(*) from _litestream_seq').get();
  }

  release(): void {
    if (this.sqlite.inTransaction) this.sqlite.exec('rollback');
  }

  checkpoint(mode: (typeof checkpoints)[number]): void {
    this.release();
    this.sqlite.pragma(`wal_checkpoint(${mode})`);
    this.bump();
    this.hold();
  }

  /** The clock of the bank, as this follower sees it. */
  clock(): unknown {
    return this.sqlite.prepare('select clock_value from bank_state').pluck().get();
  }
}
