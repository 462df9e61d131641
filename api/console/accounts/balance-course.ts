import type { AnswerTo } from '../../openapi/calls.ts';
import { assert } from '../../../engine/values/assert.ts';
import { msOfDay, msPerDay, osloDate, parseInstant } from '../../../engine/values/instant.ts';
import { epochDay, localDate } from '../../../engine/values/local-date.ts';

type Statement = AnswerTo<'GET /accounts/:number'>;
type Forecast = AnswerTo<'GET /forecast'>;

/** A balance from a moment on, until the next step. */
export interface Step {
  /** Days since 1970-01-01 on Oslo's clocks, with a fraction. */
  readonly day: number;
  /** In minor units of the account's currency. */
  readonly minor: bigint;
}

/** How the balances of an account went, and how its available balance will go. */
export interface BalanceCourse {
  /** The first and the last moment, as days. */
  readonly from: number;
  readonly to: number;
  /** The bank clock; later than `to` if the period has ended. */
  readonly now: number;
  /** Each with a step at `from`, the oldest first. */
  readonly booked: readonly Step[];
  readonly available: readonly Step[];
  /** From now on; empty if the period has ended. */
  readonly forecast: readonly Step[];
}

/** Days of the plot after the last step of the forecast. */
const minDaysAhead = 7;

interface CourseSource {
  readonly statement: Statement;
  /** Attempts, and events of lives, to come, of any account. */
  readonly executions: Forecast['executions'];
  readonly planned: Forecast['planned'];
  /** The bank clock. */
  readonly now: string;
  /** The first date of the statement; null: that of its first entry. */
  readonly from: string | null;
  /** The last date of the statement; null: none. */
  readonly to: string | null;
  /** How far the forecast looks, an instant. */
  readonly ahead: string;
}

/**
 * The course of the booked and of the available balance (rules.md S6, S8, S8b). The booked one changes on booking dates. The available one
 * changes on value dates, when runs post, and includes reservations and the credit line. The forecast shows what the runs will see.
 */
export function courseOf({
  statement,
  executions,
  planned,
  now: clock,
  from: first,
  to: last,
  ahead,
}: CourseSource): BalanceCourse {
  const { entries, pending } = statement;
  const now = dayOfInstant(clock);
  const [opening] = entries;
  const before = opening === undefined ? minorOf(statement.booked) : minorOf(opening.balance) - minorOf(opening.amount);
  // Nothing is drawn before the account had anything.
  const begins = opening !== undefined && (first === null || before === 0n) ? opening.bookingDate : first;
  const from = begins === null ? Math.floor(now) : dayOf(begins);
  const hasEnded = last !== null && dayOf(last) < Math.floor(now);
  const forecast = hasEnded ? [] : forecastOf(statement, { executions, planned }, now);
  // As far ahead as something happens, and a little more.
  const end = hasEnded ? dayOf(last) + 1 : Math.min(dayOfInstant(ahead), (forecast.at(-1)?.day ?? now) + minDaysAhead);
  const to = Math.max(end, from + 1);
  const posted = [
    ...entries.map(({ bookingDate, valueDate, amount }) => ({
      day: Math.min(dayOf(bookingDate), dayOf(valueDate)),
      minor: minorOf(amount),
    })),
    // A credit that is announced is not available yet (rules.md S8b).
    ...(last === null ? pending.filter((each) => each.isPosted || minorOf(each.amount) < 0n) : []).map(
      ({ valueDate, amount }) => ({
        day: Math.min(Math.floor(now), dayOf(valueDate)),
        minor: minorOf(amount),
      }),
    ),
  ];
  const changes = entries.map(({ bookingDate, amount }) => ({ day: dayOf(bookingDate), minor: minorOf(amount) }));
  return {
    from,
    to,
    now,
    booked: summed(from, before, changes),
    available: summed(from, before + minorOf(statement.creditLine), posted),
    forecast,
  };
}

/** The balance after the changes of each day. Changes before `from` count on `from`. */
function summed(from: number, before: bigint, changes: readonly Step[]): readonly Step[] {
  const steps = new Map([[from, before]]);
  let minor = before;
  for (const change of changes.toSorted((left, right) => left.day - right.day)) {
    minor += change.minor;
    steps.set(Math.max(from, change.day), minor);
  }
  return [...steps].map(([day, sum]) => ({ day, minor: sum }));
}

/** The available balance to come: before and after each attempt of the account, after each payment to it and each event of its life. */
function forecastOf(
  statement: Statement,
  { executions, planned }: Pick<Forecast, 'executions' | 'planned'>,
  now: number,
): readonly Step[] {
  const isOwn = isAccount(statement);
  const own = executions.filter(({ account, credit }) => isOwn(account) || isOwn(credit?.account));
  const steps: Step[] = [{ day: now, minor: minorOf(statement.available) }];
  let minor = minorOf(statement.available);
  const stepTo = (day: number, next: bigint): void => {
    if (next !== minor) steps.push({ day, minor: next });
    minor = next;
  };
  const coming = planned.filter(({ account }) => isOwn(account));
  const liveUntil = (day: number): void => {
    for (let [next] = coming; next !== undefined && dayOfInstant(next.at) <= day; [next] = coming) {
      stepTo(dayOfInstant(next.at), minor + minorOf(next.amount));
      coming.shift();
    }
  };
  for (const { account, run, available, needed, outcome, credit } of own) {
    const day = dayOfInstant(run.at);
    liveUntil(day);
    if (isOwn(account)) {
      stepTo(day, minorOf(available));
      if (outcome === 'settle') stepTo(day, minor - minorOf(needed));
    }
    if (credit !== undefined && isOwn(credit.account)) stepTo(day, minor + minorOf(credit.amount));
  }
  liveUntil(Infinity);
  return steps;
}

/** Whether the account that a forecast names, by its BBAN or its IBAN, is this one. */
export function isAccount({
  number,
  iban,
}: Pick<Statement, 'number' | 'iban'>): (named: string | undefined) => boolean {
  return (named) => named === number || named === iban;
}

/** An amount of an answer in minor units of its currency. */
export function minorOf({ amount }: { readonly amount: string }): bigint {
  return BigInt(amount.replace('.', ''));
}

function dayOf(date: string): number {
  return epochDay(localDate(date));
}

/** An instant of an answer as days since 1970-01-01 on Oslo's clocks, with a fraction. */
export function dayOfInstant(text: string): number {
  const instant = parseInstant(text);
  assert(instant !== null, `an answer has an instant: ${text}`);
  return epochDay(osloDate(instant)) + msOfDay(instant) / msPerDay;
}
