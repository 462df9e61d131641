import { expect, test } from '@jest/globals';
import * as Type from 'typebox';
import { closed } from '../../api/bodies/schema.ts';
import { type AnswerValue, written } from '../../api/bodies/written.ts';
import { answeredInstant, listAnswer, money, orNull } from '../../api/control/answers/forms.ts';
import { run } from '../../api/control/answers/clock-and-runs.ts';
import type { Instant } from '../../engine/values/instant.ts';
import { localDate } from '../../engine/values/local-date.ts';

const schema = closed({
  at: answeredInstant('when'),
  until: orNull(answeredInstant('until when')),
  amount: money,
  run: Type.Optional(run),
  more: listAnswer('sums', 'Sums', money),
});

const at = Date.UTC(2027, 2, 30, 3, 30) as Instant;
const told = { at, until: null, amount: { minor: -150n, currency: 'NOK' }, more: { sums: [] } } as const;

test('the schema of an answer writes instants, amounts and runs of the engine', () => {
  const all = {
    ...told,
    until: at,
    run: { date: localDate('2027-03-30'), number: 1, at },
    more: { sums: [{ minor: 1000n, currency: 'JPY' }] },
  } as const satisfies AnswerValue<typeof schema>;

  expect(written(schema, all)).toEqual({
    at: '2027-03-30T05:30:00.000+02:00',
    until: '2027-03-30T05:30:00.000+02:00',
    amount: { amount: '-1.50', currency: 'NOK' },
    run: { id: '2027-03-30/1', at: '2027-03-30T05:30:00.000+02:00' },
    more: { sums: [{ amount: '1000', currency: 'JPY' }] },
  });
});

test('members that the schema does not name, and those that are undefined, are left out', () => {
  const more = { ...told, run: undefined, rowid: 7 };

  expect(Object.keys(written(schema, more) as object)).toEqual(['at', 'until', 'amount', 'more']);
});

test('an answer without a member, or with one of another name, does not compile', () => {
  const { until: _until, ...rest } = told;
  // @ts-expect-error A member is left out.
  const without: AnswerValue<typeof schema> = rest;
  // @ts-expect-error A member is misspelt.
  const misspelt: AnswerValue<typeof schema> = { ...told, runn: undefined };
  // @ts-expect-error An instant is no text.
  const asText: AnswerValue<typeof schema> = { ...told, at: '2027-03-30T05:30:00.000+02:00' };

  expect([without, misspelt, asText]).toHaveLength(3);
});
