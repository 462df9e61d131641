import * as Type from 'typebox';
import { closed, meaning } from '../../bodies/schema.ts';
import { clockMode, instant } from '../../bodies/values.ts';

/** `PUT /sandbox/clock`. */
export const clockBody = closed(
  {
    now: Type.Optional(meaning('What the bank clock is to show.', instant)),
    mode: Type.Optional(clockMode),
    rate: Type.Optional(
      Type.Number({
        description: 'how many times as fast as the wall clock it goes, a whole number from 1 to 86400',
        examples: [3600],
      }),
    ),
  },
  {
    title: 'Clock',
    description: 'What to change of the bank clock.',
    expected: 'an object with now, mode, rate or several of them',
    examples: [{ now: '2027-03-30', mode: 'frozen' }],
    minProperties: 1,
  },
);
