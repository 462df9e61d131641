import { choice, flag, integer, listOf, meaning, optional, text, titled } from '../../bodies/schema.ts';
import { clockMode, date } from '../../bodies/values.ts';
import { storyDays } from '../../bodies/examples.ts';
import { formatInstant } from '../../../engine/values/instant.ts';
import { runId, runTriggers, type SettlementRun } from '../../../engine/time/rules/settlement-run.ts';
import { writtenBy } from '../../bodies/written.ts';
import { orNull, count, firstRun, answeredInstant, money, told } from './forms.ts';
import { accountNumber } from './names.ts';

/* The bank clock, its runs and its moves, in answers of the control plane. */

const { today, lastBankingDay, nextBankingDay } = storyDays;

/** Members of an execution whose date was moved. */
export const movedMembers = {
  movedFrom: optional(meaning('The nominal or requested date, if the execution date is another.', date)),
  moved: optional(
    told('why the execution date is another', 'Thu 25 Mar, closed: Skjærtorsdag to Andre påskedag, due Tue 30 Mar'),
  ),
};

const runMembers = {
  id: text('the date and the number of the run', `${nextBankingDay}/1`),
  at: answeredInstant('the time of the run', firstRun),
};

export const run = writtenBy(titled('Run', 'A settlement run.').closed(runMembers), (of: SettlementRun) => ({
  id: runId(of),
  at: formatInstant(of.at),
}));

/** Members of a clock's example that no other answer shares. */
const shownClock = {
  date: today,
  lastRun: { id: `${lastBankingDay}/3`, at: `${lastBankingDay}T11:30:00.000+01:00` },
};

const clockMembers = {
  now: answeredInstant('what the bank clock shows'),
  date: meaning('The date of now in Oslo.', date),
  mode: clockMode,
  rate: integer('the speed of the running clock, as a multiple of the wall clock', { minimum: 1 }),
  wall: answeredInstant('what the wall clock shows'),
  lastRun: run,
  nextRun: run,
};

export const clock = titled('BankClock', 'The bank clock, with the settlement runs before and after.', {
  examples: [shownClock],
}).closed(clockMembers);

/** The report of a run, in the answer and the events of an advance. */
export const runReport = titled('RunReport', 'What a settlement run did.', { examples: [{ settled: 1 }] }).closed({
  ...runMembers,
  settled: count('executions that settled'),
  retried: count('executions that lacked money and that a later run tries again'),
  rejected: count('executions that were rejected'),
  booked: count('entries that were booked'),
  registered: count('executions of standing orders that were registered'),
  trigger: choice('what set off the run (T5b)', runTriggers),
  lateMs: orNull(count('milliseconds that the run was late'), 'null if an advance moved the clock to the run'),
});

/** How a bank clock moved. */
export const advanceMembers = {
  from: answeredInstant('the bank time before'),
  to: answeredInstant('the bank time after', firstRun),
  runs: listOf(runReport, 'the runs on the way that had work, in order'),
  skippedEmptyRuns: count('the number of runs on the way that had no work'),
};

/** The report of an advance. */
const advanced = titled('Advanced', 'How the bank clock moved.', {
  examples: [{ runs: [] }],
}).closed(advanceMembers);

/** The answer of `POST /sandbox/clock/advance`. */
export const advanceAnswer = titled('AdvanceReport', 'The movement of the bank clock and the runs on the way.').closed({
  ...advanceMembers,
  reached: optional(flag('whether the payment has the status; only with until')),
  lives: optional(
    listOf(
      titled('LifeBookings', 'What the life of an account booked.').closed({
        account: accountNumber,
        count: count('transactions that its life booked on the way'),
        received: money,
        spent: money,
      }),
      'what lives booked on the way, by account; only if they booked anything',
    ),
  ),
});

/** The answer of `PUT /sandbox/clock`. */
export const clockSet = titled('ClockSet', 'The bank clock after the call; advanced is null if the clock went back.', {
  examples: [{ ...shownClock, mode: 'frozen', reseeded: false }],
}).closed({
  ...clockMembers,
  advanced: orNull(advanced),
  reseeded: flag('whether the clock went back and the known state was created again'),
  note: optional(text('what the rate does to Date, with --follow-clock')),
});

/** Text for the 409 of a call that moves the clock or replaces the ledger. */
export const clockIsBusy = 'Another call moves the clock or replaces the ledger.';
