import * as Type from 'typebox';
import { norwegianAccount } from '../../bodies/account.ts';
import { instructedAmount } from '../../bodies/amount.ts';
import {
  oneOfEachReference,
  oneRemittance,
  remittanceInformationStructuredArray,
  remittanceInformationUnstructured,
} from '../../bodies/remittance.ts';
import { closed, meaning } from '../../bodies/schema.ts';
import { storyDays, storyPayment } from '../../bodies/story.ts';
import { address, date, name, purposeCode, requiredName } from '../../bodies/values.ts';

/** interface: POST /v1/payments/norwegian-domestic-credit-transfers; real-api-facts.md 4. */
export const creditTransferBody = closed(
  {
    instructedAmount,
    creditorName: requiredName,
    creditorAccount: norwegianAccount,
    creditorAddress: Type.Optional(address),
    debtorAccount: norwegianAccount,
    ultimateDebtor: Type.Optional(meaning('On whose behalf the debtor pays.', name)),
    remittanceInformationUnstructured: Type.Optional(remittanceInformationUnstructured),
    remittanceInformationStructuredArray: Type.Optional(remittanceInformationStructuredArray),
    requestedExecutionDate: Type.Optional(meaning('The day on which to pay; left out: today.', date)),
    purposeCode: Type.Optional(purposeCode),
  },
  {
    title: 'CreditTransferInitiation',
    description: 'A Norwegian domestic credit transfer.',
    examples: [{ ...storyPayment, requestedExecutionDate: storyDays.nextBankingDay }],
    rules: [oneRemittance, oneOfEachReference],
  },
);
