import * as Type from 'typebox';
import { choice, closed, date, integer, meaning, text } from '../../bodies/schema.ts';
import { story } from '../../bodies/story.ts';
import { answeredInstant, firstRun, money, movedMembers, paymentId, paymentIds, told } from '../answers.ts';

/** A future attempt, in the forecast. */
export const forecastExecution = closed(
  {
    ...paymentIds,
    paymentId: Type.Optional(meaning('Left out of a payment that a life has not ordered yet.', paymentId)),
    item: Type.Optional(text('the path of the item; only in a bulk payment', 'payments[1]')),
    account: text('the account that pays, its BBAN or its IBAN', story.debtorBban),
    payee: text('the name of the creditor', 'Company 123'),
    nominalDate: Type.Optional(date),
    executionDate: date,
    ...movedMembers,
    run: closed({
      date,
      number: integer('the number of the run on its day, from 1', { minimum: 1 }),
      at: answeredInstant('when it is carried out', firstRun),
    }),
    outcome: choice('what the run will do', ['settle', 'retry', 'reject']),
    available: money,
    needed: money,
    credit: Type.Optional(
      closed(
        { account: text('its BBAN or its IBAN', story.creditorBban), amount: money },
        { description: 'the amount that an account of this bank receives if the attempt settles' },
      ),
    ),
    reason: told('why: closed days that move the date, and the funds', 'funds suffice'),
  },
  { title: 'ForecastExecution', description: 'An attempt of a future settlement run.' },
);

/** A future event of a life. */
const plannedEvent = closed(
  {
    date,
    at: answeredInstant('when it happens', firstRun),
    account: text('the account, its BBAN or its IBAN', story.debtorBban),
    amount: money,
    event: text('the event of the persona', 'salary'),
  },
  {
    title: 'PlannedEvent',
    description:
      'A transfer of a life whose day is known before, interest or a fee. Purchases are not listed; standing orders are attempts.',
  },
);

/** The answer of `GET /sandbox/forecast`. */
export const forecastAnswer = closed(
  {
    from: answeredInstant('the bank clock'),
    to: answeredInstant('the end of the forecast', firstRun),
    executions: Type.Array(forecastExecution),
    planned: Type.Array(plannedEvent),
  },
  { title: 'Forecast', description: 'What the settlement runs will do if nothing else happens.' },
);
