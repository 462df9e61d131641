import type { Generated } from 'kysely';
import type { Instant } from '../../values/instant.ts';
import type { LocalDate } from '../../values/local-date.ts';
import type { CountedRead } from '../rules/unattended-access.ts';

declare module '../../ledger/tables.ts' {
  interface Tables {
    consent: ConsentRow;
    consent_account: ConsentAccountRow;
    consent_card: ConsentCardRow;
    unattended_read: UnattendedReadRow;
  }
}

export interface ConsentRow {
  id: Generated<number>;
  psu_key: number;
  agreement_id: number;
  granted_at: Instant;
  ended_at: Instant | null;
  /** The last bank day on which the TPP read with it; null: none yet. */
  used_on: LocalDate | null;
}

interface ConsentAccountRow {
  consent_id: number;
  account_id: number;
}

interface ConsentCardRow {
  consent_id: number;
  card_account_id: number;
}

/** One read of an account without the PSU; deleted when it no longer counts (rules.md A8). */
interface UnattendedReadRow {
  id: Generated<number>;
  psu_key: number;
  /** The resource_id of an account or a card account. */
  account_id: string;
  kind: CountedRead;
  at: Instant;
}
