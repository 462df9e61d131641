/** Bodies of the interface's samples, paid by the known state's 13039319955. */
export const singlePath = '/v1/payments/norwegian-domestic-credit-transfers';
export const periodicPath = '/v1/periodic-payments/norwegian-domestic-credit-transfers';

export const bulkPath = '/v1/bulk-payments/norwegian-domestic-credit-transfers';

export const debtorBban = '09232911044';
export const strangerBban = '90491105991';

export function singlePayment(changes: object = {}): object {
  return {
    instructedAmount: { amount: '100.00', currency: 'NOK' },
    creditorName: 'Company 123',
    creditorAccount: { bban: strangerBban, currency: 'NOK' },
    debtorAccount: { bban: debtorBban, currency: 'NOK' },
    ...changes,
  };
}

export function periodicPayment(changes: object = {}): object {
  return { ...singlePayment(), startDate: '2027-04-15', frequency: 'Monthly', ...changes };
}

/** One item of a bulk payment. */
export function bulkItem(amount: string, changes: object = {}): object {
  return {
    instructedAmount: { amount, currency: 'NOK' },
    creditorName: 'Company 123',
    creditorAccount: { bban: strangerBban, currency: 'NOK' },
    ...changes,
  };
}

export function bulkPayment(payments: readonly object[], changes: object = {}): object {
  return { debtorAccount: { bban: debtorBban, currency: 'NOK' }, payments, ...changes };
}
