import type { Scenario } from './scenario.ts';

const json = { 'content-type': 'application/json' };
const approval = { outcome: 'approve', psu: '13039319955', context: 'PRIVATE' };
const sca = String.raw`/sca/([^/?#]+)`;
const balance = 'accounts.0.balances.2';
const balanceShown = ['accounts.0.bban', 'accounts.0.name', balance];

/** A consent, a payment, its signature, two settlement runs, and the balance before and after. */
export const firstPayment: Scenario = {
  name: 'first-payment',
  title: 'A first payment: 250 kroner leave an account',
  bank: { now: '2027-03-01T14:00:00+01:00', mode: 'frozen', fixtures: 'known-state', quirks: [] },
  steps: [
    {
      says: "The TPP asks for consent to read accounts. The answer links to the bank's page, where the PSU signs (SCA).",
      method: 'POST',
      path: '/sandbox/as/shop/v1/bank-offered-consents',
      expect: { status: 201 },
      shows: ['_links.scaRedirect.href'],
      keep: { sca: { at: '_links.scaRedirect.href', match: sca } },
    },
    {
      says: 'The PSU grants one account there, here in one call. The TPP gets the PSU-ID for later calls.',
      method: 'POST',
      path: '/sandbox/sca/{sca}',
      headers: json,
      body: { ...approval, accounts: ['09232911044'] },
      expect: { status: 200 },
      keep: { psuId: { at: 'redirect', match: 'psu-id=([^&]+)' } },
    },
    {
      says: 'The balance before.',
      method: 'GET',
      path: '/sandbox/as/shop/v1/accounts?withBalance=true',
      headers: { 'PSU-ID': '{psuId}' },
      expect: {
        status: 200,
        members: { [`${balance}.balanceAmount.amount`]: '18000.00', [`${balance}.balanceType`]: 'interimAvailable' },
      },
      shows: balanceShown,
      keep: { before: { at: `${balance}.balanceAmount.amount` } },
    },
    {
      says: 'The TPP initiates a payment of 250 kroner, which the PSU has to sign.',
      method: 'POST',
      path: '/sandbox/as/shop/v1/payments/norwegian-domestic-credit-transfers',
      headers: { ...json, 'X-PSU-IDENTITY': '13039319955', 'PSU-Context': 'PRIVATE' },
      body: {
        instructedAmount: { amount: '250.00', currency: 'NOK' },
        debtorAccount: { bban: '09232911044', currency: 'NOK' },
        creditorAccount: { bban: '90491105991', currency: 'NOK' },
        creditorName: 'Company 123',
        remittanceInformationUnstructured: 'First payment',
      },
      expect: { status: 201, members: { transactionStatus: 'RCVD' } },
      shows: ['paymentId', 'transactionStatus', '_links.scaRedirect.href'],
      keep: { payment: { at: 'paymentId' }, sca: { at: '_links.scaRedirect.href', match: sca } },
    },
    {
      says: 'The PSU signs.',
      method: 'POST',
      path: '/sandbox/sca/{sca}',
      headers: json,
      body: approval,
      expect: { status: 200 },
    },
    {
      says: 'The payment waits for the next settlement run: the banks settle in five runs on a banking day.',
      method: 'GET',
      path: '/sandbox/as/shop/v1/payments/norwegian-domestic-credit-transfers/{payment}/status',
      expect: { status: 200, members: { transactionStatus: 'PDNG' } },
      shows: ['transactionStatus'],
    },
    {
      says: 'Time passes: one run settles the payment, the next one books it.',
      method: 'POST',
      path: '/sandbox/clock/advance',
      headers: json,
      body: { runs: 2 },
      expect: { status: 200, members: { 'runs.0.settled': 1, 'runs.1.booked': 1 } },
      shows: ['from', 'to', 'runs.0.at', 'runs.0.settled', 'runs.1.at', 'runs.1.booked'],
    },
    {
      says: 'The balance after.',
      method: 'GET',
      path: '/sandbox/as/shop/v1/accounts?withBalance=true',
      headers: { 'PSU-ID': '{psuId}' },
      expect: {
        status: 200,
        members: {
          [`${balance}.balanceAmount.amount`]: '17750.00',
          [`${balance}.balanceType`]: 'interimAvailable',
          'accounts.0.balances.1.balanceAmount.amount': '17750.00',
          'accounts.0.balances.1.balanceType': 'interimBooked',
        },
      },
      shows: balanceShown,
      keep: { after: { at: `${balance}.balanceAmount.amount` } },
    },
  ],
  ends: 'The account had {before} NOK and has {after} NOK.',
};
