import { createHash } from 'node:crypto';
import type { LocalDate } from '../../engine/values/local-date.ts';

/** Values of the bank that the examples are made of. */
export interface Samples {
  readonly today: LocalDate;
  /** The first banking day after today. */
  readonly nextBankingDay: LocalDate;
  /** The first booking date of a list of transactions without `dateFrom`. */
  readonly openSince: LocalDate;
  /** Customer number of a PSU. */
  readonly psu: string;
  /** The PSU-ID that the TPP of the examples knows the PSU by; of the right form only where it does not know the PSU. */
  readonly psuId: string;
  readonly debtorBban: string;
  readonly creditorBban: string;
  /** Customer number of a corporation, and an account of it. */
  readonly corporation: string;
  readonly corporateBban: string;
  /** An id of the right form: that of a payment is in the answer to its initiation. */
  readonly paymentId: string;
  /** Parameters of paths by name; ids of what is there, as far as there is any. */
  readonly params: Readonly<Record<string, string>>;
  /** The same for deletions of test data, which take away nothing that another example uses. */
  readonly spare: Readonly<Record<string, string>>;
}

/** An account that test data creates: its number is in no known state. */
const newAccount = '15030012345';
const newCustomer = '01019912345';

/** Bodies of requests that work, by method and path of the document. */
export function exampleBodies(samples: Samples): Readonly<Record<string, unknown>> {
  const { today, nextBankingDay, psu, debtorBban, creditorBban, corporation, corporateBban, paymentId } = samples;
  const debtorAccount = { bban: debtorBban, currency: 'NOK' };
  const payment = {
    instructedAmount: { amount: '100.33', currency: 'NOK' },
    creditorName: 'Company 123',
    creditorAccount: { bban: creditorBban, currency: 'NOK' },
    remittanceInformationUnstructured: 'Invoice 4711',
  };
  const mock = {
    amount: '-1500.00',
    currency: 'NOK',
    valueDate: today,
    bookingDate: today,
    creditorName: 'Aftenposten',
    creditorAccount: { bban: creditorBban },
  };
  const engagement = { customer: psu, account: { bban: corporateBban }, roles: ['VIEW', 'REGISTER'] };
  return {
    'POST /payments/norwegian-domestic-credit-transfers': {
      ...payment,
      debtorAccount,
      requestedExecutionDate: nextBankingDay,
    },
    'POST /payments/instant-norwegian-domestic-credit-transfers-straks': { ...payment, debtorAccount },
    'POST /payments/sepa-credit-transfers': {
      ...payment,
      instructedAmount: { amount: '25.00', currency: 'EUR' },
      creditorAccount: { iban: 'DE89370400440532013000', currency: 'EUR' },
      debtorAccount,
      requestedExecutionDate: nextBankingDay,
    },
    'POST /payments/cross-border-credit-transfers': {
      ...payment,
      instructedAmount: { amount: '25.00', currency: 'SEK' },
      creditorAccount: { iban: 'SE4550000000058398257466', currency: 'SEK' },
      debtorAccount,
      requestedExecutionDate: nextBankingDay,
    },
    'POST /periodic-payments/norwegian-domestic-credit-transfers': {
      ...payment,
      debtorAccount,
      startDate: nextBankingDay,
      executionRule: 'following',
      frequency: 'Monthly',
      dayOfExecution: '12',
    },
    'POST /bulk-payments/norwegian-domestic-credit-transfers': {
      debtorAccount,
      requestedExecutionDate: nextBankingDay,
      // Other amounts than that of the single payment, of which they would be duplicates (rules.md P9).
      payments: ['250.00', '310.50'].map((amount) => ({ ...payment, instructedAmount: { amount, currency: 'NOK' } })),
    },
    'POST /signing-baskets': { paymentIds: [paymentId] },
    'POST /user/verification': { identifier: createHash('sha256').update(psu).digest('base64') },
    'PUT /tpps/:tppId/contact-information': { email: 'contact@tpp.example' },
    'POST /sandbox/customers': { customerNumber: newCustomer, name: 'Test Testperson', type: 'private' },
    'POST /sandbox/agreements': { owner: corporation, name: 'Wages', engagements: [] },
    'POST /sandbox/agreements/:agreementId/engagements': engagement,
    'POST /sandbox/accounts': {
      customerNumber: psu,
      accountName: 'Sparekonto',
      bban: newAccount,
      currency: 'NOK',
      cashAccountType: 'SVGS',
      balances: [{ balanceType: 'EXPECTED', balanceAmount: { amount: '10000.00', currency: 'NOK' } }],
    },
    'POST /sandbox/accounts/:accountId/transactions': [mock],
    'POST /sandbox/accounts/:accountId/transactions/:transactionId': { ...mock, creditorName: 'Aftenposten AS' },
    'POST /sandbox/card-accounts': {
      customerNumber: psu,
      maskedPan: '123456******4321',
      currency: 'NOK',
      name: 'Kredittkort',
      creditLimit: { amount: '30000.00', currency: 'NOK' },
    },
    'POST /sandbox/card-accounts/:cardId/transactions': [
      {
        transactionDate: today,
        bookingDate: today,
        transactionAmount: { amount: '120.00', currency: 'NOK' },
        transactionDetails: 'Kaffebrenneriet',
      },
    ],
  };
}
