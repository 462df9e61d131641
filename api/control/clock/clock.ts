import * as Type from 'typebox';
import { assert } from '../../../engine/values/assert.ts';
import { followLives } from '../../../engine/life/lives.ts';
import type { Amount } from '../../../engine/values/money.ts';
import { parseDuration } from '../../../engine/values/duration.ts';
import { Refusal } from '../../../engine/values/fault.ts';
import { formatInstant, parseInstant, type Instant } from '../../../engine/values/instant.ts';
import { transactionStatuses, type TransactionStatus } from '../../../engine/values/transaction-status.ts';
import { advanceUntil, type AdvanceTarget, type AdvanceWatch, noWatch } from '../../../engine/runs/advance-until.ts';
import { advanceAnswer, clock, clockIsBusy, clockSet, runReport } from '../answers/clock-and-runs.ts';
import { paymentStatus } from '../answers/names.ts';
import { readClock } from '../../../engine/bank/read-clock.ts';
import { setClock } from '../../../engine/reset-and-restore.ts';
import { maxDeviationMs } from '../../signing/signature-check.ts';
import { controlEndpoint, type ControlCall } from '../control-endpoint.ts';
import type { Events } from '../event-stream.ts';
import { oneOf } from '../read-query.ts';
import { Problem } from '../../pipeline/problem.ts';
import type { AdvanceReport } from '../../../engine/runs/advance-clock.ts';
import { type AnswerValue, written } from '../../bodies/written.ts';
import { faultAt, type Members, type RuleFault } from '../../bodies/rule.ts';
import { closed, integer, meaning, optional, type Static, text, titled } from '../../bodies/schema.ts';
import { clockMode, instant } from '../../bodies/values.ts';

/** `GET /sandbox/clock` */
export const getClock = controlEndpoint('GET /clock', {
  summary: 'The bank clock, with the runs before and after',
  answer: clock,
  handle: ({ bank }) => readClock(bank),
});

/** `PUT /sandbox/clock`. */
export const clockBody = titled('Clock', 'The changes of the bank clock.', {
  expected: 'an object with now, mode, rate or several of them',
  examples: [{ now: '2027-03-30', mode: 'frozen' }],
  minProperties: 1,
}).closed({
  now: optional(meaning('What the bank clock is to show.', instant)),
  mode: optional(clockMode),
  rate: optional(
    Type.Number({
      description: 'how many times as fast as the wall clock it goes, a whole number from 1 to 86400',
      examples: [3600],
    }),
  ),
});

/**
 * `PUT /sandbox/clock` answers with the new clock. `advanced` has the runs on the way, or null if the clock went back
 * (rules.md T7b).
 */
export const putClock = controlEndpoint('PUT /clock', {
  summary: 'Set the bank clock, its mode or its rate',
  answer: clockSet,
  refusals: { 409: `${clockIsBusy} Or the clock would go back, and a payment was initiated.` },
  body: clockBody,
  handle: (call) => {
    const { now, mode = null, rate = null } = call.readBody();
    return call.runExclusive(async () => {
      const report = await setClock(call.bank, { now: now === undefined ? null : parseInstant(now), mode, rate });
      const advanced = report === null ? null : finished(report);
      const read = await readClock(call.bank);
      const isCoarse = call.config.followClock && read.mode === 'running' && read.rate > maxDeviationMs / 1000;
      return { ...read, advanced, reseeded: report === null, note: isCoarse ? coarse(read.rate) : undefined };
    });
  },
});

/** rules.md T1c. */
function coarse(rate: number): string {
  return `At this rate ${rate} s pass between two values of Date, and 60 s either way are allowed: few signed requests are in time.`;
}

/** `POST /sandbox/clock/advance`. Has exactly one member. */
export const advanceBody = titled(
  'Advance',
  'How far to move the bank clock: to an instant, by a duration, by runs, or until a payment has a status.',
  {
    expected: 'an object with to, by, runs or until',
    examples: [{ to: '2027-04-01' }, { by: 'P3D' }, { runs: 5 }],
    rules: [exactlyOne('to', 'by', 'runs', 'until')],
  },
).closed({
  to: optional(instant),
  by: optional(text('an ISO 8601 duration in whole numbers', { format: 'bank-duration', examples: ['P3D'] })),
  runs: optional(integer('a whole number of settlement runs, 1 or more', { minimum: 1 })),
  until: optional(
    closed({
      paymentId: text('the id of a payment', { minLength: 1 }),
      status: paymentStatus('ACSC'),
    }),
  ),
});

type AdvanceBody = Static<typeof advanceBody>;

/** The rule that exactly one of these targets is given. */
export function exactlyOne(...targets: readonly string[]): (members: Members) => readonly RuleFault[] {
  return (members) => {
    const given = targets.filter((name) => members[name] !== undefined);
    if (given.length === 1) return [];
    const received = given.length === 0 ? 'none of them' : given.join(' and ');
    return faultAt('', `Expected exactly one of ${targets.join(', ')}; received ${received}.`);
  };
}

/**
 * `POST /sandbox/clock/advance` carries out every run on the way, in order. Only a target `until` has `reached` in the
 * answer. As events it sends `progress` and `run` on the way, then `done` with the whole answer. If a client that reads
 * events disconnects, the advance stops between two runs, and the next call continues there.
 */
export const advance = controlEndpoint('POST /clock/advance', {
  summary: 'Move the bank clock forward, and carry out every run on the way',
  answer: advanceAnswer,
  refusals: { 404: 'There is no such payment.', 409: clockIsBusy },
  body: advanceBody,
  handle: (call) => {
    const target = targetOf(readAdvance(call));
    const { isStopped: isGone = noWatch.isGone } = call;
    return call.runExclusive(() => advanceWithin(call, target, { ...noWatch, isGone }));
  },
  tell: (call, events) => {
    const target = targetOf(readAdvance(call));
    return call.runExclusive(async () => {
      events.send('done', written(advanceAnswer, await advanceWithin(call, target, eventWatch(events))));
    });
  },
});

const forms = [
  '{"to":"2027-04-01"}',
  '{"to":"2027-04-01T12:00:00+02:00"}',
  '{"by":"P3D"}',
  '{"runs":5}',
  '{"until":{"paymentId":"...","status":"ACSC"}}',
];

/** Reads the body; a refusal lists the allowed forms. */
function readAdvance(call: ControlCall<AdvanceBody>): AdvanceBody {
  try {
    return call.readBody();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const [first, ...others] = error.faults;
    throw new Refusal({ ...first, allowed: forms }, ...others);
  }
}

/** Advances, and tells what lives received and spent meanwhile. */
async function advanceWithin(
  { bank }: ControlCall,
  target: AdvanceTarget,
  watch: typeof noWatch,
): Promise<AnswerValue<typeof advanceAnswer>> {
  const livesSince = await followLives(bank);
  const result = await advanceUntil(bank, target, watch);
  const report = finished(result);
  const lives = (await livesSince()).map(({ received, spent, ...life }) => ({
    ...life,
    received: nok(received),
    spent: nok(spent),
  }));
  return { ...report, reached: result.reached ?? undefined, lives: lives.length === 0 ? undefined : lives };
}

function nok(minor: bigint): Amount {
  return { minor, currency: 'NOK' };
}

/** Sends the events of an advance. `done` is the part of the bank time that has passed, 0 to 1. */
function eventWatch(events: Events): AdvanceWatch {
  let way = { from: 0, length: 0 };
  const progress = (at: Instant): void => {
    const part = way.length === 0 ? 0 : (at - way.from) / way.length;
    events.send('progress', { at: formatInstant(at), done: Math.min(1, Math.round(part * 10_000) / 10_000) });
  };
  return {
    began: (from, expected) => {
      way = { from, length: expected - from };
      progress(from);
    },
    ran: (report) => {
      events.send('run', written(runReport, report));
      progress(report.at);
    },
    isGone: () => events.stream.signal.aborted,
  };
}

const statuses = Object.keys(transactionStatuses) as TransactionStatus[];

/** The schema guarantees exactly one member, and texts that are instants and durations. */
function targetOf({ to, by, runs, until }: AdvanceBody): AdvanceTarget {
  if (runs !== undefined) return { runs };
  if (until !== undefined) {
    const { paymentId, status } = until;
    const known = oneOf(statuses, status, 'until.status', `There is no payment status ${status}.`);
    return { until: { paymentId, status: known } };
  }
  const instant = parseInstant(to ?? '');
  if (instant !== null) return { to: instant };
  const duration = parseDuration(by ?? '');
  assert(duration !== null, 'an advance has one of its targets');
  return { by: duration };
}

/** The same report. Throws a Problem 503 if the server stopped during the advance. */
export function finished(report: AdvanceReport): AdvanceReport {
  if (!report.isStopped) return report;
  const detail =
    `The server stopped on the way: the bank clock stands at ${formatInstant(report.to)}, and what the runs up to it did is kept. ` +
    'An advance after the next start goes on there.';
  throw new Problem({ status: 503, detail, isStop: true });
}
