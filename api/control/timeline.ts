import { lastAttempt } from '../../engine/settlement/rules/decide-attempts.ts';
import { timeline as timelineOf, timelineOutcomes, type TimelinePayment } from '../../engine/inspection/timeline.ts';
import { choice, closed, flag, integer, listOf, optional, text, titled, type Static } from '../bodies/schema.ts';
import { date } from '../bodies/values.ts';
import { movedPart } from '../causes/cause-sentences.ts';
import { accountNumber, paymentIds } from './answers/names.ts';
import { answeredInstant, count, firstRun, money, orNull, told } from './answers/forms.ts';
import { movedMembers } from './answers/clock-and-runs.ts';
import { calendarDay, formatDay, windowIn } from './clock/calendar.ts';
import { controlEndpoint } from './control-endpoint.ts';
import { attemptOutcome, productOfPayment, serviceOfPayment, statusOfPayment } from './payments/get-payment.ts';
import { countIn } from './read-query.ts';
import { runId } from '../../engine/time/rules/settlement-run.ts';

/** Bounds of a window, in days, and of the payments that one answer tells one by one. */
export const timelineBounds = { days: 62, payments: 200, usual: 50 } as const;

const outcome = choice(
  'what became of it, or what the forecast says; later: nothing until the end of the window',
  timelineOutcomes,
);

const timelineTry = titled('TimelineTry', 'A try of a payment, past or to come.').closed({
  at: answeredInstant('when', firstRun),
  run: orNull(text('the run', '2027-03-30/1'), 'null for an instant payment, which settles without one'),
  outcome: attemptOutcome,
  hasHappened: flag('false: the forecast says so'),
  count: integer('how many parts of the payment, 1 for all but a bulk payment', { minimum: 1 }),
  attempt: integer('which attempt it was', { minimum: 1, maximum: lastAttempt }),
  nominalDate: optional(date),
  ...movedMembers,
  reason: told('why: closed days that moved it, and the funds', 'funds suffice'),
});

const timelinePayment = titled('TimelinePayment', 'A payment of the window, as far as it has come.', {
  examples: [{ status: 'ACSP', outcome: 'settles', returns: [] }],
}).closed({
  ...paymentIds,
  service: serviceOfPayment,
  product: productOfPayment,
  status: statusOfPayment,
  amount: money,
  account: accountNumber,
  payee: orNull(text('the name of the creditor', 'Company 123'), 'null for a bulk payment, and if none was sent'),
  orderedAt: answeredInstant('when it was initiated'),
  signedAt: orNull(answeredInstant('when the last signature came'), 'null if it waits for a signature'),
  askedFor: orNull(date, 'the day that the TPP asked for; null if it named none'),
  nextDate: orNull(date, 'the next day on which a run tries it; null if none is left'),
  outcome,
  changedAt: answeredInstant('when it got its last status'),
  tries: listOf(timelineTry, 'in order of time; the parts of a bulk payment that go alike in one run are one'),
  returns: listOf(
    closed({
      due: date,
      at: orNull(answeredInstant('when it was booked'), 'null while it is to come'),
      text: text('the reason in words', 'account closed'),
    }),
    'money that came back, or will',
  ),
});

const timelineAnswer = titled('Timeline', 'The days of a window, and its payments on them.', {
  examples: [{ coming: [] }],
}).closed({
  now: answeredInstant('the bank clock'),
  days: listOf(calendarDay),
  totals: titled('TimelineTotals', 'How many payments of the window have each outcome.').closed(
    Object.fromEntries(timelineOutcomes.map((each) => [each, count(`payments with this outcome`)])) as Record<
      (typeof timelineOutcomes)[number],
      ReturnType<typeof count>
    >,
  ),
  payments: listOf(
    timelinePayment,
    'the first ordered first; if the window has more, those that need attention, then those whose last or next change is nearest to now',
  ),
  coming: listOf(
    closed({
      at: answeredInstant('the time of the run', firstRun),
      settle: count('tries that settle'),
      retry: count('tries that lack money and are repeated'),
      reject: count('tries that end in a rejection'),
    }),
    'what each run to come does with the payments of the window; runs without any are left out',
  ),
});

export type TimelineAnswer = Static<typeof timelineAnswer>;

/** `GET /sandbox/timeline?from&to`: the payments of a window on the days of the bank, tried and to be tried. */
export const timeline = controlEndpoint('GET /timeline', {
  summary: 'The payments of a window on the days of the bank: ordered, tried, settled, and forecast',
  answer: timelineAnswer,
  query: {
    from: text('the first day', '2027-03-22'),
    to: text(`the last day, included; a call shows ${timelineBounds.days} days at most`, '2027-04-05'),
    limit: optional(
      text(
        `the most payments in one answer, up to ${timelineBounds.payments}; ${timelineBounds.usual} without it`,
        '50',
      ),
    ),
    payment: optional(text('only the payment with this id')),
  },
  refusals: { 404: 'There is no such payment.' },
  handle: async ({ bank, query }) => {
    const { days: most, payments: maximum, usual } = timelineBounds;
    const { days, payments, ...told } = await timelineOf(bank, {
      ...windowIn(query, most),
      limit: countIn(query, 'limit', { least: 1, most: maximum, otherwise: usual }),
      paymentId: query.get('payment') ?? null,
    });
    return { ...told, days: days.map(formatDay), payments: payments.map(shownPayment) };
  },
});

/** A payment of the timeline, as the answer has it. */
function shownPayment({ tries, ...payment }: TimelinePayment) {
  return {
    ...payment,
    tries: tries.map(({ run, nominalDate, causes, ...each }) => ({
      ...each,
      run: run === null ? null : runId(run),
      nominalDate: nominalDate ?? undefined,
      ...movedPart(causes),
      reason: causes,
    })),
  };
}
