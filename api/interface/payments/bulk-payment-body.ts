import * as Type from 'typebox';
import { oneOfEachReference, oneRemittance } from '../../bodies/remittance.ts';
import { closed, longList, text } from '../../bodies/schema.ts';
import { storyDays, storyPayment } from '../../bodies/story.ts';
import { debtor, executionDate, norwegianCreditor, references, said } from './transfer-members.ts';

/** One creditor of a bulk payment. */
export const bulkPaymentItem = closed(
  { ...norwegianCreditor, ...said, ...references },
  {
    title: 'BulkPaymentItem',
    description: 'One transfer of a bulk payment, debited to the account of the whole.',
    rules: [oneRemittance, oneOfEachReference],
  },
);

const { debtorAccount, ...item } = storyPayment;

/** real-api-facts.md 6. */
export const bulkPaymentBody = closed(
  {
    paymentInformationId: Type.Optional(
      text("The TPP's own name for the bulk payment.", {
        expected: 'a text of 1 to 35 characters',
        minLength: 1,
        maxLength: 35,
        format: 'clearing-text',
      }),
    ),
    ...debtor,
    ...executionDate,
    payments: longList(bulkPaymentItem, { description: 'a list of one payment or more', minItems: 1 }),
  },
  {
    title: 'BulkPaymentInitiation',
    description: 'Norwegian domestic credit transfers from one account, approved together.',
    examples: [
      {
        debtorAccount,
        requestedExecutionDate: storyDays.nextBankingDay,
        // With the amount of the single payment's example they would be its duplicates (rules.md P7).
        payments: ['250.00', '310.50'].map((amount) => {
          return { ...item, instructedAmount: { amount, currency: 'NOK' } };
        }),
      },
    ],
  },
);
