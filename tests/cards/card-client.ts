import type { Reply, TestBank } from '../lab/server.ts';

export const holder = '13039319955';
export const cards = '/v1/card-accounts';
export const sandboxCards = '/v1/sandbox/card-accounts';

/** A card as the vendor's published scripts create it (real-api-facts.md 10). */
export const scriptedCard = {
  customerNumber: holder,
  maskedPan: '1234xxxxxxxx4321',
  currency: 'NOK',
  creditLimit: { currency: 'NOK', amount: 20000 },
  balances: [
    {
      balanceAmount: { currency: 'NOK', amount: -500 },
      balanceType: 'EXPECTED',
      referenceDate: '',
      lastChangeDateTime: '',
      lastCommittedTransaction: '',
    },
  ],
  cardId: '1',
  cardIdVNo: '1',
  accountNumber: '',
  expiry: '2029-12-31',
  name: 'Kredittkort',
  product: 'Basic Credit',
  status: 'ENABLED',
};

/** A purchase abroad, with what the scripts leave empty. */
export const purchase = {
  cardTransactionId: 'purchase-1',
  terminalId: '',
  bookingDate: '2027-03-20',
  transactionDate: '2027-03-18',
  transactionAmount: { currency: 'NOK', amount: 1165.5 },
  originalAmount: { currency: 'EUR', amount: 100 },
  merchantCategoryCode: '5411',
  markupFee: { currency: 'NOK', amount: 0 },
  markupFeePercentage: '',
  cardAcceptorId: '',
  cardAcceptorAddress: {},
  maskedPan: '',
  transactionDetails: 'Supermercado',
  invoiced: 'true',
  proprietaryBankTransactionCode: '',
};

/** The headers of a PSU who has opened everything it has to the TPP. */
export async function consentedHeaders(bank: TestBank, accounts?: readonly string[]): Promise<Record<string, string>> {
  return bank.consents(holder, accounts && { accounts });
}

export function codesOf(reply: Reply): string[] {
  return reply.body.tppMessages.map(({ code, path }: Record<string, string>) => `${code} ${path}`);
}
