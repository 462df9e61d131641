import * as Type from 'typebox';
import { closed } from '../../bodies/schema.ts';
import { fixtures } from '../../bodies/values.ts';

/** `POST /sandbox/reset`. */
export const resetBody = closed(
  { fixtures: Type.Optional(fixtures) },
  {
    title: 'Reset',
    description: 'The known state to go back to; empty: that of the settings.',
    expected: 'an object, empty or with fixtures',
    examples: [{}],
  },
);
