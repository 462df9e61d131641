import type { AnswerTo } from '../../openapi/calls.ts';
import { debit, inWords } from '../parts/text.ts';
import { dayOfInstant, isAccount } from './balance-course.ts';

type Forecast = AnswerTo<'GET /forecast'>;

/** Something that happened or will happen on an account, to mark on its curve. */
export interface Mark {
  /** Days since 1970-01-01 on Oslo's clocks, with a fraction. */
  readonly day: number;
  readonly words: string;
  readonly amount: { readonly amount: string; readonly currency: string };
  /** Whether the attempt is short of funds. */
  readonly isShort: boolean;
}

/** What a forecast says about one account. */
export function forecastOn(
  account: Parameters<typeof isAccount>[0],
  { executions, planned }: Pick<Forecast, 'executions' | 'planned'>,
) {
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
