import type { AnswerTo } from '../../openapi/calls.ts';

type Account = Pick<AnswerTo<'GET /accounts/:number'>, 'number' | 'iban'>;

/** What a forecast says about one account. The forecast names it by its BBAN or its IBAN. */
export function forecastOn(
  { number, iban }: Account,
  { executions, planned }: Pick<AnswerTo<'GET /forecast'>, 'executions' | 'planned'>,
) {
  const isOwn = (named: string | undefined): boolean => named === number || named === iban;
  return {
    planned: planned.filter((each) => isOwn(each.account)),
    debits: executions.filter((each) => isOwn(each.account)),
    credits: executions.filter(({ credit }) => isOwn(credit?.account)),
  };
}
