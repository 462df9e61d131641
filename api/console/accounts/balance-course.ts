import type { AnswerTo } from '../../openapi/calls.ts';
import { assert } from '../../../engine/values/assert.ts';
import { debit, inWords, type Money } from '../parts/text.ts';
import { msOfDay, msPerDay, osloDate, parseInstant } from '../../../engine/values/instant.ts';
import { epochDay, localDate } from '../../../engine/values/local-date.ts';

type Statement = AnswerTo<'GET /accounts/:number'>;
type Forecast = AnswerTo<'GET /forecast'>;

/** What a forecast says. */
type Coming = Pick<Forecast, 'executions' | 'planned'>;

/** A balance from a moment on, until the next step. */
export interface Step {
  /** Days since 1970-01-01 on Oslo's clocks, with a fraction. */
  readonly day: number;
  /** In minor units of the account's currency. */
  readonly minor: bigint;
}

/** How the balances of an account went, and how its available balance will go. */
export type BalanceCourse = ReturnType<typeof courseOf>;

/** Days of the plot after the last step of the forecast. */
const minDaysAhead = 7;

interface CourseSource {
  readonly statement: Statement;
  /** Attempts, and events of lives, to come, of any account; `to` says how far it looks. */
  readonly coming: Coming & Pick<Forecast, 'to'>;
  /** The bank clock. */
  readonly now: string;
  /** The first and the last date of the statement. Null: that of its first entry; none. */
  readonly from: string | null;
  readonly to: string | null;
}

/**
 * The course of the booked and of the available balance (rules.md S6, S8, S8b). The booked one changes on booking dates. The available one
 * changes on value dates, when runs post, and includes reservations and the credit line. The forecast shows what the runs will see.
 */
export function courseOf({ statement, coming, now: clock, from: first, to: last }: CourseSource) {
  const { entries, pending } = statement;
  const now = dayOfInstant(clock);
  const [opening] = entries;
  const before = opening === undefined ? minorOf(statement.booked) : minorOf(opening.balance) - minorOf(opening.amount);
  // Nothing is drawn before the account had anything.
  const begins = opening !== undefined && (first === null || before === 0n) ? opening.bookingDate : first;
  const from = begins === null ? Math.floor(now) : dayOf(begins);
  const hasEnded = last !== null && dayOf(last) < Math.floor(now);
  const forecast = hasEnded ? [] : forecastOf(statement, coming, now);
  // As far ahead as something happens, and a little more.
  const end = hasEnded
    ? dayOf(last) + 1
    : Math.min(dayOfInstant(coming.to), (forecast.at(-1)?.day ?? now) + minDaysAhead);
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
    // The first and the last moment, and the bank clock, as days. The clock is later than `to` if the period has ended.
    from,
    to,
    now,
    // Each with a step at `from`, the oldest first.
    booked: summed(from, before, changes),
    available: summed(from, before + minorOf(statement.creditLine), posted),
    // From now on; empty if the period has ended.
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
function forecastOf(statement: Statement, coming: Coming, now: number): readonly Step[] {
  const isOwn = isAccount(statement);
  const planned = coming.planned.filter(({ account }) => isOwn(account));
  const tried = coming.executions.filter(({ account, credit }) => isOwn(account) || isOwn(credit?.account));
  const all = [...planned, ...tried.map((each) => ({ ...each, at: each.run.at }))];
  let minor = minorOf(statement.available);
  const steps: Step[] = [{ day: now, minor }];
  for (const each of all.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))) {
    const stepTo = (next: bigint): void => {
      if (next !== minor) steps.push({ day: dayOfInstant(each.at), minor: next });
      minor = next;
    };
    if ('event' in each) {
      stepTo(minor + minorOf(each.amount));
      continue;
    }
    const { account, available, needed, outcome, credit } = each;
    if (isOwn(account)) {
      stepTo(minorOf(available));
      if (outcome === 'settle') stepTo(minor - minorOf(needed));
    }
    if (credit !== undefined && isOwn(credit.account)) stepTo(minor + minorOf(credit.amount));
  }
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
export function minorOf({ amount }: Pick<Money, 'amount'>): bigint {
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

/** Something that happened or will happen on an account, to mark on its curve. */
export interface Mark {
  /** Days since 1970-01-01 on Oslo's clocks, with a fraction. */
  readonly day: number;
  readonly words: string;
  readonly amount: Money;
  /** Whether the attempt is short of funds. */
  readonly isShort: boolean;
}

/** What a forecast says about one account. */
export function forecastOn(account: Parameters<typeof isAccount>[0], { executions, planned }: Coming) {
  const isOwn = isAccount(account);
  return {
    planned: planned.filter((each) => isOwn(each.account)),
    debits: executions.filter((each) => isOwn(each.account)),
    credits: executions.filter(({ credit }) => isOwn(credit?.account)),
  };
}

/** Marks of what comes on an account, in order of time: incomes, bills, and payments from and to it. */
export function marksToCome({ planned, debits, credits }: ReturnType<typeof forecastOn>): readonly Mark[] {
  const marks = [
    ...planned.map(({ at, event, amount }) => ({ at, words: inWords(event), amount, isShort: false })),
    ...debits.map(({ run: { at }, payee, needed, outcome }) => {
      return { at, words: `to ${payee}`, amount: debit(needed), isShort: outcome !== 'settle' };
    }),
    ...credits.flatMap(({ run: { at }, credit }) =>
      credit === undefined ? [] : { at, words: 'a payment to this account', amount: credit.amount, isShort: false },
    ),
  ];
  return marks
    .map(({ at, ...mark }) => ({ ...mark, day: dayOfInstant(at) }))
    .toSorted((one, other) => one.day - other.day);
}
