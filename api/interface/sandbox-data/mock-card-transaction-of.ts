import type { CardTransactionDetails, MockCardTransaction } from '../../../engine/cards/rules/card-transaction.ts';
import { formatAmount, type Amount } from '../../../engine/values/money.ts';
import type { SandboxMoney } from '../../bodies/amount.ts';
import type { CardTransaction } from './card-transactions-body.ts';
import { minorUnitsOf } from './minor-units.ts';

/** One item of the body, as the engine takes it. The published scripts send what they do not know as an empty text: it is left out. */
export function mockCardTransactionOf(item: CardTransaction): MockCardTransaction {
  const { cardTransactionId, bookingDate, transactionDate, transactionAmount, originalAmount } = item;
  return {
    cardTransactionId: cardTransactionId || null,
    bookingDate: bookingDate || null,
    transactionDate,
    transactionAmount: amountOf(transactionAmount),
    originalAmount: originalAmount === undefined ? null : amountOf(originalAmount),
    details: detailsOf(item),
  };
}

function detailsOf(item: CardTransaction): CardTransactionDetails {
  const { invoiced, markupFee, cardAcceptorAddress } = item;
  const address = withoutEmpty(cardAcceptorAddress ?? {});
  return {
    ...withoutEmpty({
      terminalId: item.terminalId,
      merchantCategoryCode: item.merchantCategoryCode,
      markupFeePercentage: item.markupFeePercentage,
      cardAcceptorId: item.cardAcceptorId,
      maskedPan: item.maskedPan,
      transactionDetails: item.transactionDetails,
      proprietaryBankTransactionCode: item.proprietaryBankTransactionCode,
    }),
    ...(Object.keys(address).length > 0 && { cardAcceptorAddress: address }),
    ...(markupFee !== undefined && {
      markupFee: { amount: formatAmount(amountOf(markupFee)), currency: markupFee.currency },
    }),
    ...(invoiced !== undefined && invoiced !== '' && { invoiced: String(invoiced) === 'true' }),
  };
}

function amountOf({ amount, currency }: SandboxMoney): Amount {
  return { minor: minorUnitsOf(amount, currency), currency };
}

function withoutEmpty(texts: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(texts).filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== ''),
  );
}
