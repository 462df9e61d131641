import * as Type from 'typebox';
import { closed, meaning } from '../bodies/schema.ts';
import { clockMode, fixtures, instant } from '../bodies/values.ts';

/** Body of `POST /sandbox/banks`. */
export const bankBody = closed(
  {
    name: Type.String({ description: 'a name for the bank', minLength: 1, maxLength: 255 }),
    fixtures: Type.Optional(fixtures),
    now: Type.Optional(meaning('Where its clock starts.', instant)),
    mode: Type.Optional(clockMode),
    quirks: Type.Optional(
      Type.Array(Type.String({ description: 'the name of a quirk', maxLength: 255 }), {
        description: 'a list of quirks',
        maxItems: 100,
      }),
    ),
  },
  {
    title: 'Bank',
    description: 'One more bank in this process, in memory, below /banks/{name}.',
    expected: 'an object with the name of the bank',
    examples: [{ name: 'ci-1', now: '2027-03-30', mode: 'frozen' }],
  },
);
