import type { Payment } from '../payments/rows/payments.ts';
import { paymentsOfBasket, type SigningBasket } from './rows/signing-baskets.ts';
import { bankNow, type BankContext } from '../bank/bank-context.ts';
import { identifyPsu, type PsuReference } from '../parties/identify-psu.ts';
import { findOwnBasket } from './open-basket.ts';

export interface ReadSigningBasket {
  readonly tppId: string;
  readonly psu: PsuReference;
  readonly basketId: string;
}

export interface BasketView {
  readonly basket: SigningBasket;
  /** In the order of the request that made it. */
  readonly payments: readonly Payment[];
}

/** A signing basket as its TPP and PSU may read it. Another's: RESOURCE_UNKNOWN; removed: RESOURCE_EXPIRED. */
export function readSigningBasket(bank: BankContext, query: ReadSigningBasket): Promise<BasketView> {
  return bank.ledger.read(async (reader) => {
    const { customer } = await identifyPsu(reader, query.tppId, query.psu);
    const now = await bankNow(bank, reader);
    const basket = await findOwnBasket(reader, query.tppId, query.basketId, customer, now);
    return { basket, payments: await paymentsOfBasket(reader, basket.id) };
  });
}
