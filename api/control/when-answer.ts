import { choice, flag, listOf, meaning, optional, text, titled } from '../bodies/schema.ts';
import { date } from '../bodies/values.ts';
import { answeredInstant, money, orNull, told } from './answers/forms.ts';
import { customerTypes } from '../../engine/values/customer-type.ts';
import { productWords } from '../../engine/values/product.ts';

const words = Object.values(productWords);

/** How a part of an answer is known (rules.md Q12d). */
const known = {
  quality: choice('how it is known', ['published', 'observed', 'inferred', 'assumed']),
  source: orNull(text('where it stands', 'https://bank.example/betalingsfrister'), 'null if nobody has published it'),
  sourceDate: orNull(text('the day of the source', '2025-02-07'), 'null if the source has none'),
};

const bankWhen = titled('BankWhen', 'When the payment is where at a bank.').closed({
  id: text('the id of the bank', 'klp-banken'),
  name: text('its name', 'KLP Banken'),
  // Most banks have none.
  cutOff: {
    ...orNull(
      titled('WhenCutOff').closed({
        at: answeredInstant('the cut-off on the day of the order'),
        isMet: flag('whether the order comes in time'),
        ...known,
      }),
      'null if the last run decides',
    ),
    examples: [null],
  },
  run: titled('WhenRun').closed({
    id: orNull(text('the run that settles it', '2027-03-30/1'), 'null if it settles at once'),
    at: answeredInstant('when it settles'),
    ...known,
  }),
  booking: titled('WhenBooking').closed({
    date: meaning('The booking date.', date),
    at: answeredInstant('from when it is booked'),
    ...known,
  }),
  valueDate: titled('WhenValueDate').closed({ date: meaning('The value date.', date), ...known }),
  executionDate: meaning('The execution date.', date),
  fee: money,
  reason: optional(
    told('why it is not paid on the day of the order', 'Thu 25 Mar, closed: Skjærtorsdag, due Tue 30 Mar'),
  ),
});

/** The answer of `GET /sandbox/when`. */
export const whenAnswer = titled('When', 'When one payment is where, at each bank of the platform.').closed({
  at: answeredInstant('when the payment is initiated and signed'),
  amount: money,
  product: choice('the product', words),
  customer: choice('who pays', customerTypes),
  banks: listOf(bankWhen, 'a list of the banks of the platform, in the order of their ids'),
});

/** The query of `GET /sandbox/when`; a parameter that is left out has its default. */
export const whenQuery = {
  amount: optional(text('the amount, by default 2500.00', '2500.00')),
  currency: optional(text('its currency, by default NOK, for sepa EUR', 'NOK')),
  product: optional(choice('the product, by default domestic', words)),
  customer: optional(choice('who pays, by default private', customerTypes)),
  at: optional(
    text(
      'when it is initiated and signed: a date or an instant, by default now, by the clock of the bank that answers',
      '2027-03-24T14:20:00+01:00',
    ),
  ),
  creditor: optional(text('an account number or an IBAN, by default one in another bank', '70323119469')),
};
