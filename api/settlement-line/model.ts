import { formatInstant, startOfDay } from '../../engine/values/instant.ts';
import { localDate } from '../../engine/values/local-date.ts';
import { isFinal } from '../../engine/values/transaction-status.ts';
import type { TimelineAnswer } from '../control/timeline.ts';
import { momentText, moneyText, timeText } from '../pages/format.ts';
import { type Axis, axisOf, isOnAxis, namesEachDay } from './axis.ts';

/*
 * The settlement line: payments as rows on the days of the bank. One pure model is drawn in two layouts (draw.ts) and
 * as text (text.ts). Left of now is solid, it happened; right of now is hollow, the forecast. Built from one call, GET
 * /sandbox/timeline (control-plane.md K19).
 */

export type Tone = 'good' | 'bad' | 'retry' | 'waits' | 'back' | 'soft';

/**
 * What happened to a payment at an instant, or will happen. `asked`, and a `return` that is still to come, have a date
 * only.
 */
export interface Mark {
  readonly kind: 'order' | 'asked' | 'retry' | 'settle' | 'reject' | 'cancel' | 'return';
  readonly at: string;
  /** Whether it happened. */
  readonly isSolid: boolean;
}

/**
 * A way between two marks: `wait` for the first run, `try` between tries, `leap` over closed days, `back` of a return.
 * Two have no mark at their end: `stub` waits for a person, `on` goes on after the window.
 */
export interface Way {
  readonly kind: 'wait' | 'try' | 'leap' | 'back' | 'stub' | 'on';
  readonly from: string;
  readonly to: string;
}

/** A payment on the line. */
export interface Row {
  readonly paymentId: string;
  /** `2,500.00 NOK` */
  readonly amount: string;
  readonly name: string;
  /** The time of its order, `12:00`, where another row has the same name and amount; else empty. */
  readonly apart: string;
  readonly marks: readonly Mark[];
  readonly ways: readonly Way[];
  /** `settles Tue 30 Mar, 05:30, asked for Thu 25 Mar` */
  readonly sentence: string;
  /** The same without a day that the axis names: `settles 05:30, asked for Thu 25 Mar`. */
  readonly brief: string;
  readonly tone: Tone;
  /** Number of tries before the window. */
  readonly earlier: number;
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
  /** How many payments each run tries that tries more than one, by its instant. */
  readonly counts: ReadonlyMap<string, number>;
}

export type TimelinePayment = TimelineAnswer['payments'][number];
type Try = TimelinePayment['tries'][number];
type Outcome = TimelinePayment['outcome'];

/** Makes the line of an answer. */
export function lineOf({ now, days, payments, totals, coming }: TimelineAnswer): Line {
  const axis = axisOf(days);
  const inOrder = payments
    .map((payment) => ({ payment, key: orderOf(payment) }))
    .toSorted((one, other) => (one.key < other.key ? -1 : 1))
    .map(({ payment }) => payment);
  const rows = inOrder.map((payment) => ({ ...rowOf(payment, axis), apart: toldApart(payment, inOrder) }));
  const cameBack = payments.filter(
    ({ outcome, returns }) => outcome === 'settled' && returns.some(({ at }) => at !== null),
  );
  const counts = [
    ...(Object.entries(totals) as [Outcome, number][]).map(
      ([outcome, count]) => [outcome, outcome === 'settled' ? count - cameBack.length : count] as const,
    ),
    ['came back', cameBack.length] as const,
  ];
  const isTold = (payment: TimelinePayment, outcome: keyof typeof words): boolean =>
    (cameBack.includes(payment) ? 'came back' : payment.outcome) === outcome;
  const rest = counts.flatMap(([outcome, count]) => {
    const [one, many, those = many] = words[outcome];
    const more = count - payments.filter((payment) => isTold(payment, outcome)).length;
    return more > 0 ? [`+ ${more} that ${more === 1 ? one : those}`] : [];
  });
  return {
    axis,
    now,
    rows,
    rest,
    totals: counts.flatMap(([outcome, count]) =>
      count === 0 ? [] : [`${count} ${words[outcome][count === 1 ? 0 : 1]}`],
    ),
    stops: stopsOf(days, now, coming),
    counts: countsOf(payments, coming, rest.length === 0),
  };
}

/**
 * How many payments each run tries, of those that try more than one. Of the past only rows tell it: without some it is
 * not known.
 */
function countsOf(
  payments: TimelineAnswer['payments'],
  coming: TimelineAnswer['coming'],
  isPastKnown: boolean,
): ReadonlyMap<string, number> {
  const past = isPastKnown ? payments.flatMap(({ tries }) => tries.filter(({ hasHappened }) => hasHappened)) : [];
  const counts = new Map<string, number>();
  const add = (at: string, count: number): void => void counts.set(at, (counts.get(at) ?? 0) + count);
  for (const { at, count } of past) add(at, count);
  for (const { at, settle, retry, reject } of coming) add(at, settle + retry + reject);
  return new Map([...counts].filter(([, count]) => count > 1));
}

/**
 * The place of a payment among the rows: what is over by its end, what is to come by its next end, so that the runs
 * form a staircase, what goes on after the window, and what waits for somebody.
 */
function orderOf({ status, tries, returns, nextDate, changedAt, orderedAt }: TimelinePayment): string {
  if (status === 'RCVD' || status === 'PATC') return `4 ${orderedAt}`;
  const ends = tries.filter(({ outcome }) => outcome !== 'retry');
  const coming = ends.find(({ hasHappened }) => !hasHappened)?.at ?? returns.find(({ at }) => at === null)?.due;
  if (coming !== undefined) return `2 ${coming} ${orderedAt}`;
  if (!isOver(status) && nextDate !== null) return `3 ${nextDate} ${orderedAt}`;
  return `1 ${returns.at(-1)?.at ?? ends.at(-1)?.at ?? changedAt} ${orderedAt}`;
}

/**
 * What tells a payment from others of its payee and amount: the first of the time, the day and the number of its order
 * in which all differ.
 */
function toldApart(payment: TimelinePayment, all: readonly TimelinePayment[]): string {
  const { payee, amount, service } = payment;
  const alike = all.filter(
    (each) =>
      each.payee === payee &&
      each.service === service &&
      each.amount.amount === amount.amount &&
      each.amount.currency === amount.currency,
  );
  if (alike.length === 1) return '';
  const texts: readonly ((each: TimelinePayment) => string)[] = [
    ({ orderedAt }) => timeText(orderedAt),
    ({ orderedAt }) => momentText(orderedAt),
    (each) => `no. ${alike.indexOf(each) + 1}`,
  ];
  const text = texts.find((of) => new Set(alike.map(of)).size === alike.length);
  return text?.(payment) ?? '';
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
const words: Readonly<Record<Outcome | 'came back', readonly [one: string, many: string, rest?: string]>> = {
  settled: ['settled', 'settled'],
  rejected: ['rejected', 'rejected', 'were rejected'],
  cancelled: ['cancelled', 'cancelled', 'were cancelled'],
  settles: ['will settle', 'will settle'],
  'is rejected': ['will be rejected', 'will be rejected'],
  'is tried again': ['is tried again', 'are tried again'],
  'waits for a signature': ['waits for a signature', 'wait for a signature'],
  later: ['is due later', 'are due later'],
  'came back': ['came back', 'came back'],
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

/** What happens until a stop: `2 will settle, 1 will be rejected`. */
export function stopText({ settle, reject }: Stop): string {
  const parts = [settle > 0 && `${settle} will settle`, reject > 0 && `${reject} will be rejected`].filter(Boolean);
  return parts.join(', ') || 'nothing settles until then';
}

/** `4 payments settled, 2 wait for a signature`; nothing: `No payment on these days`. */
export function totalsText({ totals: [first = '0', ...others] }: Pick<Line, 'totals'>): string {
  const [count = ''] = first.split(' ');
  if (count === '0') return 'No payment on these days';
  const whole = first.replace(/^\d+/, count === '1' ? '1 payment' : `${count} payments`);
  return [whole, ...others].join(', ');
}

/** The row of a payment on an axis. */
function rowOf(payment: TimelinePayment, axis: Axis): Omit<Row, 'apart'> {
  const { paymentId, amount, payee, service, orderedAt, status, tries, returns, changedAt } = payment;
  const marks: Mark[] = [{ kind: 'order', at: orderedAt, isSolid: true }];
  const ways: Way[] = [];
  let last = orderedAt;
  for (const each of tries) {
    if (each.attempt === 1 && each.movedFrom !== undefined && each.movedFrom > last.slice(0, 10)) {
      marks.push({ kind: 'asked', at: each.movedFrom, isSolid: true });
      ways.push({ kind: 'wait', from: last, to: each.movedFrom }, { kind: 'leap', from: each.movedFrom, to: each.at });
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
  const isSettling = tries.some(({ hasHappened, outcome }) => !hasHappened && outcome !== 'retry');
  if (status === 'RCVD' || status === 'PATC') ways.push({ kind: 'stub', from: last, to: last });
  else if ((status === 'CANC' || status === 'RJCT') && marks.at(-1)?.kind !== 'reject') {
    const kind = status === 'CANC' ? 'cancel' : 'reject';
    ways.push({ kind: 'wait', from: last, to: changedAt });
    marks.push({ kind, at: changedAt, isSolid: true });
  } else if (!isOver(status) && !isSettling) {
    ways.push({ kind: 'on', from: last, to: `${axis.columns.at(-1)?.date}T24:00` });
  }
  const { text, tone } = sentenceOf(payment, momentText);
  const isOnly = tries.filter(({ outcome }) => outcome !== 'retry').length < 2;
  // The axis tells the day of the only end.
  const onAxis = (at: string): string => {
    const time = timeText(at).slice(0, 5);
    return isOnly && time !== '' && namesEachDay(axis) && isOnAxis(axis, at) ? time : momentText(at);
  };
  const first = tries.find(({ at }) => isOnAxis(axis, at));
  return {
    paymentId,
    amount: moneyText(amount),
    name: payee ?? (service === 'bulk-payments' ? 'Several payees' : 'No name'),
    marks,
    ways,
    sentence: text,
    brief: sentenceOf(payment, onAxis).text.replace(' of 5', ''),
    tone,
    earlier: tries[0] === first ? 0 : (first?.attempt ?? 1) - 1,
  };
}

/** Whether a payment of this status can be over; one in PART is while no item is open. */
function isOver(status: TimelinePayment['status']): boolean {
  return isFinal(status) || status === 'PART';
}

interface Sentence {
  readonly text: string;
  readonly tone: Tone;
}

/** Writes an instant. */
type Moment = (at: string) => string;

/** What comes back of a payment whose parts are tried: when, of a payment of one part; else how many. */
function returnText(
  { due, at }: TimelinePayment['returns'][number],
  count: number,
  parts: number,
  moment: Moment,
): string {
  if (count === 1 && parts === 1) return at === null ? `comes back ${moment(due)}` : `came back ${moment(at)}`;
  return `${count} ${at === null ? 'will come back' : 'came back'}`;
}

/**
 * What became of a payment, or what will: of the next part that is still to be tried, else of what came back, else of
 * the last part.
 */
function sentenceOf({ status, tries, nextDate, changedAt, returns }: TimelinePayment, moment: Moment): Sentence {
  if (status === 'RCVD') return { text: 'waits for a signature', tone: 'waits' };
  if (status === 'PATC') return { text: 'waits for another signature', tone: 'waits' };
  if (status === 'CANC') return { text: `cancelled ${moment(changedAt)}`, tone: 'soft' };
  const ends = tries.filter(({ outcome }) => outcome !== 'retry');
  const coming = ends.filter(({ hasHappened }) => !hasHappened);
  const back = returns.at(-1);
  if (back !== undefined && coming.length === 0) {
    const when = back.at === null ? `will come back ${moment(back.due)}` : `came back ${moment(back.at)}`;
    return { text: `${when}: ${back.text}`, tone: 'back' };
  }
  const end = coming[0] ?? ends.at(-1);
  if (end !== undefined && (coming.length > 0 || isOver(status) || nextDate === null)) {
    const others = ends.filter(({ at, outcome }) => at === end.at && outcome !== end.outcome).map(otherPart);
    const later = Object.groupBy(
      coming.filter(({ at }) => at > end.at),
      ({ outcome }) => (outcome === 'settle' ? 'settle' : 'reject'),
    );
    const [more, fewer] = [later.settle?.length ?? 0, later.reject?.length ?? 0];
    const parts = [
      endText(end, moment),
      ...others,
      ...(fewer > 0 ? [`${fewer} will be rejected`] : []),
      ...(more > 0 ? [`then ${more} more`] : []),
      ...(back === undefined ? [] : [returnText(back, returns.length, ends.length, moment)]),
      // A mark on the line says it too.
      ...(end.movedFrom === undefined || more + fewer > 0 || end.attempt > 1
        ? []
        : [`asked for ${moment(end.movedFrom)}`]),
    ];
    return { text: parts.join(', '), tone: end.outcome === 'settle' && fewer === 0 ? 'good' : 'bad' };
  }
  if (status === 'RJCT') return { text: `rejected ${moment(changedAt)}`, tone: 'bad' };
  const open = tries.at(-1);
  if (open?.outcome === 'retry') {
    const again = nextDate === null ? '' : ', tried again';
    return { text: `short of funds ${moment(open.at)}${again}`, tone: 'retry' };
  }
  const text = nextDate === null ? 'no date is left' : `due ${momentText(nextDate)}`;
  return { text, tone: 'soft' };
}

function endText({ outcome, hasHappened, at, attempt, count }: Try, moment: Moment): string {
  const [past, future] = outcome === 'settle' ? ['settled', 'settles'] : ['rejected', 'will be rejected'];
  const verb = hasHappened ? past : future;
  const those = count === 1 ? verb : `${count} ${verb === 'settles' ? 'settle' : verb}`;
  return `${those} ${moment(at)}${attempt > 1 ? `, try ${attempt} of 5` : ''}`;
}

/** The parts of a bulk payment that end otherwise in the same run. */
function otherPart({ outcome, hasHappened, count }: Try): string {
  return `${count} ${outcome === 'settle' ? (hasHappened ? 'settled' : 'settle') : 'rejected'}`;
}
