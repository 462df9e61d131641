import * as Type from 'typebox';
import { closed } from '../../bodies/schema.ts';
import { text } from '../answers.ts';

/** Where two signing strings begin to differ; of the doctor's answers and the journal's. */
export const signingDifference = closed(
  {
    line: Type.Integer({ description: 'the line, from 1', minimum: 1 }),
    column: Type.Integer({ description: 'the character of the line, from 1', minimum: 1 }),
    expected: text('what the bank has from there to the end of the line'),
    received: text('what was signed from there to the end of the line'),
  },
  { title: 'SigningDifference', description: 'Where the two signing strings begin to differ.' },
);
