import type { Fault } from './fault.ts';
import { norwegianNumber, type CreditTransferInitiation } from './payment-initiation.ts';

const krone = 'NOK';

/**
 * What a Norwegian domestic credit transfer cannot be (rules.md P5b): anything but NOK, from a NOK account to another
 * Norwegian NOK account. `debtorCurrency` and `creditorCurrency` are those of the accounts in this bank; the creditor's
 * is null when the account is elsewhere.
 */
export function judgeDomesticTransfer(
  body: CreditTransferInitiation,
  debtorCurrency: string,
  creditorCurrency: string | null,
): Fault[] {
  const { debtorAccount, creditorAccount, instructedAmount } = body;
  const faults = [
    notKroner('instructedAmount.currency', instructedAmount.currency, 'the payment is in'),
    notKroner('debtorAccount.currency', debtorAccount.currency, 'the debtor account is given in'),
    notKroner('creditorAccount.currency', creditorAccount.currency, 'the creditor account is given in'),
    notKroner('debtorAccount', debtorCurrency, 'the bank keeps the debtor account in'),
    notKroner('creditorAccount', creditorCurrency ?? krone, 'the bank keeps the creditor account in'),
  ].filter((fault) => fault !== null);
  return [...faults, ...badCreditor(body)];
}

function notKroner(path: string, currency: string, what: string): Fault | null {
  if (currency === krone) return null;
  const text = `A Norwegian domestic credit transfer is in NOK, from a NOK account to a NOK account, and ${what} ${currency}.`;
  return { code: 'PAYMENT_FAILED', path, text };
}

function badCreditor(body: CreditTransferInitiation): Fault[] {
  const creditor = norwegianNumber(body.creditorAccount);
  if (creditor === null) {
    const text = `The creditor account ${body.creditorAccount.iban} is not Norwegian. Send a bban of 11 digits or a NO iban.`;
    return [{ code: 'PAYMENT_FAILED', path: 'creditorAccount.iban', text }];
  }
  if (creditor !== norwegianNumber(body.debtorAccount)) return [];
  const text = `Debtor and creditor are the same account, ${creditor}. Send another creditorAccount.`;
  return [{ code: 'PAYMENT_FAILED', path: 'creditorAccount', text }];
}
