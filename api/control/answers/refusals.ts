import * as Type from 'typebox';
import { closed, integer, listOf, optional, text, titled } from '../../bodies/schema.ts';
import { faultCode } from './names.ts';
import { run } from './clock-and-runs.ts';

/* Why the control plane, or the check of a signature, refused a request. */

/** Every refusal of the control plane: application/problem+json (RFC 9457). */
export const problemAnswer = titled('Problem', 'Why a call was refused.').closed({
  type: Type.Literal('about:blank'),
  title: text('the name of the HTTP status', 'Bad Request'),
  status: integer('the HTTP status', { minimum: 400, maximum: 599 }),
  detail: text('what is wrong, and what to send instead', 'The query parameter from is missing: a date, YYYY-MM-DD.'),
  code: optional(faultCode),
  allowed: optional(Type.Unknown({ description: 'what would have been allowed' })),
  errors: optional(
    listOf(
      closed({ path: text('a member, a parameter or a header', 'from'), detail: text('what is wrong with it') }),
      'each fault by its place',
    ),
  ),
  run: optional(run),
});

/** Where two signing strings begin to differ, in answers of the doctor and the journal. */
export const signingDifference = titled('SigningDifference', 'Where the two signing strings begin to differ.').closed({
  line: integer('the line, from 1', { minimum: 1 }),
  column: integer('the character of the line, from 1', { minimum: 1 }),
  expected: text('the rest of the line in the string of the bank'),
  received: text('the rest of the line in the signed string'),
});
