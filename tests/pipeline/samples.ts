/** A periodic payment with every member that the interface lists, values from its samples. */
export const periodicPayment = {
  instructedAmount: { amount: '100.23', currency: 'NOK' },
  creditorName: 'Company 123',
  creditorAccount: { bban: '95360573002', iban: 'NO09 9536 0573 002', currency: 'NOK' },
  creditorAddress: { street: 'Storgata', buildingNumber: '7', postalCode: '0150', city: 'Oslo', country: 'NO' },
  debtorAccount: { bban: '91351631959', currency: 'NOK' },
  ultimateDebtor: 'Company CBA',
  remittanceInformationUnstructured: 'Kredittrente',
  purposeCode: 'SALA',
  startDate: '2027-01-31',
  executionRule: 'preceeding',
  endDate: '2029-01-31',
  frequency: 'Monthly',
  monthsOfExecution: [1, 7],
  dayOfExecution: '07',
};

/** The same with the required members only. */
export const minimalPeriodicPayment = {
  instructedAmount: { amount: '1.00', currency: 'NOK' },
  creditorName: 'K',
  creditorAccount: { iban: 'NO0995360573002', currency: 'NOK' },
  debtorAccount: { bban: '91351631959', currency: 'NOK' },
  startDate: '2027-01-31',
  frequency: 'Daily',
};

/** A single payment with every member that goes together. */
export const creditTransfer = {
  instructedAmount: { amount: '100.33', currency: 'NOK' },
  creditorName: 'Company 123',
  creditorAccount: { bban: '95360573002', currency: 'NOK' },
  creditorAddress: { country: 'NO' },
  debtorAccount: { bban: '91351631959', currency: 'NOK' },
  ultimateDebtor: 'Company CBA',
  remittanceInformationStructuredArray: [
    { reference: '33523568', referenceType: 'CINV', referenceIssuer: 'BITS-EFAKTURA' },
    { reference: '99754667145676221', referenceType: 'SCOR' },
  ],
  requestedExecutionDate: '2027-03-30',
  purposeCode: 'OTHR',
};

/** As the vendor's published scripts send it. */
export const sandboxAccount = {
  customerNumber: '01078900497',
  accountName: 'Brukskonto',
  bban: '90412263056',
  iban: 'NO2390412263056',
  currency: 'NOK',
  product: 'Brukskonto',
  cashAccountType: 'TAXE',
  creditLine: 0,
  balances: [{ balanceType: 'EXPECTED', balanceAmount: { amount: 10000, currency: 'NOK' } }],
};

/** As the vendor's published scripts send it. */
export const sandboxTransaction = {
  amount: 1500,
  currency: 'NOK',
  valueDate: '2019-05-12',
  bookingDate: '2019-05-12',
  remittanceInformationUnstructured: '63444766',
  creditorId: '1',
  creditorName: 'Aftenposten',
  creditorAccount: { iban: 'NO2390412263056', bban: '90412263056' },
  ultimateCreditor: 'Test',
  debtorName: 'Testperson 2',
  debtorAccount: { iban: 'NO6290491105991', bban: '90491105991' },
  ultimateDebtor: 'test',
  purposeCode: 'code',
  bankTransactionCode: 'PMNT',
};
