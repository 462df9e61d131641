import * as Type from 'typebox';
import { closed, meaning } from '../../bodies/schema.ts';
import { clockMode, fixtures, instant } from '../../bodies/values.ts';

/** `POST /sandbox/reset`. */
export const resetBody = closed(
  {
    fixtures: Type.Optional(fixtures),
    now: Type.Optional(meaning('Where its clock begins, from this reset on.', instant)),
    mode: Type.Optional(clockMode),
  },
  {
    title: 'Reset',
    description:
      'The known state to go back to, and the beginning of the clock; empty: those of the settings and of the ledger.',
    expected: 'an object, empty or with fixtures, now or mode',
    examples: [{}],
  },
);
