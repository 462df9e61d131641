import { accountsOfCustomer } from '../accounts/rows/accounts.ts';
import { markAgreementsDeleted } from '../parties/rows/agreements.ts';
import { cardAccountsOfCustomer, closeCardAccount } from '../cards/rows/card-accounts.ts';
import { deleteEngagementsOfCustomer } from '../parties/rows/engagements.ts';
import { markCustomerDeleted } from '../parties/rows/customers.ts';
import { endAccessOf, endConsentsLeftEmpty, removeBasketsOf } from '../consents/rows/ended-access.ts';
import { forgetAnswersAbout } from '../payments/rows/initiation-answers.ts';
import { unfinishedPaymentsOf } from '../payments/rows/unfinished-payments.ts';
import { tellConsents } from '../consents/tell-consents.ts';
import { bankNow, type BankContext } from '../bank/bank-context.ts';
import { cancelPayments } from '../payments/cancel-payments.ts';
import { closeOutAccount } from './close-out-account.ts';
import { requireCustomer } from './find-sandbox-resource.ts';

/**
 * Deletes a customer with its accounts, card accounts and agreements, in one transaction (interface: Rules, 6; rules.md D2). Payments
 * not settled that it initiated from the accounts of others, or signed, become CANC as well, so that nobody signs one
 * twice under a number created again; its engagements, consents, sessions and signing baskets end.
 */
export async function deleteCustomer(bank: BankContext, customerId: string): Promise<void> {
  await bank.ledger.write(async (tx) => {
    const at = await bankNow(bank, tx);
    const customer = await requireCustomer(tx, customerId);
    for (const account of await accountsOfCustomer(tx, customer.id)) await closeOutAccount(bank, tx, account, at);
    for (const card of await cardAccountsOfCustomer(tx, customer.id)) {
      await closeCardAccount(tx, card.id, at);
      tellConsents(bank, 'ended', await endConsentsLeftEmpty(tx, { cardAccountId: card.id }, at), at);
    }
    const payments = await unfinishedPaymentsOf(tx, customer.id);
    await cancelPayments(bank, tx, payments, { at, cause: 'customer deleted' });
    await forgetAnswersAbout(tx, payments);
    tellConsents(bank, 'ended', await endAccessOf(tx, customer.id, at), at);
    await removeBasketsOf(tx, customer.id, at);
    await deleteEngagementsOfCustomer(tx, customer.id);
    await markAgreementsDeleted(tx, customer.id, at);
    await markCustomerDeleted(tx, customer.id, at);
  });
}
