import { formatInstant, startOfDay } from '../../engine/values/instant.ts';
import { localDate } from '../../engine/values/local-date.ts';
import { isFinal } from '../../engine/values/transaction-status.ts';
import type { TimelineAnswer } from '../control/timeline.ts';
import { formatsIn } from '../pages/format.ts';
import { shortDateText, timeText } from '../pages/times.ts';
import { type Axis, axisOf } from './axis.ts';

/*
 * The settlement line: payments as rows on the days of the bank. One pure model is drawn in two pictures (draw.ts: wide; narrow, with the days
 * down) and as text (text.ts). Left of now is solid, it happened; right of now is hollow, the forecast. Built from one call,
 * GET /sandbox/timeline (control-plane.md K19).
 */

export type Tone = 'good' | 'bad' | 'waits' | 'back' | 'soft';

/** What happened to a payment at an instant, or will happen. `asked`, and a `return` that is still to come, have a date only. */
export interface Mark {
  readonly kind: 'order' | 'asked' | 'retry' | 'settle' | 'reject' | 'cancel' | 'return';
  readonly at: string;
  /** Whether it happened. */
  readonly isSolid: boolean;
}

/** A way between two marks: `wait` for the first run, `try` between tries, `leap` over closed days, `back` of a return, `open` without an end. */
export interface Way {
  readonly kind: 'wait' | 'try' | 'leap' | 'back' | 'open';
  readonly from: string;
  readonly to: string;
}

/** A payment on the line. */
export interface Row {
  readonly paymentId: string;
  /** `2,500.00`, with the currency if it is not NOK. */
  readonly amount: string;
  readonly name: string;
  readonly marks: readonly Mark[];
  readonly ways: readonly Way[];
  /** `settles Tue 30 Mar, 05:30` */
  readonly sentence: string;
  /** The same without the day, for a picture where it stands below its day: `settles 05:30`. */
  readonly brief: string;
  /** The instant that the sentence names, or null if it names none. */
  readonly about: string | null;
  readonly tone: Tone;
  /** `asked for Thu 25 Mar`, if closed days moved it. */
  readonly asked: string | null;
}

/** An instant to which the handle at now can be moved, and what settles and is rejected until then. */
export interface Stop {
  readonly at: string;
  readonly settle: number;
  readonly reject: number;
}

/** The whole line. */
export interface Line {
  readonly axis: Axis;
  readonly now: string;
  readonly rows: readonly Row[];
  /** `+ 34 that settle`, of the payments without a row. */
  readonly rest: readonly string[];
  /** All payments of the window in words: `4 settled`, `2 wait for a signature`. */
  readonly totals: readonly string[];
  /** The runs and midnights to come, until the end of the window. */
  readonly stops: readonly Stop[];
}

export type TimelinePayment = TimelineAnswer['payments'][number];
type Try = TimelinePayment['tries'][number];
type Outcome = TimelinePayment['outcome'];

/** Makes the line of an answer. */
export function lineOf({ now, days, payments, totals, coming }: TimelineAnswer): Line {
  const axis = axisOf(days);
  const end = days.at(-1)?.date ?? now.slice(0, 10);
  const counts = Object.entries(totals) as [Outcome, number][];
  const rest = counts.flatMap(([outcome, count]) => {
    const [one, many, those = many] = words[outcome];
    const more = count - payments.filter((payment) => payment.outcome === outcome).length;
    return more > 0 ? [`+ ${more} that ${more === 1 ? one : those}`] : [];
  });
  return {
    axis,
    now,
    rows: payments.map((payment) => rowOf(payment, end)),
    rest,
    totals: counts.flatMap(([outcome, count]) =>
      count === 0 ? [] : [`${count} ${words[outcome][count === 1 ? 0 : 1]}`],
    ),
    stops: stopsOf(days, now, coming),
  };
}

/** The answers of one window for payments of which each was asked for alone, as one. */
export function together(first: TimelineAnswer, others: readonly TimelineAnswer[]): TimelineAnswer {
  const all = [first, ...others];
  const totals = Object.fromEntries(
    Object.keys(first.totals).map((outcome) => [
      outcome,
      all.reduce((sum, each) => sum + each.totals[outcome as Outcome], 0),
    ]),
  ) as TimelineAnswer['totals'];
  return {
    ...first,
    totals,
    payments: all.flatMap(({ payments }) => payments),
    coming: all.flatMap(({ coming }) => coming),
  };
}

/** What is said of one payment with an outcome, of many, and of those that have no row. */
const words: Readonly<Record<Outcome, readonly [one: string, many: string, rest?: string]>> = {
  settled: ['settled', 'settled'],
  rejected: ['rejected', 'rejected', 'were rejected'],
  cancelled: ['cancelled', 'cancelled', 'were cancelled'],
  settles: ['settles', 'settle'],
  'is rejected': ['will be rejected', 'will be rejected'],
  'is tried again': ['is tried again', 'are tried again'],
  'waits for a signature': ['waits for a signature', 'wait for a signature'],
  later: ['is due later', 'are due later'],
};

/** The runs and midnights after now, with what happens until each. */
function stopsOf(days: TimelineAnswer['days'], now: string, coming: TimelineAnswer['coming']): readonly Stop[] {
  const passed = Date.parse(now);
  const known = Map.groupBy(coming, (run) => run.at);
  const sum = (at: string, what: 'settle' | 'reject'): number =>
    (known.get(at) ?? []).reduce((all, run) => all + run[what], 0);
  const instants = days.flatMap(({ date, runs }) => [midnightOf(date), ...runs.map(({ at }) => at)]);
  let [settle, reject] = [0, 0];
  return [...new Set([...instants, ...known.keys()])]
    .filter((at) => Date.parse(at) > passed)
    .toSorted((one, other) => Date.parse(one) - Date.parse(other))
    .map((at) => {
      settle += sum(at, 'settle');
      reject += sum(at, 'reject');
      return { at, settle, reject };
    });
}

function midnightOf(date: string): string {
  return formatInstant(startOfDay(localDate(date)));
}

/** `Tue 30 Mar, 05:30` */
export function momentText(at: string): string {
  return `${shortDateText(at.slice(0, 10))}, ${timeText(at).slice(0, 5)}`;
}

/** `4 payments settled, 2 wait for a signature`; nothing: `No payment on these days`. */
export function totalsText({ totals: [first = '0', ...others] }: Pick<Line, 'totals'>): string {
  const [count = ''] = first.split(' ');
  if (count === '0') return 'No payment on these days';
  const whole = first.replace(/^\d+/, count === '1' ? '1 payment' : `${count} payments`);
  return [whole, ...others].join(', ');
}

/** The row of a payment; `end`: the last day of the window. */
export function rowOf(payment: TimelinePayment, end: string): Row {
  const { paymentId, amount, payee, service, orderedAt, status, tries, returns, changedAt } = payment;
  const marks: Mark[] = [{ kind: 'order', at: orderedAt, isSolid: true }];
  const ways: Way[] = [];
  let last = orderedAt;
  let asked: string | null = null;
  for (const each of tries) {
    if (each.attempt === 1 && each.movedFrom !== undefined && each.movedFrom > last.slice(0, 10)) {
      marks.push({ kind: 'asked', at: each.movedFrom, isSolid: true });
      ways.push({ kind: 'wait', from: last, to: each.movedFrom }, { kind: 'leap', from: each.movedFrom, to: each.at });
      asked ??= `asked for ${shortDateText(each.movedFrom)}`;
    } else ways.push({ kind: each.attempt === 1 ? 'wait' : 'try', from: last, to: each.at });
    marks.push({ kind: each.outcome, at: each.at, isSolid: each.hasHappened });
    last = each.at;
  }
  for (const { at, due } of returns) {
    const back = at ?? due;
    const settled = tries.findLast((each) => each.outcome === 'settle' && each.at <= back);
    ways.push({ kind: 'back', from: settled?.at ?? last, to: back });
    // A standing order goes on after it.
    const next = marks.findIndex((mark) => mark.at > back);
    marks.splice(next < 0 ? marks.length : next, 0, { kind: 'return', at: back, isSolid: at !== null });
  }
  if ((status === 'CANC' || status === 'RJCT') && marks.at(-1)?.kind !== 'reject') {
    const kind = status === 'CANC' ? 'cancel' : 'reject';
    ways.push({ kind: 'wait', from: last, to: changedAt });
    marks.push({ kind, at: changedAt, isSolid: true });
  } else if (!isOver(status) && tries.every(({ hasHappened }) => hasHappened)) {
    ways.push({ kind: 'open', from: last, to: `${end}T24:00` });
  }
  const { text, tone, about } = sentenceOf(payment);
  const isNok = amount.currency === 'NOK';
  return {
    paymentId,
    amount: `${formatsIn('en').number(amount.amount)}${isNok ? '' : ` ${amount.currency}`}`,
    name: payee ?? (service === 'bulk-payments' ? 'Several payees' : 'No name'),
    marks,
    ways,
    sentence: text,
    brief: about === null ? text : text.replace(momentText(about), timeText(about).slice(0, 5)).replace(' of 5', ''),
    about,
    tone,
    asked,
  };
}

/** Whether a payment of this status can be over; one in PART is while no item is open. */
function isOver(status: TimelinePayment['status']): boolean {
  return isFinal(status) || status === 'PART';
}

interface Sentence {
  readonly text: string;
  readonly tone: Tone;
  readonly about: string | null;
}

/** What became of a payment, or what will: of the next part that is still to be tried, else of what came back, else of the last part. */
function sentenceOf({ status, tries, nextDate, changedAt, returns }: TimelinePayment): Sentence {
  if (status === 'RCVD') return { text: 'waits for a signature', tone: 'waits', about: null };
  if (status === 'PATC') return { text: 'waits for another signature', tone: 'waits', about: null };
  if (status === 'CANC') return { text: `cancelled ${momentText(changedAt)}`, tone: 'soft', about: changedAt };
  const ends = tries.filter(({ outcome }) => outcome !== 'retry');
  const coming = ends.filter(({ hasHappened }) => !hasHappened);
  const back = returns.at(-1);
  if (back !== undefined && coming.length === 0) {
    const when = back.at === null ? `will come back ${shortDateText(back.due)}` : `came back ${momentText(back.at)}`;
    return { text: `${when}: ${back.text}`, tone: 'back', about: back.at };
  }
  const end = coming[0] ?? ends.at(-1);
  if (end !== undefined && (coming.length > 0 || isOver(status) || nextDate === null)) {
    const others = ends.filter(({ at, outcome }) => at === end.at && outcome !== end.outcome).map(otherPart);
    const then = coming.find(({ at }) => at > end.at);
    const more = then === undefined ? [] : [`then ${shortDateText(then.at.slice(0, 10))}`];
    const returned =
      back === undefined ? [] : [`${returns.length} ${back.at === null ? 'will come back' : 'came back'}`];
    const tone = end.outcome === 'settle' ? 'good' : 'bad';
    return { text: [endText(end), ...others, ...more, ...returned].join(', '), tone, about: end.at };
  }
  if (status === 'RJCT') return { text: `rejected ${momentText(changedAt)}`, tone: 'bad', about: changedAt };
  const open = tries.at(-1);
  if (open?.outcome === 'retry') {
    const again = nextDate === null ? '' : ', tried again';
    return { text: `short of funds ${momentText(open.at)}${again}`, tone: 'waits', about: open.at };
  }
  const text = nextDate === null ? 'no date is left' : `due ${shortDateText(nextDate)}`;
  return { text, tone: 'soft', about: null };
}

function endText({ outcome, hasHappened, at, attempt, count }: Try): string {
  const [past, future] = outcome === 'settle' ? ['settled', 'settles'] : ['rejected', 'will be rejected'];
  const verb = hasHappened ? past : future;
  const those = count === 1 ? verb : `${count} ${verb === 'settles' ? 'settle' : verb}`;
  return `${those} ${momentText(at)}${attempt > 1 ? `, try ${attempt} of 5` : ''}`;
}

/** The parts of a bulk payment that end otherwise in the same run. */
function otherPart({ outcome, hasHappened, count }: Try): string {
  return `${count} ${outcome === 'settle' ? (hasHappened ? 'settled' : 'settle') : 'rejected'}`;
}
