import { assert } from '../../core/assert.ts';
import { isCurrency, type Currency } from '../../core/currency.ts';
import { Refusal } from '../../core/fault.ts';
import { priceForeignTransfer, type ForeignTransfer } from '../../core/foreign-transfer.ts';
import { parseInstructedAmount } from '../../core/parse-amount.ts';
import { creditorNumber, type CreditTransferInitiation } from '../../core/payment-initiation.ts';
import { isForeign } from '../../core/product.ts';
import { accountByNumber, type Account } from '../../ledger/accounts.ts';
import type { Reader } from '../../ledger/database.ts';
import type { BankContext } from './bank-context.ts';

/** What a foreign payment costs and brings; null for a domestic one, which is free. Unpayable: PAYMENT_FAILED (rules.md P11). */
export async function pricePayment(
  bank: BankContext,
  reader: Reader,
  product: string,
  body: CreditTransferInitiation,
  debtor: Account,
): Promise<ForeignTransfer | null> {
  if (!isForeign(product)) return null;
  const { amount, currency } = body.instructedAmount;
  const instructed = parseInstructedAmount(amount, currency);
  assert(typeof instructed !== 'string', `${amount} was checked with the body`);
  const creditor = await accountByNumber(reader, creditorNumber(body));
  const terms = priceForeignTransfer(
    {
      product,
      instructed,
      debtorCurrency: known(debtor.currency),
      creditorCurrency: creditor === undefined ? null : known(creditor.currency),
    },
    bank.prices,
  );
  if ('code' in terms) throw new Refusal(terms);
  return terms;
}

function known(currency: string): Currency {
  assert(isCurrency(currency), `${currency} is a currency of the interface`);
  return currency;
}
