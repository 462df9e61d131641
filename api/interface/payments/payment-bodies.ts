import * as Type from 'typebox';
import { parseIban } from '../../../engine/values/account-number.ts';
import { sepaZone } from '../../../engine/payments/rules/transfer-rules.ts';
import { foreignAccount, ibanAccount, norwegianAccount } from '../../bodies/account.ts';
import {
  oneOfEachReference,
  oneRemittance,
  remittanceInformationStructuredArray,
  remittanceInformationUnstructured,
} from '../../bodies/remittance.ts';
import { faultAt, formatValue, memberOf, type Members, type RuleFault, type SwitchedOn } from '../../bodies/rule.ts';
import { choice, integer, listOf, longList, meaning, optional, text, titled } from '../../bodies/schema.ts';
import { address, bankCode, bic, date, name, purposeCode, requiredName } from '../../bodies/values.ts';
import { storyDays, storyPayment } from '../../bodies/examples.ts';
import { instructedAmount } from '../../bodies/amount.ts';
import type { Frequency } from '../../../engine/time/rules/occurrences.ts';
import { parseLocalDate } from '../../../engine/values/local-date.ts';

/* Members of several bodies of payments. */

/** The amount for the creditor, and its name. */
const creditor = { instructedAmount, creditorName: requiredName };

const creditorAddress = { creditorAddress: optional(address) };

const norwegianCreditor = { ...creditor, creditorAccount: norwegianAccount, ...creditorAddress };

const debtor = { debtorAccount: norwegianAccount };

const remittanceMembers = {
  ultimateDebtor: optional(meaning('On whose behalf the debtor pays.', name)),
  remittanceInformationUnstructured: optional(remittanceInformationUnstructured),
};

const references = {
  remittanceInformationStructuredArray: optional(remittanceInformationStructuredArray),
};

const executionDate = {
  requestedExecutionDate: optional(meaning('The day on which to pay, by default today.', date)),
};

const purpose = { purposeCode: optional(purposeCode) };

/** interface: POST /v1/payments/norwegian-domestic-credit-transfers; real-api-facts.md 4. */
export const creditTransferBody = titled('CreditTransferInitiation', 'A Norwegian domestic credit transfer.', {
  examples: [{ ...storyPayment, requestedExecutionDate: storyDays.nextBankingDay }],
  rules: [oneRemittance, oneOfEachReference],
}).closed({ ...norwegianCreditor, ...debtor, ...remittanceMembers, ...references, ...executionDate, ...purpose });

/** It has no requested date, because it settles when it is signed (rules.md P10). */
export const straksBody = titled(
  'InstantCreditTransferInitiation',
  'A Norwegian instant credit transfer (Straks). It is paid when it is authorised, so that it has no requestedExecutionDate.',
  {
    examples: [storyPayment],
    rules: [oneRemittance, oneOfEachReference],
  },
).closed({ ...norwegianCreditor, ...debtor, ...remittanceMembers, ...references, ...purpose });

/** The members of a payment abroad that follow the creditor's account and bank. */
const abroad = { ...creditorAddress, ...debtor, ...remittanceMembers, ...executionDate, ...purpose };

/** A payment of the story to an account abroad. */
function storyAbroad(iban: string, currency: string): object {
  const instructedAmount = { amount: '25.00', currency };
  const requestedExecutionDate = storyDays.nextBankingDay;
  return { ...storyPayment, instructedAmount, creditorAccount: { iban, currency }, requestedExecutionDate };
}

/** SEPA reaches accounts by IBAN only; a creditor outside the EEA needs a BIC too (rules.md P11). */
export const sepaBody = titled('SepaCreditTransferInitiation', 'A payment in EUR to an account of the SEPA area.', {
  examples: [storyAbroad('DE89370400440532013000', 'EUR')],
  rules: [agentOutsideEea],
}).closed({
  ...creditor,
  creditorAccount: ibanAccount,
  creditorAgent: optional(meaning("The BIC of the creditor's bank; needed outside the EEA.", bic)),
  ...abroad,
});

/** The amount may be in another currency, which the bank converts (rules.md P11). */
export const crossBorderBody = titled(
  'CrossBorderCreditTransferInitiation',
  'A payment to an account in any country, in any currency that the price list has.',
  {
    examples: [storyAbroad('SE4550000000058398257466', 'SEK')],
    rules: [agentWithoutIban],
  },
).closed({
  ...creditor,
  creditorAccount: foreignAccount,
  creditorAgent: optional(
    meaning("The BIC or code of the creditor's bank; needed for an account without iban.", bankCode),
  ),
  ...abroad,
});

/** rules.md P11: a SEPA payment needs a BIC outside the EEA. */
function agentOutsideEea({ creditorAccount, creditorAgent }: Members): readonly RuleFault[] {
  if (creditorAgent !== undefined) return [];
  const iban = memberOf(creditorAccount, 'iban');
  const read = typeof iban === 'string' ? parseIban(iban) : '';
  if (typeof read === 'string' || sepaZone(read.country) !== 'outside the EEA') return [];
  const text = `creditorAgent is missing: ${read.country} is outside the EEA, and a payment there needs the BIC of the creditor's bank.`;
  return faultAt('creditorAgent', text);
}

/** A bban alone does not identify the creditor's bank, so creditorAgent is required. */
function agentWithoutIban({ creditorAccount, creditorAgent }: Members): readonly RuleFault[] {
  if (creditorAgent !== undefined || memberOf(creditorAccount, 'bban') === undefined) return [];
  if (memberOf(creditorAccount, 'iban') !== undefined) return [];
  const text = 'creditorAgent is missing: an account without iban needs the BIC of its bank. Send one of the two.';
  return faultAt('creditorAgent', text);
}

/** One creditor of a bulk payment. */
export const bulkPaymentItem = titled(
  'BulkPaymentItem',
  'One transfer of a bulk payment, debited to the account of the whole.',
  {
    rules: [oneRemittance, oneOfEachReference],
  },
).closed({ ...norwegianCreditor, ...remittanceMembers, ...references });

const { debtorAccount, ...item } = storyPayment;

/** One debtor and one date for all items (real-api-facts.md 6). */
export const bulkPaymentBody = titled(
  'BulkPaymentInitiation',
  'Norwegian domestic credit transfers from one account, approved together.',
  {
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
).closed({
  paymentInformationId: optional(
    text("The TPP's own name for the bulk payment.", {
      expected: 'a text of 1 to 35 characters',
      maxLength: 35,
      format: 'clearing-text',
    }),
  ),
  ...debtor,
  ...executionDate,
  payments: longList(bulkPaymentItem, { description: 'a list of one payment or more', minItems: 1 }),
});

export const frequency = Type.Unsafe<Frequency>({
  description: 'how often to pay',
  type: 'string',
  format: 'frequency',
  examples: ['Monthly'],
});

/** interface: Periodic payment initiation request body; rules.md R1 to R7. */
export const periodicPaymentBody = titled(
  'PeriodicPaymentInitiation',
  'A standing order: one payment after the other, as often as its frequency says.',
  {
    examples: [{ ...storyPayment, startDate: storyDays.nextBankingDay, frequency: 'Monthly', dayOfExecution: '12' }],
    rules: [period, monthsOfExecution],
  },
).closed({
  ...norwegianCreditor,
  ...debtor,
  ...remittanceMembers,
  ...purpose,
  startDate: meaning(
    'The first day on which a payment may be made; the day of execution follows from it when dayOfExecution is left out.',
    date,
  ),
  executionRule: optional(
    choice('what to do when the day is no banking day; the second word is spelled as the interface spells it', [
      'following',
      'preceeding',
    ]),
  ),
  endDate: optional(meaning('The last day on which a payment may be made. Without it the order has no end.', date)),
  frequency,
  monthsOfExecution: optional(
    listOf(
      integer('the number of a month, a whole number from 1', {
        examples: [2],
        documented: { minimum: 1, maximum: 11 },
      }),
      'The months of a payment with the frequency MonthlyVariable, 1 to 11; other frequencies ignore them.',
      {
        expected: 'a list of months, whole numbers',
        maxItems: 12,
      },
    ),
  ),
  dayOfExecution: optional(
    text('a day of the month, one or two digits', {
      pattern: '^\\d{1,2}$',
      format: 'day-of-month',
      examples: ['12'],
    }),
  ),
});

/** An endDate before startDate is a fault of the form: no calendar is needed to see it (rules.md R7). */
function period({ startDate, endDate }: Members): readonly RuleFault[] {
  if (typeof startDate !== 'string' || typeof endDate !== 'string') return [];
  const [start, end] = [parseLocalDate(startDate), parseLocalDate(endDate)];
  if (start === null || end === null || start <= end) return [];
  const text = `endDate ${end} is before startDate ${start}. Send a later one, or none for a payment without end.`;
  return faultAt('endDate', text);
}

/** rules.md R5: months 1 to 11 (12 by quirk); MonthlyVariable needs at least one, all different. */
function monthsOfExecution({ frequency, monthsOfExecution: months }: Members, quirks: SwitchedOn) {
  const variable = frequency === 'MonthlyVariable';
  if (variable && (months === undefined || (Array.isArray(months) && months.length === 0)))
    return faultAt('monthsOfExecution', monthsMissing);
  if (!Array.isArray(months)) return [];
  const seen = new Set<number>();
  return months.flatMap((month: unknown, index) => {
    // The schema refuses other values.
    if (typeof month !== 'number' || !Number.isInteger(month)) return [];
    const isRepeated = variable && seen.has(month);
    seen.add(month);
    const text =
      monthFault(month, quirks) ?? (isRepeated ? `Month ${month} is listed twice. Send each month once.` : null);
    return text === null ? [] : faultAt(`monthsOfExecution[${index}]`, text);
  });
}

const monthsMissing =
  'Frequency MonthlyVariable needs monthsOfExecution with at least one month. Send for example [2, 5, 8, 11].';

function monthFault(month: number, quirks: SwitchedOn): string | null {
  const last = quirks.has('december-month') ? 12 : 11;
  if (month >= 1 && month <= last) return null;
  if (month === 12)
    return 'Month 12 is outside the bounds 1 to 11 of the interface. The quirk december-month accepts it.';
  return `${formatValue(month)} is no month: expected a whole number from 1 to ${last}.`;
}
