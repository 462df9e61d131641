import { judgeDomesticTransfer } from './domestic-transfer.ts';
import type { Fault } from './fault.ts';
import { parseIban } from './iban.ts';
import { accountNumber, creditorNumber, type CreditTransferInitiation } from './payment-initiation.ts';
import { products } from './product.ts';
import { sepaZone } from './sepa-countries.ts';

/** The currencies that the bank keeps the accounts in; null: the creditor's account is in another bank. */
export interface KeptCurrencies {
  readonly debtor: string;
  readonly creditor: string | null;
}

/** What a payment of a product cannot be, beyond the form of its body (rules.md P5b, P11). */
export function judgeTransfer(product: string, body: CreditTransferInitiation, kept: KeptCurrencies): Fault[] {
  if (product === products.sepa) return judgeSepaTransfer(body, kept.debtor);
  if (product === products.crossBorder) return judgeAccounts(body, kept.debtor);
  return judgeDomesticTransfer(body, kept.debtor, kept.creditor);
}

/** In EUR, to a country of the scheme, from an account in NOK or EUR (interface: Endpoints, rule 8). */
function judgeSepaTransfer(body: CreditTransferInitiation, debtorCurrency: string): Fault[] {
  const faults: Fault[] = [];
  const { currency } = body.instructedAmount;
  if (currency !== 'EUR') {
    const text = `A SEPA credit transfer is in EUR, and the payment is in ${currency}. Send cross-border-credit-transfers instead.`;
    faults.push({ code: 'PAYMENT_FAILED', path: 'instructedAmount.currency', text });
  }
  const iban = parseIban(body.creditorAccount.iban ?? '');
  if (typeof iban !== 'string' && sepaZone(iban.country) === null) {
    const text = `${iban.country} is no country of the SEPA scheme. Send cross-border-credit-transfers instead.`;
    faults.push({ code: 'PAYMENT_FAILED', path: 'creditorAccount.iban', text });
  }
  if (debtorCurrency !== 'NOK' && debtorCurrency !== 'EUR') {
    const text = `A SEPA credit transfer is paid from an account in NOK or EUR, and this one is kept in ${debtorCurrency}.`;
    faults.push({ code: 'PAYMENT_FAILED', path: 'debtorAccount', text });
  }
  return [...faults, ...judgeAccounts(body, debtorCurrency)];
}

/** The debtor account in the currency that it is kept in, and another one than the creditor's. */
function judgeAccounts(body: CreditTransferInitiation, debtorCurrency: string): Fault[] {
  const faults: Fault[] = [];
  const { debtorAccount } = body;
  if (debtorAccount.currency !== debtorCurrency) {
    const text = `The debtor account is given in ${debtorAccount.currency}, and the bank keeps it in ${debtorCurrency}. Send that.`;
    faults.push({ code: 'PAYMENT_FAILED', path: 'debtorAccount.currency', text });
  }
  const number = creditorNumber(body);
  if (number === accountNumber(debtorAccount)) {
    const text = `Debtor and creditor are the same account, ${number}. Send another creditorAccount.`;
    faults.push({ code: 'PAYMENT_FAILED', path: 'creditorAccount', text });
  }
  return faults;
}
