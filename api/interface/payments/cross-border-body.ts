import * as Type from 'typebox';
import { foreignAccount, norwegianAccount } from '../../bodies/account.ts';
import { instructedAmount } from '../../bodies/amount.ts';
import { remittanceInformationUnstructured } from '../../bodies/remittance.ts';
import { memberOf, type Members, type RuleFault } from '../../bodies/rule.ts';
import { closed, meaning } from '../../bodies/schema.ts';
import { storyDays, storyPayment } from '../../bodies/story.ts';
import { address, bankCode, date, name, purposeCode, requiredName } from '../../bodies/values.ts';

/** rules.md P11. */
export const crossBorderBody = closed(
  {
    instructedAmount,
    creditorName: requiredName,
    creditorAccount: foreignAccount,
    creditorAgent: Type.Optional(
      meaning("The BIC or code of the creditor's bank; needed for an account without iban.", bankCode),
    ),
    creditorAddress: Type.Optional(address),
    debtorAccount: norwegianAccount,
    ultimateDebtor: Type.Optional(meaning('On whose behalf the debtor pays.', name)),
    remittanceInformationUnstructured: Type.Optional(remittanceInformationUnstructured),
    requestedExecutionDate: Type.Optional(meaning('The day on which to pay; left out: today.', date)),
    purposeCode: Type.Optional(purposeCode),
  },
  {
    title: 'CrossBorderCreditTransferInitiation',
    description: 'A payment to an account in any country, in any currency that the price list has.',
    examples: [
      {
        ...storyPayment,
        instructedAmount: { amount: '25.00', currency: 'SEK' },
        creditorAccount: { iban: 'SE4550000000058398257466', currency: 'SEK' },
        requestedExecutionDate: storyDays.nextBankingDay,
      },
    ],
    rules: [agentWithoutIban],
  },
);

/** A bban alone does not identify the creditor's bank, so creditorAgent is required. */
function agentWithoutIban({ creditorAccount, creditorAgent }: Members): readonly RuleFault[] {
  if (creditorAgent !== undefined || memberOf(creditorAccount, 'bban') === undefined) return [];
  if (memberOf(creditorAccount, 'iban') !== undefined) return [];
  const text = `creditorAgent is missing: an account without iban needs the BIC of its bank. Send one of the two.`;
  return [{ member: 'creditorAgent', text }];
}
