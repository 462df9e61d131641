export const kid = { reference: '2345676', referenceType: 'SCOR' };

export const mock = { currency: 'NOK', bookingDate: '2027-03-16', valueDate: '2027-03-16' };
/** What was posted to the account, by what it is to show: card purchases with and without a code, transfers, a salary, a fee. */
export const mocks = {
  purchase: { amount: -49.9, creditorName: 'Kiosken', remittanceInformationUnstructured: 'Kiosken Torget' },
  'purchase with its day': { amount: -79, remittanceInformationUnstructured: '12.03 Bokhandelen' },
  'purchase by number': {
    amount: -120,
    bankTransactionCode: 'CARD-CCRD-POSD',
    remittanceInformationUnstructured: 'Kafeen',
  },
  'purchase abroad': {
    amount: -1165.5,
    bookingDate: '2027-03-15',
    creditorName: 'Supermercado',
    originalAmount: { amount: -100, currency: 'EUR' },
    remittanceInformationUnstructured: 'Supermercado Sol',
  },
  refund: {
    amount: 30,
    bankTransactionCode: 'CARD-NCRD-POSD',
    proprietaryBankTransactionCode: 'R_711',
    debtorName: 'Kiosken',
    debtorAgent: 'DNBANOKK',
  },
  'transfer in': {
    amount: 250,
    debtorName: 'Ola Nordmann',
    debtorAccount: { bban: '90491105991' },
    remittanceInformationUnstructured: 'Takk  for sist',
  },
  salary: { amount: 30000, debtorName: 'Verket AS', purposeCode: 'SALA', remittanceInformationUnstructured: 'Lønn' },
  interest: { amount: 1.5, remittanceInformationUnstructured: 'Kredittrente' },
  fee: {
    amount: -40,
    bankTransactionCode: 'BOOK-EXPS-OTHR',
    remittanceInformationUnstructured: 'Årspris    1    40.00',
  },
  'fee without text': { amount: -41, bankTransactionCode: 'BOOK-EXPS-BANK' },
  'transfer that names nobody': {
    amount: -60,
    bankTransactionCode: 'PMNT-ICDT-RETP',
    remittanceInformationUnstructured: 'Sparing',
  },
  'batch of mocks': {
    amount: -300,
    entryDetails: [
      { amount: -100, creditorName: 'Kari', remittanceInformationUnstructured: 'Hei' },
      { amount: -200, creditorName: 'Ola', remittanceInformationStructuredArray: [kid] },
    ],
  },
} as const;

const card = {
  transactionAmount: { currency: 'NOK', amount: 1165.5 },
  originalAmount: { currency: 'EUR', amount: 100 },
  cardAcceptorId: 'shop-1',
  cardAcceptorAddress: { city: 'Madrid', country: 'ES' },
  proprietaryBankTransactionCode: 'R_710',
};
export const cardMocks = [
  { ...card, bookingDate: '2027-03-16', transactionDate: '2027-03-15', transactionDetails: 'Supermercado' },
  { ...card, transactionDate: '2027-03-16', transactionDetails: 'Farmacia' },
];

/** A bank with every kind of transaction on one account and one card, at 13:45 on a Wednesday: the run of 13:30 has left two pending. */
