import { awaitsSignature } from '../settlement/rules/transaction-status.ts';
import { paymentsOfBasket } from './rows/signing-baskets.ts';
import type { Writer } from '../ledger/database.ts';
import { bankNow, type BankContext } from '../bank/bank-context.ts';
import { beginSca, type TppIdentity } from '../sca/begin-sca.ts';
import { identifyPsu, type PsuReference } from '../parties/identify-psu.ts';
import { findOwnBasket } from './read-signing-basket.ts';
import { takesNoSignature } from './sign-basket.ts';

export interface AuthoriseSigningBasket {
  readonly tpp: TppIdentity;
  readonly psu: PsuReference;
  readonly basketId: string;
  /** Of the request; null takes the basket's (rules.md A4b). */
  readonly redirectUri: string | null;
  readonly sessionId: string | null;
}

/**
 * Opens an SCA that signs the payments of a basket and returns its id (interface: Endpoints, rule 5). Basket signed, or
 * none of its payments needs a signature: STATUS_INVALID. Unknown: RESOURCE_UNKNOWN; removed: RESOURCE_EXPIRED.
 */
export function authoriseSigningBasket(bank: BankContext, command: AuthoriseSigningBasket): Promise<string> {
  return bank.ledger.write((tx) => authoriseSigningBasketIn(bank, tx, command));
}

/** {@link authoriseSigningBasket} inside the caller's transaction. */
export async function authoriseSigningBasketIn(
  bank: BankContext,
  tx: Writer,
  command: AuthoriseSigningBasket,
): Promise<string> {
  const now = await bankNow(bank, tx);
  const { tpp, basketId } = command;
  const { customer } = await identifyPsu(tx, tpp.id, command.psu);
  const basket = await findOwnBasket(tx, tpp.id, basketId, customer, now);
  const payments = await paymentsOfBasket(tx, basket.id, now);
  const isOpen = basket.signed_at === null && payments.some(({ status }) => awaitsSignature(status));
  if (!isOpen) throw takesNoSignature();
  const returnTo = {
    redirectUri: command.redirectUri ?? basket.tpp_redirect_uri,
    sessionId: command.sessionId ?? basket.tpp_session_id,
  };
  const { id, customer_id: customerId } = basket;
  return beginSca(bank, tx, {
    purpose: 'basket',
    payment: null,
    basketId: id,
    tpp,
    returnTo,
    customerId,
    context: null,
    now,
  });
}
