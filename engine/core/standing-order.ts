import type { BankingCalendar } from './banking-calendar.ts';
import type { LocalDate } from './local-date.ts';
import { occurrence, type Occurrence, type Schedule } from './occurrences.ts';

/** The occurrences of one execution date, and the index to go on from: null when the order is at its end. */
export interface OccurrenceBatch {
  readonly occurrences: readonly Occurrence[];
  readonly nextIndex: number | null;
}

/**
 * The next occurrences to lay: the one at `index` and those after it that fall on the same execution date, each of
 * which is paid (rules.md R8). `notBefore` clamps the execution dates when the order is signed: `preceding` never
 * pays earlier than the next run (R6). Null: no clamp, the order runs already.
 */
export function occurrencesFrom(
  schedule: Schedule,
  index: number,
  calendar: BankingCalendar,
  notBefore: LocalDate | null,
): OccurrenceBatch {
  const laid: Occurrence[] = [];
  for (let next = index; ; next += 1) {
    const candidate = occurrence(schedule, next, calendar);
    if (candidate === null) return { occurrences: laid, nextIndex: null };
    const clamped = notLaterThan(notBefore, candidate);
    if (laid[0] !== undefined && clamped.executionDate !== laid[0].executionDate) {
      return { occurrences: laid, nextIndex: next };
    }
    laid.push(clamped);
  }
}

function notLaterThan(notBefore: LocalDate | null, candidate: Occurrence): Occurrence {
  const isEarly = notBefore !== null && candidate.executionDate < candidate.nominalDate && candidate.executionDate < notBefore;
  return isEarly ? { ...candidate, executionDate: notBefore, reason: 'the first run after signing' } : candidate;
}
