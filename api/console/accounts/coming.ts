import type { AnswerTo } from '../../openapi/calls.ts';
import { debit, eventWords } from '../parts/text.ts';
import { dayOfInstant, minorOf } from './balance-course.ts';

type Forecast = AnswerTo<'GET /forecast'>;

/** Something that happened or will happen on an account, to mark on its curve. */
export interface Mark {
  /** Days since 1970-01-01 on Oslo's clocks, with a fraction. */
  readonly day: number;
  readonly words: string;
  readonly amount: { readonly amount: string; readonly currency: string };
  /** Whether money lacks: the try fails. */
  readonly isShort: boolean;
}

/** The part of a forecast that concerns an account, by its BBAN or its IBAN. */
export function forecastOn(
  { number, iban }: Pick<AnswerTo<'GET /accounts/:number'>, 'number' | 'iban'>,
  { executions, planned }: Pick<Forecast, 'executions' | 'planned'>,
) {
  const isOwn = (account: string | undefined): boolean => account === number || account === iban;
  return {
    planned: planned.filter(({ account }) => isOwn(account)),
    debits: executions.filter(({ account }) => isOwn(account)),
    credits: executions.filter(({ credit }) => isOwn(credit?.account)),
  };
}

/** What the forecast says of an account, as marks in order of time: incomes, bills, payments from it and to it. */
export function marksToCome({ planned, debits, credits }: ReturnType<typeof forecastOn>): readonly Mark[] {
  const marks = [
    ...planned.map(({ at, event, amount }) => ({ at, words: eventWords(event), amount, isShort: false })),
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

/** Whether an event lowers what is available. */
export function isDip({ amount }: Pick<Mark, 'amount'>): boolean {
  return minorOf(amount) < 0n;
}
