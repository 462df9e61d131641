import { markAgreementDeleted } from '../ledger/agreements.ts';
import { endAccessUnder } from '../ledger/ended-access.ts';
import { deleteEngagementsIn } from '../ledger/engagements.ts';
import { forgetAnswersAbout } from '../ledger/initiation-answers.ts';
import { unfinishedPaymentsUnder } from '../ledger/unfinished-payments.ts';
import { bankNow, type BankContext } from './shared/bank-context.ts';
import { cancelPayments } from './shared/cancel-payments.ts';
import { requireCorporateAgreement } from './shared/find-sandbox-agreement.ts';

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
    await endAccessUnder(tx, agreement.id, at);
    await deleteEngagementsIn(tx, agreement.id);
    await markAgreementDeleted(tx, agreement.id, at);
  });
}
