import { readFileSync } from 'node:fs';

/*
 * In what order runs try the payments of one account, from the words of rules.md S3, S3b, T4, T4d, T9, P3, R2, R6 and
 * docs/settlement.md alone. It uses no code of the engine: closed days are those of QuantLib and vacanza/holidays.
 */

/** What somebody signs: a payment for a day, or a standing order from a day on. All go to another bank. */
export interface Signed {
  readonly name: string;
  /** Oslo time of the signature, `2027-02-05 15:00`. */
  readonly at: string;
  readonly kroner: number;
  /** The day of a payment, or the first day of an order. */
  readonly day: string;
  readonly every?: 'day' | 'week' | 'month';
  readonly rule?: 'following' | 'preceeding';
}

export interface TermsOfOrder {
  /** Times of the runs of a banking day, `05:30`. */
  readonly runs: readonly string[];
  readonly cutOff?: string;
}

interface Open {
  readonly name: string;
  readonly kroner: number;
  readonly nominal: string;
  readonly due: string;
  readonly received: string;
  readonly place: number;
  attempts: number;
}

const closed = new Set(
  readFileSync(new URL('../data/norway-holidays.tsv', import.meta.url), 'utf8')
    .split('\n')
    .slice(1)
    .map((line) => line.slice(0, 10)),
);

const dayAfter = (day: string, days: number) =>
  new Date(Date.parse(`${day}T12:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);

export function isBankingDay(day: string): boolean {
  const weekday = new Date(`${day}T12:00:00Z`).getUTCDay();
  return weekday !== 0 && weekday !== 6 && !closed.has(day);
}

function roll(day: string, step: 1 | -1): string {
  let rolled = day;
  while (!isBankingDay(rolled)) rolled = dayAfter(rolled, step);
  return rolled;
}

/** T4d: on a closed day, or after the cut-off of a banking day, it counts as received when the next banking day begins. */
function receivedAt(at: string, { cutOff = '24:00' }: TermsOfOrder): string {
  const [day = '', time = ''] = at.split(' ');
  return isBankingDay(day) && time <= cutOff ? at : `${roll(dayAfter(day, 1), 1)} 00:00`;
}

/** The nominal dates of an order until a day: from its start and its frequency alone. */
function nominalDates({ day, every }: Signed, until: string): string[] {
  if (every === undefined) return [day];
  const dates: string[] = [];
  for (let count = 0; ; count += 1) {
    const next = every === 'month' ? monthsAfter(day, count) : dayAfter(day, count * (every === 'week' ? 7 : 1));
    if (next > until) return dates;
    dates.push(next);
  }
}

function monthsAfter(day: string, months: number): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month + months, 0, 12)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, last), 12)).toISOString().slice(0, 10);
}

/** Every attempt of the runs until a day, in its order: `2027-02-08 05:30 name settle`, `… order of 2027-02-06 retry`. */
export function attemptsByTheRules(
  signed: readonly Signed[],
  kroner: number,
  terms: TermsOfOrder,
  until: string,
): string[] {
  const all = signed.flatMap((one, place) => executionsOf(one, place, terms, until));
  const told: string[] = [];
  let open = all;
  let funds = kroner;
  for (let day = signed[0]?.at.slice(0, 10) ?? until; day <= until; day = dayAfter(day, 1)) {
    if (!isBankingDay(day)) continue;
    for (const time of terms.runs) {
      const run = `${day} ${time}`;
      const turn = open.filter(({ due, received }) => due <= day && isTaken(received, run)).toSorted(inOrder);
      const gone = new Set<Open>();
      for (const one of turn) {
        one.attempts += 1;
        const outcome = one.kroner <= funds ? 'settle' : one.attempts === 5 ? 'reject' : 'retry';
        if (outcome === 'settle') funds -= one.kroner;
        if (outcome !== 'retry') gone.add(one);
        told.push(`${run} ${one.name} ${outcome}`);
      }
      open = open.filter((one) => !gone.has(one));
    }
  }
  return told;
}

/** T4: a run takes what was received at or before its instant. */
const isTaken = (received: string, run: string) => received <= run;

function executionsOf(one: Signed, place: number, terms: TermsOfOrder, until: string): Open[] {
  const received = receivedAt(one.at, terms);
  const next = firstRunDay(received, terms);
  return nominalDates(one, dayAfter(until, 14)).map((nominal) => {
    const moved = roll(nominal, one.rule === 'preceeding' ? -1 : 1);
    const due = one.rule === 'preceeding' && moved < next ? next : moved;
    return {
      name: one.every ? `${one.name} of ${nominal}` : one.name,
      kroner: one.kroner,
      nominal,
      due,
      received,
      place,
      attempts: 0,
    };
  });
}

/** The day of the first run after the signature: "never before the next run after signing" (R6). */
function firstRunDay(received: string, { runs }: TermsOfOrder): string {
  for (let day = received.slice(0, 10); ; day = dayAfter(day, 1)) {
    if (isBankingDay(day) && runs.some((time) => isTaken(received, `${day} ${time}`))) return day;
  }
}

/** T9: execution date, instant received, place in the order of signatures, nominal date. */
function inOrder(one: Open, other: Open): number {
  return (
    one.due.localeCompare(other.due) ||
    one.received.localeCompare(other.received) ||
    one.place - other.place ||
    one.nominal.localeCompare(other.nominal)
  );
}
