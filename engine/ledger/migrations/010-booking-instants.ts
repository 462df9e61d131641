import { sql, type Kysely } from 'kysely';

interface State {
  readonly last_run_at: number;
  readonly settlement_times: string;
}

/**
 * An entry gets the instant at which it is booked, in place of the one since which it awaits a run; a payment the instant at
 * which it leaves the payment API, in place of the one at which it settled. What was pending is booked by the next run, on
 * the date of that run. What was booked, or had left, stays as it is: it has an instant of the past.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table entry rename column awaits_booking_since to booked_at`.execute(db);
  await sql`alter table payment rename column settled_at to leaves_at`.execute(db);
  await sql`alter table bank_state add column last_booking_at integer not null default 0`.execute(db);
  const { rows } = await sql<State>`select last_run_at, settlement_times from bank_state`.execute(db);
  for (const state of rows) await bookWithTheNextRun(db, state);
}

async function bookWithTheNextRun(db: Kysely<unknown>, state: State): Promise<void> {
  const last = Number(state.last_run_at);
  const next = nextRun(last, state.settlement_times.split(','));
  await sql`drop trigger entry_is_never_changed`.execute(db);
  await sql`update entry set booked_at = ${next.at}, booking_date = ${next.date} where booked_at >= ${last}`.execute(
    db,
  );
  await sql.raw(guard).execute(db);
  await sql`update payment set leaves_at = ${next.at} where leaves_at >= ${last}`.execute(db);
  await sql`update bank_state set last_booking_at = ${next.at}`.execute(db);
}

/** To the letter as migration 001 makes it. */
const guard = `create trigger entry_is_never_changed before update on entry
    begin select raise(abort, 'entries are never changed'); end`;

/** The first scheduled run after an instant, by the rules of this version: it is not to change with later ones. */
export function nextRun(after: number, times: readonly string[]): { readonly date: string; readonly at: number } {
  for (let day = Math.floor(after / dayLength); ; day += 1) {
    const date = dateOf(day);
    if (isClosed(day, date)) continue;
    const at = times.map((time) => instantIn(date, time)).find((instant) => instant > after);
    if (at !== undefined) return { date, at };
  }
}

const hour = 3_600_000;
const dayLength = 24 * hour;
/** Made for the first run: it takes 10 ms, and a new ledger has none. */
let oslo: Intl.DateTimeFormat | undefined;

/** `YYYY-MM-DD` of a day since 1970. */
function dateOf(day: number): string {
  return new Date(day * dayLength).toISOString().slice(0, 10);
}

function instantIn(date: string, time: string): number {
  const local = Date.parse(`${date}T${time}:00Z`);
  oslo ??= new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Oslo', dateStyle: 'short', timeStyle: 'short' });
  return oslo.format(local - hour) === `${date} ${time}` ? local - hour : local - 2 * hour;
}

function isClosed(day: number, date: string): boolean {
  // 1 January 1970 was a Thursday.
  const isWeekend = (day + 4) % 7 === 0 || (day + 4) % 7 === 6;
  const sinceEaster = day - easterOf(Number(date.slice(0, 4)));
  return isWeekend || closedDates.includes(date.slice(5)) || closedSinceEaster.includes(sinceEaster);
}

const closedDates = ['01-01', '05-01', '05-17', '12-24', '12-25', '12-26'];
/** Maundy Thursday, Good Friday, Easter Monday, Ascension Day, Whit Monday. */
const closedSinceEaster = [-3, -2, 1, 39, 50];

/** Easter Sunday as a day since 1970 (Meeus, Jones and Butcher). */
function easterOf(year: number): number {
  const [a, b, c] = [year % 19, Math.floor(year / 100), year % 100];
  const g = Math.floor((8 * b + 13) / 25);
  const h = (19 * a + b - Math.floor(b / 4) - g + 15) % 30;
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7;
  const m = Math.floor((a + 11 * h + 19 * l) / 433);
  const month = Math.floor((h + l - 7 * m + 90) / 25);
  const date = (h + l - 7 * m + 33 * month + 19) % 32;
  return Date.UTC(year, month - 1, date) / dayLength;
}
