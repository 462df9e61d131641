import type { Generated } from 'kysely';
import type { Instant } from '../../values/instant.ts';
import type { Role } from '../rules/persona.ts';
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
  /** Which account of its household it is; null: it has none. */
  role: Role | null;
  /** The key of one account of the household, the same for all of them; null: it has none. */
  household: number | null;
  /** The first day of its past. */
  from_date: LocalDate;
  /** What happened until then was booked when the life began. */
  began_at: Instant;
}
