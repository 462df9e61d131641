import { clockRange } from '../../engine/time/rules/bank-clock.ts';
import type { BankingCalendar } from '../../engine/time/rules/banking-calendar.ts';
import { defaultSettlementTimes } from '../../engine/time/rules/settlement-run.ts';
import { assert } from '../../engine/values/assert.ts';
import { formatInstant, fromLocal, msPerDay, osloDate, parseInstant } from '../../engine/values/instant.ts';
import { addDays, daysBetween, type LocalDate, localDate } from '../../engine/values/local-date.ts';
import type { ControlSamples } from './control-samples.ts';
import { put } from './recorded-answers.ts';
import recording from './recorded-control-answers.json' with { type: 'json' };

/** Bodies of the answers to one operation by name of the example, by media type of its 200 or by another status. */
export type OperationAnswers = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;

/** Answers as a control plane gave them to the examples of its document. */
export interface ControlRecording {
  /** The bank date of the answers. */
  readonly today: string;
  /** The address of the bank. */
  readonly address: string;
  /** What of the bank's is in them, by its name in {@link ControlSamples}. */
  readonly samples: Readonly<Record<string, string>>;
  /** By method and path: `GET /sandbox/clock`. */
  readonly answers: Readonly<Record<string, OperationAnswers | undefined>>;
  /** What any call is refused with, by status, and what `GET /ready` answers when the bank is not ready. */
  readonly refusals: Readonly<Record<string, unknown>>;
}

/** What a recording says of another bank. */
export type RecordedControl = Pick<ControlRecording, 'answers' | 'refusals'>;

/**
 * The answers that scripts/record-answers.ts recorded, with what this bank has in place of what they were recorded with. Dates are
 * as far from the bank's as they were; those of runs are moved on to a banking day.
 */
export function recordedControlAnswers(
  { today, calendar, psu, ids }: ControlSamples,
  address: string,
): RecordedControl {
  const was: ControlRecording = recording;
  const now: Readonly<Record<string, string>> = { ...ids, psu, address };
  const names = Object.entries({ ...was.samples, address: was.address });
  const text = put(
    JSON.stringify({ answers: was.answers, refusals: was.refusals }),
    names.map(([name, text]) => [text, now[name] ?? text] as const),
  );
  const recordedDay = localDate(was.today);
  const dayOf = (date: LocalDate, isOfRun: boolean): LocalDate => {
    const days = daysBetween(recordedDay, date);
    const moved = addDays(today, days);
    if (!isOfRun || days === 0) return moved;
    return bankingDay(moved, Math.sign(days), calendar);
  };
  return JSON.parse(
    text.replaceAll(dateOrInstant, (_, date: string, time?: string, number?: string) => {
      const isOfRun = number !== undefined || runTimes.has(time?.slice(1, 6));
      const day = dayOf(localDate(date), isOfRun);
      return time === undefined ? `${day}${number ?? ''}` : instantOn(day, time);
    }),
  ) as RecordedControl;
}

/** `2027-03-15T05:30:00.000+01:00`, `2027-03-15/1` or `2027-03-15`. */
const dateOrInstant = /\b(\d{4}-\d\d-\d\d)(?:(T\d\d:\d\d:\d\d\.\d{3})[+-]\d\d:\d\d|(\/\d)\b)?/g;

const [firstDay, lastDay] = [osloDate(clockRange.from), osloDate(clockRange.to)];

/** The first banking day from the date on, going so many days at a time; outside the years of the calendar the day itself. */
function bankingDay(date: LocalDate, step: number, calendar: BankingCalendar): LocalDate {
  let day = date;
  while (day >= firstDay && day <= lastDay && calendar.closure(day) !== null) day = addDays(day, step);
  return day;
}

/** `05:30` of the runs of the recording. */
const runTimes: ReadonlySet<string | undefined> = new Set(defaultSettlementTimes);

/** The instant at which Oslo's clocks show this time, `T05:30:00.000`, on the date. */
function instantOn(date: LocalDate, time: string): string {
  const instant = parseInstant(`${date}${time}Z`);
  assert(instant !== null, `${time} is a time`);
  return formatInstant(fromLocal(date, instant % msPerDay));
}
