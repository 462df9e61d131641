import { markAgreementDeleted } from '../parties/rows/agreements.ts';
import { endAccessUnder } from '../consents/rows/ended-access.ts';
import { deleteEngagementsIn } from '../parties/rows/engagements.ts';
import { forgetAnswersAbout } from '../payments/rows/initiation-answers.ts';
import { unfinishedPaymentsUnder } from '../payments/rows/unfinished-payments.ts';
import { tellConsents } from '../consents/tell-consents.ts';
import { bankNow, type BankContext } from '../bank/bank-context.ts';
import { cancelPayments } from '../payments/cancel-payments.ts';
import { requireCorporateAgreement } from './find-sandbox-agreement.ts';

/**
 * Deletes a corporate agreement in one transaction (rules.md D2): payments made under it that are not settled become
 * CANC, its consents end, nobody is engaged in it any more. The accounts stay. A private customer's own
 * goes with the customer: SERVICE_INVALID.
 */
export async function deleteAgreement(bank: BankContext, agreementId: string): Promise<void> {
  await bank.ledger.write(async (tx) => {
    const at = await bankNow(bank, tx);
    const agreement = await requireCorporateAgreement(tx, agreementId);
    const payments = await unfinishedPaymentsUnder(tx, agreement.id);
    await cancelPayments(bank, tx, payments, { at, cause: 'agreement deleted' });
    await forgetAnswersAbout(tx, payments);
    tellConsents(bank, 'ended', await endAccessUnder(tx, agreement.id, at), at);
    await deleteEngagementsIn(tx, agreement.id);
    await markAgreementDeleted(tx, agreement.id, at);
  });
}
