import * as Type from 'typebox';
import { parseIban } from '../../../engine/values/account-number.ts';
import { sepaZone } from '../../../engine/payments/rules/transfer-rules.ts';
import { foreignAccount, ibanAccount } from '../../bodies/account.ts';
import { oneOfEachReference, oneRemittance } from '../../bodies/remittance.ts';
import { memberOf, type Members, type RuleFault } from '../../bodies/rule.ts';
import { closed, meaning } from '../../bodies/schema.ts';
import { storyDays, storyPayment } from '../../bodies/story.ts';
import { bankCode, bic } from '../../bodies/values.ts';
import {
  creditor,
  creditorAddress,
  debtor,
  executionDate,
  norwegianCreditor,
  purpose,
  references,
  said,
} from './transfer-members.ts';

/** interface: POST /v1/payments/norwegian-domestic-credit-transfers; real-api-facts.md 4. */
export const creditTransferBody = closed(
  { ...norwegianCreditor, ...debtor, ...said, ...references, ...executionDate, ...purpose },
  {
    title: 'CreditTransferInitiation',
    description: 'A Norwegian domestic credit transfer.',
    examples: [{ ...storyPayment, requestedExecutionDate: storyDays.nextBankingDay }],
    rules: [oneRemittance, oneOfEachReference],
  },
);

/** rules.md P10. */
export const straksBody = closed(
  { ...norwegianCreditor, ...debtor, ...said, ...references, ...purpose },
  {
    title: 'InstantCreditTransferInitiation',
    description:
      'A Norwegian instant credit transfer (Straks). It is paid when it is authorised, so that it has no requestedExecutionDate.',
    examples: [storyPayment],
    rules: [oneRemittance, oneOfEachReference],
  },
);

/** The members of a payment abroad that follow the creditor's account and bank. */
const abroad = { ...creditorAddress, ...debtor, ...said, ...executionDate, ...purpose };

/** A payment of the story to an account abroad. */
function storyAbroad(iban: string, currency: string): object {
  const instructedAmount = { amount: '25.00', currency };
  const requestedExecutionDate = storyDays.nextBankingDay;
  return { ...storyPayment, instructedAmount, creditorAccount: { iban, currency }, requestedExecutionDate };
}

/** rules.md P11. */
export const sepaBody = closed(
  {
    ...creditor,
    creditorAccount: ibanAccount,
    creditorAgent: Type.Optional(meaning("The BIC of the creditor's bank; needed outside the EEA.", bic)),
    ...abroad,
  },
  {
    title: 'SepaCreditTransferInitiation',
    description: 'A payment in EUR to an account of the SEPA area.',
    examples: [storyAbroad('DE89370400440532013000', 'EUR')],
    rules: [agentOutsideEea],
  },
);

/** rules.md P11. */
export const crossBorderBody = closed(
  {
    ...creditor,
    creditorAccount: foreignAccount,
    creditorAgent: Type.Optional(
      meaning("The BIC or code of the creditor's bank; needed for an account without iban.", bankCode),
    ),
    ...abroad,
  },
  {
    title: 'CrossBorderCreditTransferInitiation',
    description: 'A payment to an account in any country, in any currency that the price list has.',
    examples: [storyAbroad('SE4550000000058398257466', 'SEK')],
    rules: [agentWithoutIban],
  },
);

/** rules.md P11: a SEPA payment needs a BIC outside the EEA. */
function agentOutsideEea({ creditorAccount, creditorAgent }: Members): readonly RuleFault[] {
  if (creditorAgent !== undefined) return [];
  const iban = memberOf(creditorAccount, 'iban');
  const read = typeof iban === 'string' ? parseIban(iban) : '';
  if (typeof read === 'string' || sepaZone(read.country) !== 'outside the EEA') return [];
  const text = `creditorAgent is missing: ${read.country} is outside the EEA, and a payment there needs the BIC of the creditor's bank.`;
  return [{ member: 'creditorAgent', text }];
}

/** A bban alone does not identify the creditor's bank, so creditorAgent is required. */
function agentWithoutIban({ creditorAccount, creditorAgent }: Members): readonly RuleFault[] {
  if (creditorAgent !== undefined || memberOf(creditorAccount, 'bban') === undefined) return [];
  if (memberOf(creditorAccount, 'iban') !== undefined) return [];
  const text = `creditorAgent is missing: an account without iban needs the BIC of its bank. Send one of the two.`;
  return [{ member: 'creditorAgent', text }];
}
