import type { Instant } from '../../values/instant.ts';
import type { CountedRead } from '../rules/unattended-access.ts';
import type { Writer } from '../../ledger/database.ts';

/** What is counted together: one kind of read of one account by one TPP for one PSU. */
export interface CountedAccess {
  readonly psuKey: number;
  /** The id that the interface shows, of an account or a card account. */
  readonly accountId: string;
  readonly kind: CountedRead;
}

/** When it was read after `since`, the earliest first. What is older is forgotten: it never counts again. */
export async function unattendedReads(
  tx: Writer,
  { psuKey, accountId, kind }: CountedAccess,
  since: Instant,
): Promise<Instant[]> {
  await tx
    .deleteFrom('unattended_read')
    .where('psu_key', '=', psuKey)
    .where('account_id', '=', accountId)
    .where('at', '<=', since)
    .execute();
  const rows = await tx
    .selectFrom('unattended_read')
    .select('at')
    .where('psu_key', '=', psuKey)
    .where('account_id', '=', accountId)
    .where('kind', '=', kind)
    .orderBy('at')
    .execute();
  return rows.map(({ at }) => at);
}

export async function insertUnattendedRead(
  tx: Writer,
  { psuKey, accountId, kind }: CountedAccess,
  at: Instant,
): Promise<void> {
  await tx.insertInto('unattended_read').values({ psu_key: psuKey, account_id: accountId, kind, at }).execute();
}
