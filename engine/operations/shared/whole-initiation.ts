import { bulkItemsOf } from '../../ledger/credit-transfers.ts';
import type { Reader } from '../../ledger/database.ts';
import type { Payment } from '../../ledger/payments.ts';

/** The payment with its initiation as the TPP sent it: the items of a bulk payment are kept one by one. */
export async function withWholeInitiation(reader: Reader, payment: Payment): Promise<Payment> {
  if (payment.service !== 'bulk-payments') return payment;
  const items = await bulkItemsOf(reader, payment.id);
  // Spliced as text: parsing ten thousand items to write them again would be for nothing.
  const initiation = `${payment.initiation.slice(0, -1)},"payments":[${items.join(',')}]}`;
  return { ...payment, initiation };
}
