import { addDays, type LocalDate } from '../values/local-date.ts';
import { runsOn, type SettlementRun } from '../time/rules/settlement-run.ts';
import type { BankContext } from './bank-context.ts';

export interface CalendarDay {
  readonly date: LocalDate;
  /** The holiday's name, `Saturday` or `Sunday`; null on a banking day. */
  readonly closure: string | null;
  readonly runs: readonly SettlementRun[];
}

/** The days from `from` to `to`, both included, with their runs (rules.md T3, T4). */
export function describeCalendar(bank: BankContext, from: LocalDate, to: LocalDate): CalendarDay[] {
  const days: CalendarDay[] = [];
  for (let date = from; date <= to; date = addDays(date, 1)) {
    days.push({ date, closure: bank.runs.calendar.closure(date), runs: runsOn(date, bank.runs) });
  }
  return days;
}
