import * as Type from 'typebox';
import { type AnswerSchema, integer, listOf, optional, text, titled } from '../../bodies/schema.ts';
import { currency } from '../../bodies/values.ts';
import { storyDays } from '../../bodies/examples.ts';
import { type Instant, formatInstant } from '../../../engine/values/instant.ts';
import type { Cause } from '../../../engine/settlement/rules/cause.ts';
import { sentence, sentences } from '../../causes/cause-sentences.ts';
import { formattedAmount } from '../../../engine/values/money.ts';
import { type WrittenBy, writtenBy } from '../../bodies/written.ts';

/* The forms of values in answers of the control plane, and of their lists. */

const { today, nextBankingDay } = storyDays;

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
