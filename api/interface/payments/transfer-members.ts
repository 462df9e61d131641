import * as Type from 'typebox';
import { norwegianAccount } from '../../bodies/account.ts';
import { instructedAmount } from '../../bodies/amount.ts';
import { remittanceInformationStructuredArray, remittanceInformationUnstructured } from '../../bodies/remittance.ts';
import { meaning } from '../../bodies/schema.ts';
import { address, date, name, purposeCode, requiredName } from '../../bodies/values.ts';

/* Members of several bodies of payments. */

/** The amount for the creditor, and its name. */
export const creditor = { instructedAmount, creditorName: requiredName };

export const creditorAddress = { creditorAddress: Type.Optional(address) };

/** A creditor with a Norwegian account. */
export const norwegianCreditor = { ...creditor, creditorAccount: norwegianAccount, ...creditorAddress };

export const debtor = { debtorAccount: norwegianAccount };

export const said = {
  ultimateDebtor: Type.Optional(meaning('On whose behalf the debtor pays.', name)),
  remittanceInformationUnstructured: Type.Optional(remittanceInformationUnstructured),
};

export const references = {
  remittanceInformationStructuredArray: Type.Optional(remittanceInformationStructuredArray),
};

export const executionDate = {
  requestedExecutionDate: Type.Optional(meaning('The day on which to pay; left out: today.', date)),
};

export const purpose = { purposeCode: Type.Optional(purposeCode) };
