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
import { storyPayment } from '../../bodies/story.ts';
import { address, name, purposeCode, requiredName } from '../../bodies/values.ts';

/** rules.md P10. */
export const straksBody = closed(
  {
    instructedAmount,
    creditorName: requiredName,
    creditorAccount: norwegianAccount,
    creditorAddress: Type.Optional(address),
    debtorAccount: norwegianAccount,
    ultimateDebtor: Type.Optional(meaning('On whose behalf the debtor pays.', name)),
    remittanceInformationUnstructured: Type.Optional(remittanceInformationUnstructured),
    remittanceInformationStructuredArray: Type.Optional(remittanceInformationStructuredArray),
    purposeCode: Type.Optional(purposeCode),
  },
  {
    title: 'InstantCreditTransferInitiation',
    description:
      'A Norwegian instant credit transfer (Straks). It is paid when it is authorised, so that it has no requestedExecutionDate.',
    examples: [storyPayment],
    rules: [oneRemittance, oneOfEachReference],
  },
);
