import * as Type from 'typebox';
import { closed, instant, text } from '../bodies/schema.ts';
import { advanceMembers, answeredInstant, clockIsBusy } from './answers.ts';
import { exactlyOne } from './clock/advance.ts';
import { clockBody } from './clock/clock.ts';
import { platformList } from './bank-calls.ts';
import { whenAnswer, whenQuery } from './when-answer.ts';

/* The calls of `/platform`, which only the root has, and only with `--platform` (rules.md Q12). */

export const moveOfBank = closed(
  {
    id: text('the id of the bank', 'klp-banken'),
    asked: Type.Boolean({ description: 'false: nobody has asked the bank yet, and it only remembers the instant' }),
    ...advanceMembers,
  },
  { title: 'MoveOfBank', description: 'How the clock of a bank moved.', examples: [{ runs: [] }] },
);

export const platformMoved = closed(
  {
    to: answeredInstant('what the clock of every bank shows'),
    banks: Type.Array(moveOfBank, { description: 'a list of the banks of the platform, in the order of their ids' }),
  },
  { title: 'PlatformMoved', description: 'How the clocks of the platform moved, and what the runs on the way did.' },
);

/** `POST /platform/clock/advance`. Has exactly one member. */
const advanceBody = closed(
  {
    to: Type.Optional(instant),
    by: Type.Optional(text('an ISO 8601 duration in whole numbers', { format: 'bank-duration', examples: ['P3D'] })),
  },
  {
    title: 'PlatformAdvance',
    description: 'How far to move every clock: to an instant, or by a duration from the clock that is furthest ahead.',
    expected: 'an object with to or by',
    examples: [{ to: '2027-04-01' }, { by: 'P3D' }],
    rules: [exactlyOne('to', 'by')],
  },
);

const refusals = {
  409: `${clockIsBusy} Or the clock of a bank is past the instant: the answer names the bank, and no clock moves.`,
};

export const platformCalls = {
  'GET /platform': { summary: 'List the banks of the platform', answer: platformList },
  'GET /platform/when': {
    summary: 'When one payment is where, at each bank of the platform. Changes nothing',
    answer: whenAnswer,
    query: whenQuery,
    refusals: { 429: 'Too many questions wait.' },
  },
  'POST /platform/clock/advance': {
    summary: 'Move the clock of every bank of the platform to one instant',
    answer: platformMoved,
    refusals,
    body: advanceBody,
  },
  'PUT /platform/clock': {
    summary: 'Set the clock of every bank of the platform to one instant, its mode or its rate',
    answer: platformMoved,
    refusals,
    body: clockBody,
  },
} as const;
