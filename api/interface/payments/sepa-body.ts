import * as Type from 'typebox';
import { parseIban } from '../../../engine/values/account-number.ts';
import { sepaZone } from '../../../engine/payments/rules/sepa-countries.ts';
import { ibanAccount, norwegianAccount } from '../../bodies/account.ts';
import { instructedAmount } from '../../bodies/amount.ts';
import { remittanceInformationUnstructured } from '../../bodies/remittance.ts';
import { memberOf, type Members, type RuleFault } from '../../bodies/rule.ts';
import { closed, meaning } from '../../bodies/schema.ts';
import { storyDays, storyPayment } from '../../bodies/story.ts';
import { address, bic, date, name, purposeCode, requiredName } from '../../bodies/values.ts';

/** rules.md P11. */
export const sepaBody = closed(
  {
    instructedAmount,
    creditorName: requiredName,
    creditorAccount: ibanAccount,
    creditorAgent: Type.Optional(meaning("The BIC of the creditor's bank; needed outside the EEA.", bic)),
    creditorAddress: Type.Optional(address),
    debtorAccount: norwegianAccount,
    ultimateDebtor: Type.Optional(meaning('On whose behalf the debtor pays.', name)),
    remittanceInformationUnstructured: Type.Optional(remittanceInformationUnstructured),
    requestedExecutionDate: Type.Optional(meaning('The day on which to pay; left out: today.', date)),
    purposeCode: Type.Optional(purposeCode),
  },
  {
    title: 'SepaCreditTransferInitiation',
    description: 'A payment in EUR to an account of the SEPA area.',
    examples: [
      {
        ...storyPayment,
        instructedAmount: { amount: '25.00', currency: 'EUR' },
        creditorAccount: { iban: 'DE89370400440532013000', currency: 'EUR' },
        requestedExecutionDate: storyDays.nextBankingDay,
      },
    ],
    rules: [agentOutsideEea],
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
