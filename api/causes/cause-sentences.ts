import type { AwaitedRun, Cause, OutcomeCause } from '../../engine/settlement/rules/cause.ts';
import type { lastAttempt } from '../../engine/settlement/rules/decide-attempts.ts';
import type { MovedDate } from '../../engine/time/rules/banking-calendar.ts';
import type { SettlementRun } from '../../engine/time/rules/settlement-run.ts';
import type { LocalDate } from '../../engine/values/local-date.ts';
import { timeOfDay } from '../../engine/values/instant.ts';
import type { Amount } from '../../engine/values/money.ts';
import { formatsIn } from '../pages/format.ts';
import type { Language } from '../pages/language.ts';
import { formatAmount } from '../../engine/values/money.ts';

/** How a language says the parts of a cause. */
interface Words {
  amount(amount: Amount): string;
  readonly weekend: string;
  closed(days: string): string;
  /** The first and the last of several closed days. */
  range(first: string, last: string): string;
  readonly preceding: string;
  signedTooLate(day: string): string;
  noRunLeft(day: string): string;
  readonly signedAfter: string;
  readonly passed: string;
  /** The day wanted is a banking day that has not passed (rules.md S6b). */
  readonly signedLate: string;
  readonly noneLeft: string;
  due(day: string): string;
  /** `isReceived`: it counts as received after its signature. */
  late(of: string, isReceived: boolean): string;
  triedOn(day: string): string;
  asked(forDay: string): string;
  /** When a run will settle it, or reject it for a reason. */
  settles(when: string): string;
  isRejected(when: string, reason: string): string;
  /** The same of some parts of a payment; a rejection by another run says when. */
  someSettle(count: number, parts: number, when: string): string;
  someAreRejected(count: number, when: string | null, reason: string): string;
  short(amount: string): string;
  readonly enough: string;
  readonly limit: string;
  /**
   * The reason of a refusal, as the attempt keeps it (rules.md P5c); one that the control plane gave is said as it is.
   */
  refused(reason: string): string;
  at(attempt: string): string;
  run(day: string): string;
  next(run: string): string;
  fee(amount: string): string;
  signed(names: string, isOne: boolean): string;
  missing(count: number): string;
  canSign(names: string): string;
  readonly nobodyCan: string;
  /** From the first attempt to the last. */
  readonly ordinals: readonly string[] & { readonly length: typeof lastAttempt };
}

const words: Readonly<Record<Language, Words>> = {
  en: {
    amount: (amount) => `${formatsIn('en').number(formatAmount(amount))} ${amount.currency}`,
    weekend: 'weekend',
    closed: (days) => `closed: ${days}`,
    range: (first, last) => `${first} to ${last}`,
    preceding: ' (preceding)',
    signedTooLate: (day) => `signed too late for ${day}`,
    noRunLeft: (day) => `no run is left on ${day}`,
    signedAfter: 'signed after that day',
    passed: 'that day has passed',
    signedLate: 'signed too late for that day',
    noneLeft: 'no run is left on that day',
    due: (day) => `due ${day}`,
    late: (of, isReceived) => (isReceived ? `received too late for ${of}` : `signed after the runs of ${of}`),
    triedOn: (day) => `tried on ${day}`,
    asked: (day) => `asked for ${day}`,
    settles: (when) => `settles ${when}, if funds suffice`,
    isRejected: (when, reason) => `is rejected ${when}: ${reason}`,
    someSettle: (count, parts, when) =>
      `${count} of ${parts} ${count === 1 ? 'settles' : 'settle'} ${when}, if funds suffice`,
    someAreRejected: (count, when, reason) => `${count} ${count === 1 ? 'is' : 'are'} rejected${when ?? ''}: ${reason}`,
    short: (amount) => `${amount} short`,
    enough: 'funds suffice',
    limit: 'an account would hold more than it can',
    refused: (reason) => reason,
    at: (attempt) => `at the ${attempt} attempt`,
    run: (moment) => `run of ${moment}`,
    next: (run) => `next attempt: ${run}`,
    fee: (amount) => ` (fee of ${amount} included)`,
    signed: (names, isOne) => `${names} ${isOne ? 'has' : 'have'} signed`,
    missing: (count) => (count === 1 ? '1 signature is missing' : `${count} signatures are missing`),
    canSign: (names) => `${names} can sign`,
    nobodyCan: 'nobody can give it',
    ordinals: ['first', 'second', 'third', 'fourth', 'fifth'],
  },
  nb: {
    amount: (amount) => formatsIn('nb').amount(amount),
    weekend: 'helg',
    closed: (days) => `stengt: ${days}`,
    range: (first, last) => `${first} til ${last}`,
    preceding: ' (bankdagen før)',
    signedTooLate: (day) => `signert for sent for ${day}`,
    noRunLeft: (day) => `ingen oppgjør igjen ${day}`,
    signedAfter: 'signert etter denne dagen',
    passed: 'dagen er passert',
    signedLate: 'signert for sent for denne dagen',
    noneLeft: 'ingen oppgjør igjen denne dagen',
    due: (day) => `forfaller ${day}`,
    late: (of, isReceived) => (isReceived ? `mottatt for sent for ${of}` : `signert etter oppgjørene ${of}`),
    triedOn: (day) => `forsøkes ${day}`,
    asked: (day) => `ønsket ${day}`,
    settles: (when) => `gjøres opp ${when}, hvis det er dekning`,
    isRejected: (when, reason) => `avvises ${when}: ${reason}`,
    someSettle: (count, parts, when) => `${count} av ${parts} gjøres opp ${when}, hvis det er dekning`,
    someAreRejected: (count, when, reason) => `${count} avvises${when ?? ''}: ${reason}`,
    short: (amount) => `mangler ${amount}`,
    enough: 'det er dekning',
    limit: 'en konto ville fått høyere saldo enn den kan ha',
    refused: (reason) =>
      reason
        .replace(/^the creditor account is closed$/, 'mottakerkontoen er avsluttet')
        .replace(/^the creditor account is blocked$/, 'mottakerkontoen er sperret')
        .replace(/^the bank of the creditor does not answer$/, 'mottakerens bank svarer ikke')
        .replace(/^the creditor account is kept in (\w{3}), not in (\w{3})$/, 'mottakerkontoen føres i $1, ikke i $2'),
    at: (attempt) => `ved ${attempt} forsøk`,
    run: (moment) => `oppgjøret ${moment}`,
    next: (run) => `neste forsøk: ${run}`,
    fee: (amount) => ` (inkludert gebyr på ${amount})`,
    signed: (names) => `${names} har signert`,
    missing: (count) => (count === 1 ? '1 signatur mangler' : `${count} signaturer mangler`),
    canSign: (names) => `${names} kan signere`,
    nobodyCan: 'ingen kan gi den',
    ordinals: ['første', 'andre', 'tredje', 'fjerde', 'femte'],
  },
};

/**
 * Says a cause (rules.md S11): `Sat 28 Nov, closed: weekend, due Mon 30 Nov`, `98.00 NOK short at the fifth attempt,
 * run of Wed 9 Jun, 15:30`. It names what the PSU's account lacks, so a TPP does not get it (S4b).
 */
export function sentence(cause: Cause, language: Language = 'en'): string {
  const wording = words[language];
  const { day } = formatsIn(language);
  switch (cause.kind) {
    case 'moved':
      return movedSentence(cause, language);
    case 'late':
      return `${wording.late(day(cause.executionDate), cause.isReceivedLater)}, ${wording.triedOn(day(cause.triedOn))}`;
    case 'awaits':
      return awaitedSentence(cause, language);
    case 'signatures': {
      const { list } = formatsIn(language);
      const { given, missing, able } = cause;
      return [
        ...(given.length === 0 ? [] : [wording.signed(list(given), given.length === 1)]),
        `${wording.missing(missing)}: ${able.length === 0 ? wording.nobodyCan : wording.canSign(list(able))}`,
      ].join('; ');
    }
    case 'settled':
    case 'short':
    case 'limit':
    case 'refused':
      return outcomeSentence(cause, language);
  }
}

/** Says the causes of one attempt, in their order. */
export function sentences(causes: readonly Cause[]): string {
  return causes.map((cause) => sentence(cause)).join('; ');
}

/** For a moved date: the date that was wanted, and why it moved. It is empty if the date did not move. */
export function movedPart(causes: readonly Cause[]): { readonly movedFrom?: LocalDate; readonly moved?: Cause } {
  const moved = causes.find((cause) => cause.kind === 'moved');
  return moved === undefined ? {} : { movedFrom: moved.wanted, moved };
}

/** `asked for Thu 25 Mar, closed: Skjærtorsdag to Andre påskedag; settles Tue 30 Mar, 05:30, if funds suffice` */
function awaitedSentence(awaited: AwaitedRun, language: Language): string {
  const { moved, late } = awaited;
  const wording = words[language];
  const { day } = formatsIn(language);
  return [
    ...(moved === null ? [] : [wording.asked(movedWords(moved, language))]),
    ...(late === null ? [] : [wording.late(day(late.executionDate), late.isReceivedLater)]),
    outcomeToCome(awaited, language),
  ].join('; ');
}

/** `2 of 5 settle Wed 3 Feb, 05:30, if funds suffice; 3 are rejected: the creditor account is closed` */
function outcomeToCome({ run, parts, refused }: AwaitedRun, language: Language): string {
  const wording = words[language];
  const when = (of: SettlementRun): string => runMoment(of, language);
  const [first] = refused;
  if (first === undefined) return wording.settles(when(run));
  if (first.count === parts) return wording.isRejected(when(first.run), wording.refused(first.reason));
  const settling = refused.reduce((left, { count }) => left - count, parts);
  return [
    ...(settling === 0 ? [] : [wording.someSettle(settling, parts, when(run))]),
    ...refused.map(({ count, run: rejecting, reason }) => {
      const isTold = settling > 0 && rejecting.at === run.at;
      return wording.someAreRejected(count, isTold ? null : ` ${when(rejecting)}`, wording.refused(reason));
    }),
  ].join('; ');
}

function movedSentence(moved: MovedDate, language: Language): string {
  const { due, preceding } = words[language];
  const isBefore = moved.executionDate < moved.wanted && moved.rule === 'preceding';
  const date = due(formatsIn(language).day(moved.executionDate));
  return `${movedWords(moved, language)}, ${date}${isBefore ? preceding : ''}`;
}

/** The day that was wanted, and why it is not the day: `Sat 28 Nov, closed: weekend`. */
function movedWords({ wanted, closed, missed, hasPassed, isSigned }: MovedDate, language: Language): string {
  const wording = words[language];
  const { day } = formatsIn(language);
  const names = closed.map((name) => (name === 'weekend' ? wording.weekend : name));
  const [first = '', last = ''] = [names[0], names.at(-1)];
  const days = names.length > 3 ? wording.range(first, last) : formatsIn(language).list(names);
  const late = isSigned ? wording.signedTooLate : wording.noRunLeft;
  const [passed, over] = isSigned ? [wording.signedAfter, wording.signedLate] : [wording.passed, wording.noneLeft];
  const why =
    names.length === 0
      ? [hasPassed ? passed : over]
      : [wording.closed(days), ...(missed === null ? [] : [late(day(missed))])];
  return [day(wanted), ...why].join(', ');
}

function outcomeSentence(cause: OutcomeCause, language: Language): string {
  const wording = words[language];
  const { attempt, run, next } = cause;
  const tried = wording.at(ordinalOf(attempt, language));
  // Formatting an instant costs more than the rest of a sentence: a forecast of thousands settles without it.
  const where = (): string => (run === null ? tried : `${tried}, ${runText(run, language)}`);
  const fee = 'fee' in cause && cause.fee !== null ? wording.fee(wording.amount(cause.fee)) : '';
  const again = next === null ? '' : `; ${nextWords(next, language)}`;
  switch (cause.kind) {
    case 'settled':
      return `${wording.enough}${fee}${attempt === 1 ? '' : ` ${where()}`}`;
    case 'short':
      return `${wording.short(wording.amount(cause.short))}${fee} ${where()}${again}`;
    case 'limit':
      return `${wording.limit}, ${where()}${again}`;
    case 'refused':
      return `${wording.refused(cause.reason)}, ${where()}${again}`;
  }
}

/** The next attempt, or what it will reject. */
function nextWords(next: AwaitedRun, language: Language): string {
  return next.refused.length === 0 ? words[language].next(runText(next.run, language)) : outcomeToCome(next, language);
}

/** `fifth` */
function ordinalOf(attempt: number, language: Language): string {
  return words[language].ordinals[attempt - 1] ?? String(attempt);
}

function runText(run: SettlementRun, language: Language): string {
  return words[language].run(runMoment(run, language));
}

/** `Tue 30 Mar, 05:30` */
function runMoment({ date, at }: SettlementRun, language: Language): string {
  const { day, withTime } = formatsIn(language);
  return withTime(day(date), timeOfDay(at));
}
