import * as Type from 'typebox';
import type { Members, RuleFault } from '../../bodies/rule.ts';
import { closed, type Static } from '../../bodies/schema.ts';
import { instant } from '../../bodies/values.ts';
import { paymentStatus } from '../payments/forced-status-body.ts';

/** `POST /sandbox/clock/advance`. Has exactly one member. */
export const advanceBody = closed(
  {
    to: Type.Optional(instant),
    by: Type.Optional(
      Type.String({
        description: 'an ISO 8601 duration in whole numbers',
        format: 'bank-duration',
        examples: ['P3D'],
      }),
    ),
    runs: Type.Optional(Type.Integer({ description: 'a whole number of settlement runs, 1 or more', minimum: 1 })),
    until: Type.Optional(
      closed({
        paymentId: Type.String({ description: 'the id of a payment', minLength: 1 }),
        status: paymentStatus('ACSC'),
      }),
    ),
  },
  {
    title: 'Advance',
    description:
      'How far to move the bank clock: to an instant, by a duration, by runs, or until a payment has a status.',
    expected: 'an object with to, by, runs or until',
    examples: [{ to: '2027-04-01' }, { by: 'P3D' }, { runs: 5 }],
    rules: [oneTarget],
  },
);

export type AdvanceBody = Static<typeof advanceBody>;

/** Exactly one of the four targets is given. */
function oneTarget(members: Members): readonly RuleFault[] {
  const given = ['to', 'by', 'runs', 'until'].filter((name) => members[name] !== undefined);
  if (given.length === 1) return [];
  const received = given.length === 0 ? 'none of them' : given.join(' and ');
  return [{ member: '', text: `Expected exactly one of to, by, runs, until; received ${received}.` }];
}
