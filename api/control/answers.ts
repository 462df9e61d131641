import * as Type from 'typebox';
import { quirkNames } from '../../engine/bank/rules/quirk.ts';
import { faultCodes } from '../../engine/values/fault.ts';
import {
  type AnswerSchema,
  choice,
  closed,
  flag,
  integer,
  listOf,
  meaning,
  optional,
  text,
  titled,
} from '../bodies/schema.ts';
import { clockMode, currency, date } from '../bodies/values.ts';
import { story, storyDays } from '../bodies/examples.ts';
import { type Instant, formatInstant } from '../../engine/values/instant.ts';
import { runId, runTriggers, type SettlementRun } from '../../engine/time/rules/settlement-run.ts';
import type { Cause } from '../../engine/settlement/rules/cause.ts';
import { sentence, sentences } from '../causes/sentence.ts';
import { formattedAmount } from '../../engine/values/money.ts';
import { type WrittenBy, writtenBy } from '../bodies/written.ts';

/* Parts of several answers of the control plane. */

/** The schema of a value that may be null; `description` says when. */
export function orNull<Schema extends Type.TSchema>(
  schema: Schema,
  description?: string,
): Type.TUnion<[Schema, Type.TNull]> {
  return Type.Union([schema, Type.Null()], { ...(description !== undefined && { description }) });
}

/** Schema of a count from 0. */
export function count(description: string): Type.TInteger {
  return integer(description, { minimum: 0 });
}

const { today, lastBankingDay, nextBankingDay } = storyDays;
/** The bank time of the examples. */
export const noon = `${today}T12:00:00.000+02:00`;
/** The time of the first run of the next banking day, in examples. */
export const firstRun = `${nextBankingDay}T05:30:00.000+02:00`;

/** Schema of an instant in an answer. */
export function answeredInstant(description: string, example = noon): WrittenBy<Type.TString, Instant> {
  const form = {
    format: 'date-time',
    pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}[+-]\\d\\d:\\d\\d$',
    examples: [example],
  };
  return writtenBy(text(description, form), formatInstant);
}

export const money = writtenBy(
  titled('Money', 'An amount with its currency; a debit has a minus sign.').closed({
    amount: text('a decimal string', { pattern: '^-?\\d+(\\.\\d+)?$', examples: ['100.00'] }),
    currency,
  }),
  formattedAmount,
);

/** Schema of the sentence that tells a cause, or several; a text is told as it is. */
export function told(description: string, example: string): WrittenBy<Type.TString, Cause | readonly Cause[] | string> {
  return writtenBy(text(description, example), (cause) => {
    if (typeof cause === 'string') return cause;
    return 'kind' in cause ? sentence(cause) : sentences(cause);
  });
}

/** A customer or PSU. */
export const person = titled('Person', 'A customer or a PSU.').closed({
  number: text('the customer number', story.psu),
  name: text('the name', 'Test Testperson 3'),
});

/** Members of an execution whose date was moved. */
export const movedMembers = {
  movedFrom: optional(meaning('The nominal or requested date, if the execution date is another.', date)),
  moved: optional(
    told('why the execution date is another', 'Thu 25 Mar, closed: Skjærtorsdag to Andre påskedag, due Tue 30 Mar'),
  ),
};

export const accountNumber = text('the BBAN, or the IBAN if the account has no BBAN', story.debtorBban);

export const paymentId = text('the id of a payment', { minLength: 1, examples: [story.paymentId] });

/** Schema of the same id as the wire has it, which is there if a quirk changes it (rules.md Q3). */
export const wireId = optional(text('the same id as a TPP reads it, if a quirk changes it'));

/** A payment by both of its ids. */
export const paymentIds = { paymentId, wirePaymentId: wireId };

/** A TPP by its id and name. */
export const tpp = titled('Tpp').closed({
  id: text('its id', 'PSDNO-FSA-987654321'),
  name: text('its name', 'Shop AS'),
});

/** Schema of the form of a payment status. The endpoint checks that the status exists. */
export function paymentStatus(example: string): Type.TString {
  return text('a payment status of four capital letters', { pattern: '^[A-Z]{4}$', examples: [example] });
}

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

export const faultCode = choice('a code of the interface', faultCodes);

export const quirkName = choice('a behaviour that you can switch on', quirkNames);

/** A quirk that is on, in a list: its name, and its value if it has one. */
export const quirkText = text('a quirk that is on, with its value', 'reissued-ids=P60D');

/** The query of a list with a period of dates, both inclusive. */
export function period(of: string): { readonly from: AnswerSchema; readonly to: AnswerSchema } {
  return {
    from: optional(text(`the first ${of}`, '2027-03-01')),
    to: optional(text(`the last ${of}`, '2027-03-31')),
  };
}

/** Schema of a list under its name, `{payments: [...]}`. */
export function listAnswer<Name extends string, Items extends AnswerSchema>(
  name: Name,
  title: string,
  items: Items,
): Type.TObject<Record<Name, Type.TArray<Items>>> {
  const members = { [name]: listOf(items) } as Record<Name, Type.TArray<Items>>;
  return titled(title).closed(members);
}

/** Text for the 409 of a call that moves the clock or replaces the ledger. */
export const clockIsBusy = 'Another call moves the clock or replaces the ledger.';

/** Every refusal of the control plane: application/problem+json (RFC 9457). */
export const problemAnswer = titled('Problem', 'Why a call was refused.').closed({
  type: Type.Literal('about:blank'),
  title: text('the name of the HTTP status', 'Bad Request'),
  status: integer('the HTTP status', { minimum: 400, maximum: 599 }),
  detail: text('what is wrong, and what to send instead', 'The query parameter from is missing: a date, YYYY-MM-DD.'),
  code: optional(faultCode),
  allowed: optional(Type.Unknown({ description: 'what would have been allowed' })),
  errors: optional(
    listOf(
      closed({ path: text('a member, a parameter or a header', 'from'), detail: text('what is wrong with it') }),
      'each fault by its place',
    ),
  ),
  run: optional(run),
});

/** Where two signing strings begin to differ, in answers of the doctor and the journal. */
export const signingDifference = titled('SigningDifference', 'Where the two signing strings begin to differ.').closed({
  line: integer('the line, from 1', { minimum: 1 }),
  column: integer('the character of the line, from 1', { minimum: 1 }),
  expected: text('the rest of the line in the string of the bank'),
  received: text('the rest of the line in the signed string'),
});
