import type { Generated } from 'kysely';
import type { Instant } from '../../values/instant.ts';

declare module '../../ledger/tables.ts' {
  interface Tables {
    signing_basket: SigningBasketRow;
    basket_payment: BasketPaymentRow;
  }
}

/** Payments that one PSU signs with one SCA (interface: Endpoints, rule 5). */
export interface SigningBasketRow {
  id: Generated<number>;
  resource_id: string;
  tpp_id: string;
  customer_id: number;
  tpp_redirect_uri: string;
  tpp_session_id: string | null;
  created_at: Instant;
  /** From this instant on it counts as removed (interface: Limits). */
  expires_at: Instant;
  signed_at: Instant | null;
}

interface BasketPaymentRow {
  basket_id: number;
  payment_id: number;
  /** Index in the request. */
  position: number;
}
