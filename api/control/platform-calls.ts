import * as Type from 'typebox';
import { closed, instant, text, choice, date, meaning } from '../bodies/schema.ts';
import { advanceMembers, answeredInstant, clockIsBusy, money, orNull, told } from './answers.ts';
import { exactlyOne } from './clock/advance.ts';
import { clockBody } from './clock/clock.ts';
import { platformList } from './bank-calls.ts';
import { customerTypes } from '../../engine/values/customer-type.ts';

export const productsInQuestion = ['domestic', 'instant', 'sepa', 'cross-border'] as const;

/** How a part of an answer is known (rules.md Q12d). */
const known = {
  quality: choice('how it is known', ['published', 'observed', 'inferred', 'assumed']),
  source: orNull(text('where it stands', 'https://bank.example/betalingsfrister'), 'null: nobody has published it'),
  sourceDate: orNull(text('the day of the source', '2025-02-07'), 'null: the source has none'),
};

const bankWhen = closed(
  {
    id: text('the id of the bank', 'klp-banken'),
    name: text('its name', 'KLP Banken'),
    cutOff: orNull(
      closed(
        {
          at: answeredInstant('the cut-off on the day of the order'),
          isMet: Type.Boolean({ description: 'whether the order comes in time' }),
          ...known,
        },
        { title: 'WhenCutOff' },
      ),
      'null: the last run decides',
    ),
    run: closed(
      {
        id: orNull(text('the run that settles it', '2027-03-30/1'), 'null: it settles at once'),
        at: answeredInstant('when it settles'),
        ...known,
      },
      { title: 'WhenRun' },
    ),
    booking: closed(
      { date: meaning('The booking date.', date), at: answeredInstant('from when it is booked'), ...known },
      { title: 'WhenBooking' },
    ),
    valueDate: closed({ date: meaning('The value date.', date), ...known }, { title: 'WhenValueDate' }),
    executionDate: meaning('The execution date.', date),
    fee: money,
    reason: Type.Optional(
      told('why it is not paid on the day of the order', 'Thu 25 Mar, closed: Skjærtorsdag, due Tue 30 Mar'),
    ),
  },
  { title: 'BankWhen', description: 'When the payment is where at a bank.' },
);

/** The answer of `GET /platform/when`. */
export const whenAnswer = closed(
  {
    at: answeredInstant('when the payment is initiated and signed'),
    amount: money,
    product: choice('the product', productsInQuestion),
    customer: choice('who pays', customerTypes),
    banks: Type.Array(bankWhen, { description: 'a list of the banks of the platform, in the order of their ids' }),
  },
  { title: 'When', description: 'When one payment is where, at each bank of the platform.' },
);

/** The query of `GET /platform/when`; a parameter that is left out has its default. */
export const whenQuery = {
  amount: Type.Optional(text('the amount; left out: 2500.00', '2500.00')),
  currency: Type.Optional(text('its currency; left out: NOK, for sepa EUR', 'NOK')),
  product: Type.Optional(choice('the product; left out: domestic', productsInQuestion)),
  customer: Type.Optional(choice('who pays; left out: private', customerTypes)),
  at: Type.Optional(
    text('when it is initiated and signed: a date or an instant; left out: now', '2027-03-24T14:20:00+01:00'),
  ),
  creditor: Type.Optional(text('an account number or an IBAN; left out: one in another bank', '70323119469')),
};

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
