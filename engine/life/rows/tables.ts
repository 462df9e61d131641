import type { Generated } from 'kysely';
import type { Instant } from '../../values/instant.ts';
import type { LocalDate } from '../../values/local-date.ts';

declare module '../../ledger/tables.ts' {
  interface Tables {
    persona: PersonaRow;
    life: LifeRow;
    life_mark: LifeMarkRow;
  }
}

interface PersonaRow {
  id: Generated<number>;
  /** JSON of a Persona. */
  content: string;
}

interface LifeMarkRow {
  /** Account and event of a purchase that happened, and on which others hang (rules.md L9). */
  mark: string;
}

export interface LifeRow {
  id: Generated<number>;
  account_id: number;
  persona_id: number;
  seed: string;
  /** The first day of its past. */
  from_date: LocalDate;
  /** What happened until then was booked when the life began. */
  began_at: Instant;
}
